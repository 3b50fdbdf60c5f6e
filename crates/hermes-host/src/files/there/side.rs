//! One call's view of the other side.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use hermes_core::{ErrorCode, SessionIdentity, ToolError};
use tokio_util::sync::CancellationToken;

use super::answer::{Record, Records};
use super::complaints::unable;
use super::scripts::PRELUDE;
use super::words::word;
use crate::terminal::{Errand, Place, Sent, Terminals};
use crate::workspace::{Eyes, Workspace};

/// How long one script may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// The other side, as far as one call may see it.
pub(in crate::files) struct Side<'a> {
    pub(super) workspace: &'a Workspace,
    terminals: &'a Terminals,
    /// The folder over there in which the session starts.
    pub(super) folder: &'a str,
    pub(super) session: &'a SessionIdentity,
    cancel: CancellationToken,
    place: OnceLock<Place>,
}

/// What to do over there, and about what.
pub(super) struct Question<'a> {
    pub(super) script: &'a str,
    pub(super) words: &'a [&'a [u8]],
    /// What follows the words.
    pub(super) content: &'a [u8],
    /// Bytes that one record of the answer may have.
    pub(super) most: usize,
}

impl<'a> Question<'a> {
    pub(super) fn new(script: &'a str, words: &'a [&'a [u8]]) -> Self {
        Question { script, words, content: &[], most: 64 * 1024 }
    }
}

impl<'a> Side<'a> {
    pub(in crate::files) fn new(
        workspace: &'a Workspace,
        terminals: &'a Terminals,
        folder: &'a str,
        session: &'a SessionIdentity,
        cancel: CancellationToken,
    ) -> Self {
        Side { workspace, terminals, folder, session, cancel, place: OnceLock::new() }
    }

    /// Where the files are, once anything was asked there.
    pub(in crate::files) fn place(&self) -> Option<&Place> {
        self.place.get()
    }

    /// What the session has seen of the files over there.
    pub(super) fn eyes(&self) -> Eyes {
        let place = self.place().map_or(String::new(), |place| place.shown(Path::new("")));
        self.workspace.eyes(self.session, Some(place))
    }

    /// The same, for what must not be stopped half way.
    pub(super) fn undisturbed(&self) -> Side<'a> {
        let Side { workspace, terminals, folder, session, .. } = *self;
        Side::new(workspace, terminals, folder, session, CancellationToken::new())
    }

    /// The first thing that the script answers, if it does.
    pub(super) async fn ask_once(
        &self,
        question: &Question<'_>,
    ) -> Result<(Option<Record>, Sent), ToolError> {
        let mut answer = None;
        let mut first = |record| {
            answer.get_or_insert(record);
            ControlFlow::Continue(())
        };
        let sent = self.stream(question, &mut first).await?;
        Ok((answer, sent))
    }

    /// Everything the script answers, which must be something.
    pub(super) async fn ask(&self, question: &Question<'_>) -> Result<Vec<Record>, ToolError> {
        match self.ask_all(question).await? {
            (records, sent) if records.is_empty() => Err(unable(&sent)),
            (records, _) => Ok(records),
        }
    }

    pub(super) async fn ask_all(&self, question: &Question<'_>) -> Result<(Vec<Record>, Sent), ToolError> {
        let mut records = Vec::new();
        let mut all = |record| {
            records.push(record);
            ControlFlow::Continue(())
        };
        let sent = self.stream(question, &mut all).await?;
        Ok((records, sent))
    }

    /// Hands over what the script answers, record by record.
    pub(super) async fn stream(
        &self,
        question: &Question<'_>,
        each: &mut (dyn FnMut(Record) -> ControlFlow<()> + Send),
    ) -> Result<Sent, ToolError> {
        let mark = format!("hermes-{}", uuid::Uuid::new_v4().simple());
        let mut input = format!("{mark}\n").into_bytes();
        for bytes in question.words {
            input.extend(format!("{}\n", word(bytes)).into_bytes());
        }
        input.extend_from_slice(question.content);
        let errand = Errand {
            session: &self.session.id,
            script: &format!("{PRELUDE}{}", question.script),
            input: &input,
            patience: PATIENCE,
            cancel: &self.cancel,
        };
        let mut records = Records::new(&mark, question.most);
        let (mut too_long, mut enough) = (false, false);
        let mut take = |piece: &[u8]| {
            let mut each = |record: Record| {
                let flow = each(record);
                enough = flow.is_break();
                flow
            };
            let flow = records.push(piece, &mut each);
            too_long = flow.is_break() && !enough;
            flow
        };
        let sent = self.terminals.send(&errand, &mut take).await?;
        if too_long {
            return Err(ToolError::new(ErrorCode::TooLarge, "the other side sent more than can be taken"));
        }
        let _ = self.place.set(sent.place.clone());
        Ok(sent)
    }
}

/// Waits for the other side on a thread that may block.
pub(in crate::files) fn wait<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Handle::current().block_on(answer)
}
