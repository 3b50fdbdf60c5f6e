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

/// Where the serving side ends, its client does too, with a code of its own.
#[tokio::test]
async fn a_lost_server_is_no_end() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 90_500_000 + std::process::id();
    let command = format!("echo up $PPID; sleep {seconds}");
    let arguments = json!({"command": command, "background": true, "notify_on_complete": true});
    let id = value(test.call("terminal", arguments).await)["session_id"].as_str().unwrap().to_owned();
    let act = |action: &str| test.call("process", json!({"action": action, "session_id": id}));
    while !value(act("poll").await)["output"].as_str().unwrap().contains("up") {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    // Who serves it is above who stays with it: the last two of the server's own that lead to it.
    let sleeper = done(Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]));
    let parent = |of: &str| done(Command::new("ps").args(["-o", "ppid=", "-p", of])).trim().to_owned();
    let mut above = sleeper.trim().to_owned();
    while !done(Command::new("ps").args(["-o", "args=", "-p", &above])).starts_with("sshd") {
        above = parent(&above);
    }
    done(Command::new("kill").args(["-KILL", &above]));
    let waited = value(act("wait").await);
    assert_eq!((&waited["state"], waited.get("exit_code")), (&json!("unknown"), None), "{waited}");
    assert!(!waited.to_string().contains("\"ended\""), "{waited}");
    let killed = value(act("kill").await);
    assert_eq!((&killed["state"], &killed["exit_code"]), (&json!("exited"), &json!(255)), "{killed}");
    assert!(!Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).status().unwrap().success());
}

/// What forks and ends all the time is faster than anybody who looks through all processes; it ends nevertheless, and
/// nobody waits for it longer than for its command.
#[tokio::test]
async fn what_forks_away_all_the_time_ends_with_its_command() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 98_500_000 + std::process::id();
    let hopper = format!(
        "use POSIX; my $until = time() + 6; setsid; while (time() < $until) {{ fork and exit }} exec qw(sleep {seconds})"
    );
    let many =
        format!("for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do (perl -e '{hopper}' &); done; sleep 0.5");
    let begun = std::time::Instant::now();
    let at_once =
        value(test.call("terminal", json!({"command": format!("{many}; exit 3"), "timeout": 60})).await);
    assert_eq!(at_once["exit_code"], json!(3), "{at_once}");
    assert!(begun.elapsed().as_secs() < 30);
    let cut =
        value(test.call("terminal", json!({"command": format!("{many}; sleep 1000"), "timeout": 2})).await);
    assert_eq!(cut["exit_code"], json!(124), "{cut}");
    hermes_host::terminal::ended_elsewhere().await;
    tokio::time::sleep(std::time::Duration::from_secs(8)).await;
    let sleeping = Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&sleeping.stdout), "");
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

/// What gave its environment away and lost its parent is a child of the shell, so it ends with the command.
#[tokio::test]
async fn what_dropped_everything_ends_with_its_command() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 91_000_000 + std::process::id();
    let hostile = format!(
        "export LATE=1; for n in 1 2 3; do env -i setsid sh -c 'trap \"\" TERM; (exec env -i sleep {seconds} &) & sleep 0.1' & done; \
         for n in 1 2 3; do (env -i setsid -f sleep {seconds}); done; sleep 1000; touch went-on"
    );
    let cut = value(test.call("terminal", json!({"command": hostile, "timeout": 2})).await);
    assert_eq!(cut["exit_code"], json!(124), "{cut}");
    let sleeping = Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&sleeping.stdout), "");
    let after = value(test.call("terminal", json!({"command": "echo $LATE; ls went-on"})).await);
    assert!(
        after["output"].as_str().unwrap().starts_with("1\n") && after["exit_code"] != json!(0),
        "{after}"
    );
}

/// What killed its own shell has nobody above it but who stays with the command.
#[tokio::test]
async fn what_killed_its_shell_ends_with_it() {
    let sshd = Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let seconds = 95_000_000 + std::process::id();
    let hostile = format!(
        "env -i setsid sh -c 'trap \"\" TERM; (exec env -i sleep {seconds} &) & kill -KILL '$$'; sleep {seconds}'"
    );
    let ended = value(test.call("terminal", json!({"command": hostile, "timeout": 60})).await);
    assert_eq!(ended["exit_code"], json!(137), "{ended}");
    let sleeping = Command::new("pgrep").args(["-f", &format!("^sleep {seconds}")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&sleeping.stdout), "");
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
