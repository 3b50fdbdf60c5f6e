//! What a running handler knows about its call. Built by the pipeline only, so a model cannot forge it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::error::{ErrorCode, ToolError};
use crate::meta::DEFAULT_MAX_RESULT_CHARS;
use crate::permit::Permit;
use crate::ports::{Conversation, Ports};

/// The identity of the conversation a call belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionIdentity {
    pub id: String,
    /// Who acts: `user`, `subagent`, `cron`, a client's name.
    pub actor: String,
    /// Where relative paths start.
    pub cwd: PathBuf,
}

/// One call's surroundings. Cheap to clone; clones share the cancellation token.
#[derive(Clone)]
pub struct CallContext {
    call_id: Arc<str>,
    session: Arc<SessionIdentity>,
    permit: Permit,
    cancel: CancellationToken,
    ports: Arc<Ports>,
    turn: Option<Arc<str>>,
    conversation: Option<Arc<dyn Conversation>>,
    result_chars: usize,
    time: Duration,
}

impl CallContext {
    pub fn new(
        call_id: Arc<str>,
        session: Arc<SessionIdentity>,
        permit: Permit,
        cancel: CancellationToken,
        ports: Arc<Ports>,
    ) -> Self {
        CallContext {
            call_id,
            session,
            permit,
            cancel,
            ports,
            turn: None,
            conversation: None,
            result_chars: DEFAULT_MAX_RESULT_CHARS,
            time: Duration::MAX,
        }
    }

    /// The same call as one of several that were asked for together.
    #[must_use]
    pub fn in_turn(self, turn: Option<Arc<str>>) -> Self {
        CallContext { turn, ..self }
    }

    /// With the conversation that the call belongs to, for tools that must ask it again while they run.
    #[must_use]
    pub fn within(mut self, conversation: Arc<dyn Conversation>) -> Self {
        self.conversation = Some(conversation);
        self
    }

    /// With what its result may take before it is cut.
    #[must_use]
    pub fn bounded(self, result_chars: usize) -> Self {
        CallContext { result_chars, ..self }
    }

    /// With how long the handler may take.
    #[must_use]
    pub fn limited(self, time: Duration) -> Self {
        CallContext { time, ..self }
    }

    /// How long the handler may take before it is told to stop. One that has run so long was not stopped by somebody.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// How many characters of JSON the result may have before it is stored and only its ends are shown. A tool that gives
    /// pages makes them so that they fit.
    pub fn result_chars(&self) -> usize {
        self.result_chars
    }

    /// The conversation that the call belongs to.
    pub fn conversation(&self) -> Result<&Arc<dyn Conversation>, ToolError> {
        self.conversation.as_ref().ok_or_else(|| {
            ToolError::new(ErrorCode::Unavailable, "this call was made outside of a conversation")
        })
    }

    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// What the calls of one request have in common; `None` if the call came alone.
    pub fn turn(&self) -> Option<&str> {
        self.turn.as_deref()
    }

    pub fn session(&self) -> &SessionIdentity {
        &self.session
    }

    pub fn cwd(&self) -> &Path {
        &self.session.cwd
    }

    /// What this call was granted. Doors check it again before they act.
    pub fn permit(&self) -> &Permit {
        &self.permit
    }

    /// Fires when the caller gives up, the deadline passes or the session ends.
    pub fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    pub fn ports(&self) -> &Ports {
        &self.ports
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext").field("call_id", &self.call_id).field("session", &self.session).finish()
    }
}
