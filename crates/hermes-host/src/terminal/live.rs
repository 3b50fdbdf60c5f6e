//! What a command prints, told line by line while it runs to whoever watches.

use std::sync::Arc;

use hermes_core::ports::LiveOutput;
use hermes_core::{CallContext, text};

/// A line that is longer is told in pieces.
const LONGEST_LINE: usize = 16 * 1024;

/// Somebody who watches.
pub(super) struct Live {
    port: Arc<dyn LiveOutput>,
    session: String,
    call: String,
    line: Vec<u8>,
    /// The end of the last line was told before it came.
    ended: bool,
}

impl Live {
    /// `None` where nobody watches.
    pub(super) fn of(cx: &CallContext) -> Option<Self> {
        let port = Arc::clone(cx.ports().live.as_ref()?);
        Some(Live {
            port,
            session: cx.session().id.clone(),
            call: cx.call_id().to_owned(),
            line: Vec::new(),
            ended: false,
        })
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let told = std::mem::take(&mut self.ended);
        self.line.extend(bytes.strip_prefix(b"\n").filter(|_| told).unwrap_or(bytes));
        let end = memchr::memrchr2(b'\n', b'\r', &self.line).map(|at| at + 1);
        let end = end.or_else(|| (self.line.len() > LONGEST_LINE).then_some(self.line.len()));
        if let Some(end) = end {
            let rest = self.line.split_off(end);
            self.tell();
            self.line = rest;
        }
    }

    /// A line end is here, but may turn out to belong to what the shell says.
    pub(super) fn line_ended(&mut self) {
        if !self.line.is_empty() {
            self.line.push(b'\n');
            self.ended = true;
            self.tell();
        }
    }

    /// The last line is told as a whole line too, whether it had an end or not: nobody could have known before.
    pub(super) fn finish(mut self) {
        self.line_ended();
    }

    fn tell(&mut self) {
        let told = text::printed(&String::from_utf8_lossy(&std::mem::take(&mut self.line)));
        if !told.is_empty() {
            self.port.printed(&self.session, &self.call, &told);
        }
    }
}
