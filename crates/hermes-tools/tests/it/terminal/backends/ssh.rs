//! Against a real OpenSSH server on the loopback.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use hermes_core::ErrorCode;
use hermes_host::terminal::{BackendSettings, SshSettings, Status, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::conformance::conforms;
use super::started::{Server, done, program, until};
use crate::support::{failure, value};

pub(crate) struct Sshd {
    pub(super) server: Server,
    pub(crate) folder: tempfile::TempDir,
    port: u16,
    fingerprint: String,
}

impl Sshd {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let keygen = program("ssh-keygen");
        for name in ["host", "user"] {
            done(Command::new(&keygen).args(["-q", "-t", "ed25519", "-N", "", "-f", &at(name)]));
        }
        std::fs::copy(folder.path().join("user.pub"), folder.path().join("authorized")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let host_key = std::fs::read_to_string(folder.path().join("host.pub")).unwrap();
        std::fs::write(folder.path().join("known"), format!("[127.0.0.1]:{port} {host_key}")).unwrap();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nStrictModes no\n\
             UsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\nSetEnv HOME={}\n",
            at("host"),
            at("authorized"),
            // The start files of whoever runs the tests are none of their business.
            folder.path().display()
        );
        std::fs::write(folder.path().join("config"), config).unwrap();
        // Where the server puts its less privileged half.
        let _ = std::fs::create_dir_all("/run/sshd");
        let server = Server::start(Command::new(program("sshd")).args([
            "-D",
            "-e",
            "-f",
            &at("config"),
            "-E",
            &at("log"),
        ]));
        until("sshd", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
        let line = done(Command::new(&keygen).args(["-l", "-f", &at("host.pub")]));
        let fingerprint = line.split_whitespace().nth(1).unwrap().to_owned();
        Sshd { server, folder, port, fingerprint }
    }

    pub(crate) fn settings(&self, known: &str) -> TerminalSettings {
        let at = |name: &str| self.folder.path().join(name);
        let user = done(Command::new("id").arg("-un")).trim().to_owned();
        TerminalSettings {
            backend: BackendSettings::Ssh(SshSettings {
                host: Some("127.0.0.1".into()),
                user: Some(user),
                port: Some(self.port),
                key: Some(at("user")),
                known_hosts: Some(at(known)),
            }),
            ..TerminalSettings::default()
        }
    }
}

#[tokio::test]
async fn another_machine() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    conforms(&test, "ssh", &sshd.fingerprint).await;
    assert!(test.host().terminals.check().await.unwrap().contains(&sshd.fingerprint));
}

/// A command in the background has a connection of its own, which does not end with the shared one, and is ended
/// over there even where that one was lost.
#[tokio::test]
async fn a_command_in_the_background_outlives_the_connection() {
    let sshd = Sshd::start();
    // What the host adds to its variables is added once.
    std::fs::write(sshd.folder.path().join(".bashrc"), "PATH=$PATH:/added\n").unwrap();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    for _ in 0..3 {
        let path = value(test.call("terminal", json!({"command": "echo $PATH"})).await);
        assert_eq!(path["output"].as_str().unwrap().matches("/added").count(), 1, "{path}");
    }
    let seconds = 90_000_000 + std::process::id();
    let command = format!("echo up; sleep {seconds}");
    let command = json!({"command": command, "background": true, "notify_on_complete": true});
    let id = value(test.call("terminal", command).await)["session_id"].as_str().unwrap().to_owned();
    let poll = || test.call("process", json!({"action": "poll", "session_id": id}));
    while !value(poll().await)["output"].as_str().unwrap().contains("up") {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let sleeping = || {
        let found = Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).output().unwrap();
        !found.stdout.is_empty()
    };
    let shared = format!(" -p {} -v -M -N ", sshd.port);
    done(Command::new("pkill").args(["-KILL", "-f", &shared]));
    // It is ended a moment after it was told to.
    while Command::new("pgrep").args(["-f", &shared]).output().unwrap().status.success() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let still = value(test.call("terminal", json!({"command": "echo there"})).await);
    assert_eq!(still["output"], json!("there"), "{still}");
    assert_eq!(value(poll().await)["state"], json!("running"));
    assert!(sleeping());
    // Now its own client is lost as well.
    done(Command::new("pkill").args([
        "-KILL",
        "-f",
        &format!("^{} .* -S none .* -p {} ", program("ssh"), sshd.port),
    ]));
    let mut lost = value(poll().await);
    while lost["state"] == json!("running") {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        lost = value(poll().await);
    }
    assert!(sleeping());
    // Nobody here knows what became of it, and nobody says that it ended.
    assert_eq!((&lost["state"], lost.get("exit_code")), (&json!("unknown"), None), "{lost}");
    assert!(lost["note"].as_str().unwrap().contains("may still run there"), "{lost}");
    assert_eq!(lost["events"], json!([{"event": "connection_lost", "session_id": id}]), "{lost}");
    assert_eq!(test.host().terminals.all_processes().first().unwrap().1, Status::OutOfSight);
    test.host().terminals.end_any(&id).await.unwrap();
    assert!(!sleeping(), "still running");
    let ended = value(poll().await);
    assert_eq!((&ended["state"], ended.get("note")), (&json!("exited"), None), "{ended}");
}

/// Its client may still be on its way when it is ended; what arrives then does nothing.
#[tokio::test]
async fn a_command_that_is_ended_before_it_begins_never_does() {
    let sshd = Sshd::start();
    let seconds = 97_000_000 + std::process::id();
    // The command arrives, and is held up before it begins; whoever ends it is not.
    let held = format!(
        "case $BASH_EXECUTION_STRING in *'sleep {seconds}'*) until [ -e ~/go ]; do sleep 0.05; done;; esac\n"
    );
    std::fs::write(sshd.folder.path().join(".bashrc"), held).unwrap();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let command = format!("touch ran; sleep {seconds}");
    let started = value(test.call("terminal", json!({"command": command, "background": true})).await);
    let id = started["session_id"].as_str().unwrap().to_owned();
    let ended = value(test.call("process", json!({"action": "kill", "session_id": id})).await);
    assert_eq!(ended["state"], json!("exited"), "{ended}");
    std::fs::write(sshd.folder.path().join("go"), "").unwrap();
    let is_there =
        || Command::new("pgrep").args(["-f", &format!("sleep {seconds}")]).output().unwrap().status.success();
    let ran = || sshd.folder.path().join("ran").exists();
    while is_there() && !ran() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    // One that ran goes on until somebody ends it.
    test.host().terminals.end_any(&id).await.unwrap();
    assert!(!ran(), "it began after all");
}

/// Values that lie over there for a command on a terminal are taken away where it does not get so far.
#[tokio::test]
async fn a_command_that_did_not_start_leaves_no_values() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let kept = format!("left-{}", std::process::id());
    // No command can be written down here.
    std::fs::write(test.host().home.join("processes"), "").unwrap();
    let arguments = json!({"command": "true", "pty": true, "background": true, "env": {"LEFT": kept}});
    let error = failure(test.call("terminal", arguments).await);
    assert_eq!(error.code, ErrorCode::Internal, "{error}");
    hermes_host::terminal::ended_elsewhere().await;
    let folders = std::fs::read_dir("/tmp").unwrap().flatten().map(|folder| folder.path().join("variables"));
    let left: Vec<_> = folders
        .filter(|file| std::fs::read_to_string(file).is_ok_and(|variables| variables.contains(&kept)))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Commands and file tools take the first folder for the session's own, and no other.
#[tokio::test]
async fn the_first_folder_is_the_sessions_own() {
    let sshd = Sshd::start();
    let policy = std::sync::Arc::new(NoOtherFolder);
    let test = TestRuntime::builder().terminal(sshd.settings("known")).policy(policy).build().await;
    for command in ["touch made; mkdir -p sub .hidden", "cd sub; touch inner", "touch again; cd .."] {
        value(test.call("terminal", json!({"command": command})).await);
    }
    value(test.call("terminal", json!({"command": "touch made", "background": true})).await);
    assert!(sshd.folder.path().join("sub/again").exists());
    for outside in ["/", "~/.hidden"] {
        let arguments = json!({"command": "touch x", "workdir": outside});
        assert_eq!(
            failure(test.call("terminal", arguments).await).code,
            ErrorCode::PermissionDenied,
            "{outside}"
        );
    }
    value(test.call("terminal", json!({"command": "export HOME=/usr"})).await);
    let arguments = json!({"command": "touch x", "workdir": "/usr"});
    assert_eq!(failure(test.call("terminal", arguments).await).code, ErrorCode::PermissionDenied);

    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    value(test.call("write_file", json!({"path": "written", "content": "x"})).await);
    assert!(sshd.folder.path().join("written").exists());
    let hidden = test.call("write_file", json!({"path": ".hidden/x", "content": "x"})).await;
    assert_eq!(failure(hidden).code, ErrorCode::PermissionDenied);
}

/// Refuses every command that is judged somewhere else than in the session's folder.
#[derive(Debug)]
struct NoOtherFolder;

impl hermes_core::Policy for NoOtherFolder {
    fn decide(&self, request: &hermes_core::AccessRequest<'_>) -> hermes_core::Decision {
        let texts: Vec<String> = request.access.iter().map(ToString::to_string).collect();
        // That is how it begins where it runs elsewhere; the folder of a test is called that.
        let outside = texts.iter().any(|text| text.contains("cd '") && !text.contains("/work"));
        let verdict = if outside { hermes_core::Verdict::Deny } else { hermes_core::Verdict::Allow };
        hermes_core::Decision::new(verdict, "test", "test")
    }
}

#[tokio::test]
async fn a_host_with_another_key_is_not_talked_to() {
    let sshd = Sshd::start();
    let other = std::fs::read_to_string(sshd.folder.path().join("user.pub")).unwrap();
    std::fs::write(sshd.folder.path().join("wrong"), format!("[127.0.0.1]:{} {other}", sshd.port)).unwrap();
    std::fs::write(sshd.folder.path().join("nobody"), "").unwrap();
    for (known, advice) in [("wrong", "new key"), ("nobody", "check the host's key")] {
        let test = TestRuntime::builder().terminal(sshd.settings(known)).build().await;
        let error = failure(test.call("terminal", json!({"command": "touch ran-locally"})).await);
        assert_eq!(error.code, ErrorCode::Unavailable, "{error}");
        assert!(error.hint.unwrap_or_default().contains(advice), "{known}: {}", error.message);
        assert!(!Path::new("ran-locally").exists() && !test.path("ran-locally").exists());
    }
}
