use hermes_host::terminal::{BackendSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::edges::edges_hold;
use super::same::answers_are_the_same;
use crate::support::value;
use crate::terminal::backends::docker::Dockerd;

#[tokio::test]
async fn a_container() {
    let daemon = Dockerd::start();
    let (same, edges) = ("/srv/same", "/srv/edges");
    // Most of the time is spent waiting for the daemon, so both are waited for at once.
    let (here, there) = tokio::join!(in_container(&daemon, same), in_container(&daemon, edges));
    tokio::join!(answers_are_the_same(&here, same, "docker", "sha256:"), edges_hold(&there, edges));
}

async fn in_container(daemon: &Dockerd, work: &str) -> TestRuntime {
    let mut settings: TerminalSettings = daemon.settings(false);
    if let BackendSettings::Docker(container) = &mut settings.backend {
        work.clone_into(&mut container.cwd);
    }
    let test = TestRuntime::builder().env("DOCKER_HOST", &daemon.host).terminal(settings).build().await;
    let make = json!({"command": format!("mkdir -p {work}"), "workdir": "/"});
    value(test.call("terminal", make).await);
    test
}
