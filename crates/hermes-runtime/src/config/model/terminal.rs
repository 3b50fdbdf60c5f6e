//! Where commands run, how long, and behind which walls.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where commands run, how long, and behind which walls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Terminal {
    /// Where commands run: on this machine, on another one by ssh, in a container, or in a sandbox of Modal.
    pub env_type: EnvType,
    /// Where commands of single sessions run instead: the session's name and one of the places above.
    pub sessions: BTreeMap<String, EnvType>,
    /// Where a session's first command runs: absolute, beginning with ~/, or relative to the session's folder.
    #[schemars(length(min = 1))]
    pub cwd: String,
    /// Seconds after which a command is ended.
    #[schemars(range(min = 1, max = 600))]
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
    /// What commands on this machine may use.
    pub limits: TerminalLimits,
    /// The machine that `ssh` talks to. Its key must be known.
    pub ssh_host: String,
    /// The user there; the one that ssh itself would take where nothing is said.
    pub ssh_user: String,
    /// The port there.
    #[schemars(range(min = 1, max = 65_535))]
    pub ssh_port: Option<u16>,
    /// The private key to log in with; the ones that ssh itself would try where nothing is said.
    pub ssh_key: String,
    /// The file with known host keys; the one that ssh itself reads where nothing is said.
    pub ssh_known_hosts: String,
    /// The image of `docker` and `podman`.
    pub docker_image: String,
    /// The image of `singularity`: a file, a folder or an address it understands.
    pub singularity_image: String,
    /// The image of `modal`: its name in a registry, or its id there.
    pub modal_image: String,
    /// Folders of this machine in containers, such as /data:/data:ro.
    #[schemars(inner(length(min = 1)))]
    pub container_mounts: Vec<String>,
    /// Whether containers have a network.
    pub container_network: bool,
    /// Memory of a container in MiB.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub container_memory: u64,
    /// Processors of a container.
    #[schemars(range(min = 1, max = 1_024))]
    pub container_cpu: u32,
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// Where commands run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EnvType {
    #[default]
    Local,
    Ssh,
    Docker,
    Podman,
    Singularity,
    Modal,
}

/// What commands on this machine may use. What is not said is not bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TerminalLimits {
    /// Memory in MiB that a command may fill with everything it starts; where no control group can be made, each process.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub memory_mb: Option<u64>,
    /// Processes and threads that a command may have; where no control group can be made, those of the user, and root has no
    /// such bound.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub processes: Option<u64>,
    /// Files that one process may have open.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub open_files: Option<u64>,
    /// The size of a file that a command writes, in MiB.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub file_mb: Option<u64>,
}

/// The walls around commands on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sandbox {
    /// How much of the sandbox must stand for a command to run: `strict` all of it, `best` at least Landlock and
    /// the system call filter, `off` nothing. Results say what stood.
    pub mode: SandboxMode,
    /// Places that commands may write beside the session's folder and the temporary ones, such as ~/.cargo, or that
    /// are protected in that folder, such as .git.
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
            env_type: EnvType::default(),
            sessions: BTreeMap::new(),
            cwd: ".".to_owned(),
            timeout: 180,
            max_timeout: 600,
            output_chars: 50_000,
            env_passthrough: Vec::new(),
            sandbox: Sandbox::default(),
            limits: TerminalLimits::default(),
            ssh_host: String::new(),
            ssh_user: String::new(),
            ssh_port: None,
            ssh_key: String::new(),
            ssh_known_hosts: String::new(),
            docker_image: String::new(),
            singularity_image: String::new(),
            modal_image: String::new(),
            container_mounts: Vec::new(),
            container_network: true,
            container_memory: 5_120,
            container_cpu: 1,
        }
    }
}
