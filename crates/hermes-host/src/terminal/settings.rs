//! What the operator says about commands.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use crate::process::Limits;

/// Where commands run, how long, and behind which walls.
#[derive(Clone, Debug)]
pub struct TerminalSettings {
    pub backend: BackendSettings,
    /// Where commands of these sessions run instead.
    pub sessions: BTreeMap<String, BackendSettings>,
    /// Where a session's first command runs; the session's own folder where nothing is said.
    pub cwd: Option<String>,
    pub timeout: Duration,
    pub max_timeout: Duration,
    /// Characters of output that one command may show.
    pub output_chars: usize,
    /// Variables that commands get beside the usual ones.
    pub env_passthrough: Vec<String>,
    /// Variables that hold secrets whatever they are called.
    pub secret_env: BTreeSet<String>,
    pub sandbox: Sandbox,
    /// What one command on this machine may use.
    pub limits: Limits,
}

/// Where commands run.
#[derive(Clone, Debug, Default)]
pub enum BackendSettings {
    #[default]
    Local,
    Ssh(SshSettings),
    Docker(ContainerSettings),
    Podman(ContainerSettings),
    Singularity(ContainerSettings),
    Modal(ContainerSettings),
}

/// Another machine.
#[derive(Clone, Debug, Default)]
pub struct SshSettings {
    pub host: Option<String>,
    pub user: Option<String>,
    pub port: Option<u16>,
    pub key: Option<PathBuf>,
    /// Where known host keys are, if not where ssh itself looks.
    pub known_hosts: Option<PathBuf>,
}

/// A container.
#[derive(Clone, Debug)]
pub struct ContainerSettings {
    pub image: Option<String>,
    /// Where a session's first command runs.
    pub cwd: String,
    pub network: bool,
    pub memory_mb: u64,
    pub cpus: String,
    pub pids: u64,
    /// Folders of this machine, as the vendor writes them.
    pub mounts: Vec<String>,
}

impl Default for ContainerSettings {
    fn default() -> Self {
        ContainerSettings {
            image: None,
            cwd: "/root".to_owned(),
            network: true,
            memory_mb: 5_120,
            cpus: "1".to_owned(),
            pids: 256,
            mounts: Vec::new(),
        }
    }
}

/// The walls around local commands.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    pub mode: SandboxMode,
    /// Folders that may be written beside the session's own and the temporary ones.
    pub writable: Vec<PathBuf>,
    /// Places that commands may read although they hold credentials.
    pub readable: Vec<PathBuf>,
    /// Whether commands may use local sockets, such as those of a container daemon or a key agent.
    pub local_services: bool,
}

/// How much of the sandbox must stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SandboxMode {
    /// All of it, or the command does not run.
    Strict,
    /// What the kernel offers, at least Landlock and the system call filter; results say which.
    #[default]
    Best,
    /// None.
    Off,
}

impl Default for TerminalSettings {
    fn default() -> Self {
        TerminalSettings {
            backend: BackendSettings::Local,
            sessions: BTreeMap::new(),
            cwd: None,
            timeout: Duration::from_secs(180),
            max_timeout: Duration::from_secs(600),
            output_chars: 50_000,
            env_passthrough: Vec::new(),
            secret_env: BTreeSet::new(),
            sandbox: Sandbox::default(),
            limits: Limits::default(),
        }
    }
}
