//! What a server writes to its standard error and as log messages, kept in one bounded file a server.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_core::redact::Redactor;
use hermes_host::Clock;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

use crate::secrets::Cover;

/// Beyond this the file is put aside and a new one begun; one old file is kept.
const MAX_FILE: u64 = 1024 * 1024;
/// The longest line that is kept.
const MAX_LINE: usize = 4 * 1024;
/// Lines kept in memory, to say why a server failed.
const RECENT: usize = 8;
/// Bytes a server may log in one second; the rest is counted and dropped.
const PER_SECOND: usize = 64 * 1024;

/// One server's log. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Log {
    inner: Arc<Mutex<Inner>>,
    /// Hides what the server was given, here and in all else that it says.
    pub(crate) cover: Cover,
}

struct Inner {
    path: PathBuf,
    file: Option<File>,
    clock: Clock,
    recent: Vec<String>,
    /// Hides what no log may show.
    redactor: Redactor,
    second: i64,
    used: usize,
    dropped: u64,
}

impl Log {
    pub(crate) fn at(path: PathBuf, clock: Clock, cover: Cover) -> Self {
        let (recent, file) = (Vec::new(), None);
        let redactor = Redactor::none();
        let inner = Inner { path, file, clock, recent, redactor, second: 0, used: 0, dropped: 0 };
        Log { inner: Arc::new(Mutex::new(inner)), cover }
    }

    /// Hides secrets from now on.
    pub(crate) fn hide(&self, redactor: Redactor) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).redactor = redactor;
    }

    /// Adds a line. A log that cannot be written never stops a server.
    pub(crate) fn line(&self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&self, line: &[u8]) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).line(line, &self.cover);
    }

    /// The last lines, oldest first.
    pub(crate) fn recent(&self) -> Vec<String> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).recent.clone()
    }

    /// Forgets the recent lines, when a new start begins.
    pub(crate) fn begin(&self, what: &str) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.recent.clear();
        inner.line(what.as_bytes(), &self.cover);
        inner.recent.clear();
    }

    /// Copies a stream into the log until it ends.
    pub(crate) async fn follow(self, stream: impl AsyncRead + Unpin) {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut bounded = (&mut reader).take(MAX_LINE as u64);
            match bounded.read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => return,
                Ok(_) => self.bytes(&line),
            }
        }
    }
}

impl Inner {
    fn line(&mut self, line: &[u8], cover: &Cover) {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return;
        }
        let now = self.clock.now_ms();
        if now / 1_000 != self.second {
            self.second = now / 1_000;
            self.used = 0;
            let dropped = std::mem::take(&mut self.dropped);
            if dropped > 0 {
                self.write(now, &format!("[{dropped} lines dropped: the server writes too much]"));
            }
        }
        // Before anything is made of it: a flood must not cost more than reading it.
        self.used += line.len().min(MAX_LINE);
        if self.used > PER_SECOND {
            self.dropped += 1;
            return;
        }
        // No character has more bytes.
        let text = String::from_utf8_lossy(line.get(..MAX_LINE * 4).unwrap_or(line));
        let head: String = text.trim_end().chars().take(MAX_LINE).collect();
        let shown = cover.text(head);
        let shown = hermes_core::text::visible(&self.redactor.redact_text(&shown)).replace('\n', "\\n");
        let shown: String = shown.chars().take(MAX_LINE).collect();
        if self.recent.len() == RECENT {
            self.recent.remove(0);
        }
        self.recent.push(shown.clone());
        self.write(now, &shown);
    }

    fn write(&mut self, now: i64, text: &str) {
        let full = self
            .file
            .as_ref()
            .and_then(|file| file.metadata().ok())
            .is_some_and(|meta| meta.len() > MAX_FILE);
        if full {
            self.file = None;
            let _ = std::fs::rename(&self.path, self.path.with_extension("log.1"));
        }
        if self.file.is_none() {
            self.file = open(&self.path).ok();
        }
        if let Some(file) = &mut self.file {
            let _ = writeln!(file, "{now} {text}");
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    if let Some(folder) = path.parent() {
        hermes_host::private::folder(folder)?;
    }
    File::options().create(true).append(true).mode(0o600).open(path)
}
