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
    for (name, same) in [("same", true), ("edges", false)] {
        let work = format!("/srv/{name}");
        let mut settings: TerminalSettings = daemon.settings(false);
        if let BackendSettings::Docker(container) = &mut settings.backend {
            container.cwd.clone_from(&work);
        }
        let test = TestRuntime::builder().env("DOCKER_HOST", &daemon.host).terminal(settings).build().await;
        let make = json!({"command": format!("mkdir -p {work}"), "workdir": "/"});
        value(test.call("terminal", make).await);
        match same {
            true => answers_are_the_same(&test, &work, "docker", "sha256:").await,
            false => edges_hold(&test, &work).await,
        }
    }
}
