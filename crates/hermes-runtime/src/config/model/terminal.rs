//! Where commands run, how long, and behind which walls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where commands run, how long, and behind which walls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Terminal {
    /// Where a session's first command runs: absolute, beginning with ~/, or relative to the session's folder.
    #[schemars(length(min = 1))]
    pub cwd: String,
    /// Seconds after which a command is ended.
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout: u64,
    /// The longest limit that a call may ask for, in seconds.
    #[schemars(range(min = 1, max = 600))]
    pub max_timeout: u64,
    /// Characters of output that one command shows.
    #[schemars(range(min = 1_000, max = 10_000_000))]
    pub output_chars: usize,
    /// Environment variables that commands get beside the usual ones such as PATH, HOME and LANG.
    #[schemars(inner(length(min = 1)))]
    pub env_passthrough: Vec<String>,
    /// The walls around commands on this machine.
    pub sandbox: Sandbox,
}

/// The walls around commands on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sandbox {
    /// How much of the sandbox must stand for a command to run: `strict` all of it, `best` at least Landlock and
    /// the system call filter, `off` nothing. Results say what stood.
    pub mode: SandboxMode,
    /// Folders that commands may write beside the session's own and the temporary ones, such as ~/.cargo.
    #[schemars(inner(length(min = 1)))]
    pub writable: Vec<String>,
    /// Places with credentials that commands may read all the same, such as ~/.ssh.
    #[schemars(inner(length(min = 1)))]
    pub readable: Vec<String>,
    /// Whether commands may use local sockets, such as those of a container daemon or a key agent.
    pub local_services: bool,
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// How much of the sandbox must stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    Strict,
    #[default]
    Best,
    Off,
}

impl Default for Terminal {
    fn default() -> Self {
        Terminal {
            cwd: ".".to_owned(),
            timeout: 180,
            max_timeout: 600,
            output_chars: 50_000,
            env_passthrough: Vec::new(),
            sandbox: Sandbox::default(),
        }
    }
}
