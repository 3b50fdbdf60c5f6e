//! A server's process with everything it starts: behind the process door, so that all of it ends with this
//! process, however that ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use futures_util::FutureExt;
use hermes_host::Env;
use hermes_host::process::{Child, Exit, Launch};
use tokio::net::unix::pipe::{Receiver, Sender};

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

/// A running server process. Dropping it kills the whole tree.
pub(crate) struct ServerProcess {
    child: Child,
}

/// Its three streams.
pub(crate) struct Streams {
    pub(crate) stdin: Sender,
    pub(crate) stdout: Receiver,
    pub(crate) stderr: Receiver,
}

impl ServerProcess {
    /// Starts a program by argument list, without a shell. It is looked for in the folders of the user's `PATH`, never
    /// in one that depends on where Hermes was started.
    pub(crate) async fn start(
        command: &str,
        args: &[String],
        extra_env: &BTreeMap<String, String>,
        cwd: &Path,
        env: &Env,
    ) -> Result<(Self, Streams), String> {
        let mut variables = inherited(env);
        let known: Env = variables.clone().into_iter().collect();
        variables.extend(extra_env.clone());
        let program = match command.contains('/') {
            true => known.find_binary(&cwd.join(command).to_string_lossy()),
            false => known.find_binary(command),
        };
        let program = program.ok_or_else(|| format!("the program '{command}' was not found"))?;
        let argv = std::iter::once(program.into_os_string()).chain(args.iter().map(Into::into));
        let mut child = Child::start(&Launch::new(argv, cwd).with_env(variables)).await?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(format!("'{command}' was started without its streams"));
        };
        Ok((ServerProcess { child }, Streams { stdin, stdout, stderr }))
    }

    /// Ends the process and all it started. Its input must be closed already: that alone ends most servers.
    pub(crate) async fn end(mut self) {
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            let _ = tokio::time::timeout(GRACE * 4, self.child.stop(GRACE)).await;
        }
    }

    /// How the process ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<String> {
        self.child.wait().now_or_never()?.ok().map(told)
    }

    /// How the process ends, if it does so soon.
    pub(crate) async fn ended_within(&mut self, limit: Duration) -> Option<String> {
        tokio::time::timeout(limit, self.child.wait()).await.ok()?.ok().map(told)
    }
}

fn told(exit: Exit) -> String {
    match exit {
        Exit { code: Some(code), .. } => format!("exit code {code}"),
        Exit { signal, .. } => format!("signal {}", signal.unwrap_or_default()),
    }
}

/// What a program of somebody else's may know of the environment. Folders of the `PATH` that depend on where Hermes
/// was started are left out.
pub fn inherited(env: &Env) -> BTreeMap<String, String> {
    let kept = env.iter().filter(|(name, _)| is_inherited(name));
    kept.map(|(name, value)| match name {
        "PATH" => (name.to_owned(), anchored(value)),
        _ => (name.to_owned(), value.to_owned()),
    })
    .collect()
}

fn anchored(path: &str) -> String {
    let folders = path.split(':').filter(|folder| folder.starts_with('/'));
    folders.collect::<Vec<_>>().join(":")
}

fn is_inherited(name: &str) -> bool {
    INHERITED.contains(&name) || INHERITED_FAMILIES.iter().any(|family| name.starts_with(family))
}
