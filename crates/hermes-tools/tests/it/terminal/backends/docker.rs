//! Against a real container daemon with an image made from busybox.

use std::path::Path;
use std::process::Command;

use hermes_host::terminal::{BackendSettings, ContainerSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::conformance::conforms;
use super::started::{Server, busybox_root, done, program, until};
use crate::support::value;

pub(crate) struct Dockerd {
    server: Option<Server>,
    folder: tempfile::TempDir,
    pub(crate) host: String,
}

impl Dockerd {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let host = format!("unix://{}", at("s"));
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let server = Server::start(
            Command::new(program("dockerd"))
                .args([
                    "--data-root",
                    &at("data"),
                    "--exec-root",
                    &at("exec"),
                    "--pidfile",
                    &at("pid"),
                    "-H",
                    &host,
                ])
                .args(["--iptables=false", "--ip6tables=false", "--bridge=none", "--storage-driver=vfs"])
                .stdout(log.try_clone().unwrap())
                .stderr(log),
        );
        let daemon = Dockerd { server: Some(server), folder, host };
        until("dockerd", || daemon.docker(&["version"]).output().is_ok_and(|output| output.status.success()));
        daemon.import();
        daemon
    }

    fn docker(&self, arguments: &[&str]) -> Command {
        let mut docker = Command::new(program("docker"));
        docker.args(["-H", &self.host]).args(arguments);
        docker
    }

    /// No registry can be reached: the image is one static program and links to it.
    fn import(&self) {
        let root = self.folder.path().join("image");
        busybox_root(&root);
        let tar = self.folder.path().join("image.tar");
        done(Command::new("tar").arg("-C").arg(&root).arg("-cf").arg(&tar).arg("."));
        done(self.docker(&["import"]).arg(&tar).arg("hermes-test"));
    }

    pub(crate) fn settings(&self, network: bool) -> TerminalSettings {
        let container = ContainerSettings {
            image: Some("hermes-test".into()),
            cwd: "/root".into(),
            network,
            memory_mb: 256,
            ..ContainerSettings::default()
        };
        TerminalSettings { backend: BackendSettings::Docker(container), ..TerminalSettings::default() }
    }
}

impl Drop for Dockerd {
    fn drop(&mut self) {
        if let Ok(listed) = self.docker(&["ps", "-aq"]).output() {
            for id in String::from_utf8_lossy(&listed.stdout).lines() {
                let _ = self.docker(&["rm", "-f", id]).output();
            }
        }
        drop(self.server.take());
    }
}

#[tokio::test]
async fn a_container() {
    let daemon = Dockerd::start();
    let runtime = |network| {
        TestRuntime::builder().env("DOCKER_HOST", &daemon.host).terminal(daemon.settings(network)).build()
    };
    let test = runtime(false).await;
    conforms(&test, "docker", "sha256:").await;

    let inside = value(
        test.call(
            "terminal",
            json!({"command": "grep -E 'CapEff|NoNewPrivs' /proc/self/status; touch /root/kept; hostname"}),
        )
        .await,
    );
    let text = inside["output"].as_str().unwrap();
    assert!(text.contains("CapEff:\t0000000000000000") && text.contains("NoNewPrivs:\t1"), "{text}");
    let container = text.lines().last().unwrap();
    assert!(inside["ran"]["identity"].as_str().unwrap().starts_with(container), "{inside}");
    let again = value(test.call("terminal", json!({"command": "ls /root; hostname"})).await);
    assert_eq!(again["output"], json!(format!("kept\n{container}")), "not the same container");
    let other = value(test.session("other").call("terminal", json!({"command": "ls /root"})).await);
    assert_eq!(other["output"], json!(""), "sessions share a container");

    done(&mut daemon.docker(&["kill", container]));
    let back = value(test.call("terminal", json!({"command": "ls /root"})).await);
    assert_eq!(back["output"], json!("kept"), "a stopped container is started again");
    assert!(test.host().terminals.check().await.unwrap().contains("hermes-test"));
    assert_eq!(test.host().terminals.clean().await, Ok(2));
    assert_eq!(done(&mut daemon.docker(&["ps", "-aq"])), "");
    assert!(!Path::new("/root/kept").exists());
}
