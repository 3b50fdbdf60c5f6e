//! What can be said of a server at a glance.

use serde::{Deserialize, Serialize};

/// Where a server stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum State {
    /// Never connected: its tools are not known yet.
    Configured,
    /// Its tools are known from earlier; it starts at the first call.
    Known,
    Starting,
    Running,
    /// Calls are under way.
    InUse {
        calls: usize,
    },
    /// It wants to know who asks.
    NeedsLogin,
    /// It could not be started or broke down; it is tried again at the next call after the wait.
    Failed {
        reason: String,
        retry_seconds: u64,
    },
}

impl State {
    /// How much of a server there is; of several processes' words the highest is shown.
    pub(crate) const fn rank(&self) -> u8 {
        match self {
            State::Configured | State::Known => 0,
            State::NeedsLogin => 1,
            State::Failed { .. } => 2,
            State::Starting => 3,
            State::Running => 4,
            State::InUse { .. } => 5,
        }
    }

    /// The state as one word.
    pub const fn word(&self) -> &'static str {
        match self {
            State::Configured => "configured",
            State::Known => "known",
            State::Starting => "starting",
            State::Running => "running",
            State::InUse { .. } => "in use",
            State::NeedsLogin => "needs login",
            State::Failed { .. } => "failed",
        }
    }
}

/// A server with its state and numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    pub name: String,
    #[serde(flatten)]
    pub state: State,
    /// Tools on offer.
    pub tools: usize,
    /// Tools that wait for the user's word.
    pub quarantined: usize,
}
