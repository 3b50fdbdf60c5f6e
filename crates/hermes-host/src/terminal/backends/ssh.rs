//! Commands on another machine, by OpenSSH's own client: one connection that all commands share, the host's
//! key checked against what the user knows.
//!
//! The connection is a process of ours (`ssh -M -N`) that ends with us. A command that is ended is ended on the
//! other side too, by the name that all its processes bear.

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::Mutex;

use super::contract::{Backend, Job, Prepared, with_hint};
use super::programs::Vendor;
use super::sockets::Sockets;
use super::{ended_there, other_side};
use crate::env::Env;
use crate::process::{Child, Launch, Stream};
use crate::terminal::job::Place;
use crate::terminal::settings::SshSettings;

/// Why a host is not talked to that was known by another key.
const ANOTHER_KEY: &str = "the host shows another key than the one it is known by";
const CONNECT: Duration = Duration::from_secs(15);
/// How long it may take to end a command there.
const END: Duration = Duration::from_secs(60);

/// Another machine.
pub(in crate::terminal) struct Ssh {
    settings: SshSettings,
    vendor: Result<Vendor, String>,
    sockets: Sockets,
    connection: Mutex<Option<Connection>>,
}

struct Connection {
    /// Ends with us.
    master: Child,
    /// Its name in the folder of sockets.
    socket: String,
    /// The host's key, as a fingerprint.
    host_key: String,
}

impl Ssh {
    pub(in crate::terminal) fn new(settings: SshSettings, env: &Env, hermes_home: &Path) -> Self {
        let sockets = Sockets::of(hermes_home);
        let vendor = Vendor::find(&["ssh"], env, &["SSH_AUTH_SOCK"]).map(|ssh| ssh.within(sockets.folder()));
        Ssh { settings, vendor, sockets, connection: Mutex::new(None) }
    }

    fn vendor(&self) -> Result<&Vendor, ToolError> {
        self.vendor.as_ref().map_err(|reason| {
            unavailable(reason).with_hint("Install OpenSSH's client, or set terminal.env_type to local.")
        })
    }

    fn destination(&self) -> Result<String, ToolError> {
        let host = self.settings.host.as_deref().filter(|host| !host.is_empty() && !host.starts_with('-'));
        let host = host.ok_or_else(|| {
            let hint = "Set terminal.ssh_host, for instance to build.example.org.";
            ToolError { retryable: false, ..unavailable("terminal.ssh_host is not set") }.with_hint(hint)
        })?;
        Ok(self.settings.user.as_ref().map_or_else(|| host.to_owned(), |user| format!("{user}@{host}")))
    }

    fn options(&self, socket: &str) -> Vec<String> {
        let mut options: Vec<String> = [
            "BatchMode=yes",
            "StrictHostKeyChecking=yes",
            "ConnectTimeout=10",
            "ServerAliveInterval=15",
            "ForwardAgent=no",
            "ForwardX11=no",
            "PermitLocalCommand=no",
            "LogLevel=ERROR",
        ]
        .iter()
        .flat_map(|option| ["-o".to_owned(), (*option).to_owned()])
        .collect();
        options.extend(["-S".to_owned(), socket.to_owned()]);
        if let Some(known_hosts) = &self.settings.known_hosts {
            options.extend(["-o".to_owned(), format!("UserKnownHostsFile={}", known_hosts.display())]);
        }
        if let Some(key) = &self.settings.key {
            options.extend(["-i".to_owned(), key.display().to_string()]);
            options.extend(["-o".to_owned(), "IdentitiesOnly=yes".to_owned()]);
        }
        options.extend(self.settings.port.iter().flat_map(|port| ["-p".to_owned(), port.to_string()]));
        options
    }

    /// The shared connection, made where there is none or where it broke.
    async fn connect(&self) -> Result<(String, String), ToolError> {
        let mut connection = self.connection.lock().await;
        if let Some(open) = connection.as_mut() {
            // Its end is known a moment after it; that nobody listens any more is known at once.
            let ended = tokio::time::timeout(Duration::ZERO, open.master.wait()).await.is_ok();
            if !ended && self.sockets.is_alive(&open.socket) {
                return Ok((open.socket.clone(), open.host_key.clone()));
            }
        }
        let made = self.open().await?;
        let shared = (made.socket.clone(), made.host_key.clone());
        *connection = Some(made);
        Ok(shared)
    }

    async fn open(&self) -> Result<Connection, ToolError> {
        let (vendor, destination) = (self.vendor()?, self.destination()?);
        let socket = self.sockets.new_name().map_err(|error| unavailable(&error.to_string()))?;
        let mut argv = vec![vendor.program.clone()];
        argv.extend(self.options(&socket));
        argv.extend(
            ["-v", "-M", "-N", "-o", "ControlPersist=no", "-o", "LogLevel=DEBUG1"].map(str::to_owned),
        );
        argv.extend(["--".to_owned(), destination]);
        let launch = Launch {
            stdin: Stream::Null,
            stdout: Stream::Null,
            ..Launch::new(argv, self.sockets.folder()).with_env(vendor.env().iter().cloned())
        };
        let mut master = Child::start(&launch).await.map_err(|reason| unavailable(&reason))?;
        let said = master.stderr.take().ok_or_else(|| unavailable("ssh says nothing"))?;
        let connecting = tokio::time::timeout(CONNECT, listen(said, self.sockets.folder().join(&socket)));
        match connecting.await {
            Ok(Ok(host_key)) => Ok(Connection { master, socket, host_key }),
            Ok(Err(reason)) => Err(refused(&reason)),
            Err(_) => Err(unavailable("the host did not answer in time")),
        }
    }
}

/// Follows what the client says until the connection stands. Its further words are read and dropped, so that it
/// is never held up.
async fn listen(said: tokio::net::unix::pipe::Receiver, socket: PathBuf) -> Result<String, String> {
    let mut lines = BufReader::new(said).lines();
    let (mut host_key, mut last, mut is_another) = (String::new(), String::new(), false);
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some((_, key)) = line.split_once("Server host key: ") {
            key.trim().clone_into(&mut host_key);
        }
        is_another |= line.contains("HOST IDENTIFICATION HAS CHANGED");
        if line.contains("Entering interactive session") {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            while !socket.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            return Ok(host_key);
        }
        if !line.starts_with("debug1:") && !line.trim().is_empty() {
            last = line;
        }
    }
    Err(if is_another { format!("{ANOTHER_KEY}: {last}") } else { last })
}

impl Backend for Ssh {
    fn first_folder(&self) -> Option<&str> {
        Some("~")
    }

    /// A shell over there reads them byte by byte, for every command.
    fn most_kept(&self) -> (usize, usize) {
        (48 * 1024, 64 * 1024)
    }

    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>> {
        Box::pin(async move {
            let (socket, host_key) = self.connect().await?;
            let (vendor, destination) = (self.vendor()?, self.destination()?);
            let mut argv = vec![vendor.program.clone()];
            // The shared connection ends with us; what may outlive us has its own.
            argv.extend(self.options(if job.lasts { "none" } else { &socket }));
            argv.push(if job.pty { "-tt".to_owned() } else { "-T".to_owned() });
            argv.extend(["--".to_owned(), destination.clone(), other_side::line(&job)]);
            let launch = other_side::client(argv, vendor.env(), &job);
            let launch = Launch { cwd: self.sockets.folder().to_owned(), ..launch };
            let identity = Some(format!("{destination} {host_key}"));
            let place = Place { backend: "ssh", sandbox: "none", identity, ..Place::default() };
            Ok(Prepared { launch, input: other_side::input(&job), place })
        })
    }

    fn end<'a>(&'a self, _session: &'a str, mark: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let (Ok((socket, _)), Ok(vendor), Ok(destination)) =
                (self.connect().await, self.vendor(), self.destination())
            else {
                return false;
            };
            let mut arguments = self.options(&socket);
            arguments.extend(["-T".to_owned(), "--".to_owned(), destination, ended_there::end_line(mark)]);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            ended_there::is_done(vendor.ask(&arguments, END).await)
        })
    }

    fn check(&self) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async move {
            let (_, host_key) = self.connect().await.map_err(|error| with_hint(&error))?;
            let destination = self.destination().map_err(|error| with_hint(&error))?;
            Ok(format!("{destination} {host_key}"))
        })
    }
}

fn unavailable(reason: &str) -> ToolError {
    ToolError::new(ErrorCode::Unavailable, format!("the ssh backend cannot be used: {reason}"))
}

fn refused(reason: &str) -> ToolError {
    let error = unavailable(reason);
    if reason.contains(ANOTHER_KEY) {
        return error.for_good().with_hint(
            "Somebody may stand between you and the host. Ask whoever runs it for its new key; only if that is the one it \
             shows, take the old one out of the known hosts (ssh-keygen -R HOST) and connect once with ssh yourself.",
        );
    }
    if reason.contains("Host key verification failed") {
        return error
            .with_hint("Connect once with ssh yourself and check the host's key, so that it is known.");
    }
    if reason.contains("Permission denied") {
        let hint =
            "Nobody can type a password: set terminal.ssh_key, or have a key agent that the host accepts.";
        return ToolError { code: ErrorCode::Auth, ..error }.with_hint(hint);
    }
    error.with_hint(
        "Check terminal.ssh_host and terminal.ssh_port, and that a ssh server listens there; 'hermes backends check' tries \
         again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_keeps_the_host_from_being_reached_there_is_something_to_do_about_it() {
        for reason in [
            "ssh: connect to host 127.0.0.1 port 22: Connection refused",
            "ssh: Could not resolve hostname nowhere: Name or service not known",
            "Host key verification failed.",
            ANOTHER_KEY,
            "user@host: Permission denied (publickey).",
        ] {
            let error = refused(reason);
            assert!(error.message.contains(reason) && error.hint.is_some(), "{error:?}");
        }
    }
}
