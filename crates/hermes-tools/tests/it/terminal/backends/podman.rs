//! Against podman itself, with storage of its own and an image made from busybox.

use std::path::Path;
use std::process::Command;

use hermes_host::terminal::{BackendSettings, ContainerSettings, TerminalSettings};
use hermes_testkit::TestRuntime;

use super::conformance::conforms;
use super::started::{busybox_root, done, program};

struct Podman {
    folder: tempfile::TempDir,
}

impl Podman {
    fn start() -> Self {
        let podman = Podman { folder: tempfile::tempdir().unwrap() };
        let at = |name: &str| podman.at(name);
        // Without privileges beyond those of a container: nothing may be raised, and no service manager is asked.
        let storage = format!(
            "[storage]\ndriver = \"vfs\"\ngraphroot = {:?}\nrunroot = {:?}\n",
            at("graph"),
            at("run")
        );
        let engine = "[containers]\ndefault_ulimits = [\"nofile=1024:1024\", \"nproc=4096:4096\"]\n[engine]\n\
                      runtime = \"runc\"\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\n";
        std::fs::write(at("storage.conf"), storage).unwrap();
        std::fs::write(at("containers.conf"), engine).unwrap();
        busybox_root(Path::new(&at("image")));
        done(Command::new("tar").args(["-C", &at("image"), "-cf", &at("image.tar"), "."]));
        done(&mut podman.command(&["import", &at("image.tar"), "hermes-test"]));
        podman
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn variables(&self) -> [(&'static str, String); 2] {
        [
            ("CONTAINERS_STORAGE_CONF", self.at("storage.conf")),
            ("CONTAINERS_CONF", self.at("containers.conf")),
        ]
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut podman = Command::new(program("podman"));
        podman.envs(self.variables()).args(arguments);
        podman
    }
}

impl Drop for Podman {
    fn drop(&mut self) {
        let _ = self.command(&["rm", "-f", "--all"]).output();
    }
}

#[tokio::test]
async fn a_container_without_a_daemon() {
    // Both are parts of it that its package only recommends.
    for part in ["runc", "catatonit"] {
        program(part);
    }
    let podman = Podman::start();
    let container = ContainerSettings {
        image: Some("hermes-test".into()),
        network: false,
        memory_mb: 256,
        ..ContainerSettings::default()
    };
    let settings =
        TerminalSettings { backend: BackendSettings::Podman(container), ..TerminalSettings::default() };
    let builder = podman
        .variables()
        .into_iter()
        .fold(TestRuntime::builder(), |builder, (name, value)| builder.env(name, &value));
    let test = builder.terminal(settings).build().await;
    let id = done(&mut podman.command(&["image", "inspect", "--format", "{{.Id}}", "hermes-test"]));
    conforms(&test, "podman", id.trim()).await;
    assert!(test.host().terminals.check().await.unwrap().contains("hermes-test"));
}
