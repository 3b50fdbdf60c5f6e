//! A server's process with everything it starts: one group, ended as a whole.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use hermes_host::Env;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// How long a server may take to end by itself once its input is closed, and again once it was asked to.
const GRACE: Duration = Duration::from_millis(500);

/// Variables that programs need to find their way. Nothing else of ours is shown to a server: the environment
/// holds secrets that are none of its business.
const INHERITED: &[&str] = &[
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "NODE_EXTRA_CA_CERTS",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
];
const INHERITED_FAMILIES: &[&str] = &["LC_", "XDG_"];

/// A running server process.
pub(crate) struct ServerProcess {
    child: Child,
    group: Option<Pid>,
}

/// Its three streams.
pub(crate) struct Streams {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
}

impl ServerProcess {
    /// Starts a program by argument list, without a shell.
    pub(crate) fn start(
        command: &str,
        args: &[String],
        extra_env: &BTreeMap<String, String>,
        cwd: &Path,
        env: &Env,
    ) -> Result<(Self, Streams), String> {
        let program =
            env.find_binary(command).ok_or_else(|| format!("the program '{command}' was not found"))?;
        let inherited = env.iter().filter(|(name, _)| is_inherited(name));
        let mut starting = Command::new(program);
        starting
            .args(args)
            .current_dir(cwd)
            .env_clear()
            .envs(inherited)
            .envs(extra_env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child =
            starting.spawn().map_err(|error| format!("'{command}' cannot be started: {error}"))?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(format!("'{command}' was started without its streams"));
        };
        Ok((ServerProcess { child, group }, Streams { stdin, stdout, stderr }))
    }

    /// Ends the process and all it started. Its input must be closed already: that alone ends most servers.
    pub(crate) async fn end(mut self) {
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            self.signal(Signal::TERM);
            let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
        }
        // Also when the server ended by itself: what it started may not have.
        self.signal(Signal::KILL);
        let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
        self.group = None;
    }

    /// How the process ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<String> {
        self.child.try_wait().ok().flatten().map(|status| status.to_string())
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

fn is_inherited(name: &str) -> bool {
    INHERITED.contains(&name) || INHERITED_FAMILIES.iter().any(|family| name.starts_with(family))
}
