//! Against a real OpenSSH server on the loopback.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use hermes_core::ErrorCode;
use hermes_host::terminal::{BackendSettings, SshSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::conformance::conforms;
use super::started::{Server, done, program, until};
use crate::support::failure;

pub(crate) struct Sshd {
    _server: Server,
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
        Sshd { _server: server, folder, port, fingerprint }
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

#[tokio::test]
async fn a_host_with_another_key_is_not_talked_to() {
    let sshd = Sshd::start();
    let other = std::fs::read_to_string(sshd.folder.path().join("user.pub")).unwrap();
    std::fs::write(sshd.folder.path().join("wrong"), format!("[127.0.0.1]:{} {other}", sshd.port)).unwrap();
    std::fs::write(sshd.folder.path().join("nobody"), "").unwrap();
    for known in ["wrong", "nobody"] {
        let test = TestRuntime::builder().terminal(sshd.settings(known)).build().await;
        let error = failure(test.call("terminal", json!({"command": "touch ran-locally"})).await);
        assert_eq!(error.code, ErrorCode::Unavailable, "{error}");
        assert!(error.hint.unwrap_or_default().contains("key"), "{known}: {}", error.message);
        assert!(!Path::new("ran-locally").exists() && !test.path("ran-locally").exists());
    }
}
