//! A place that is not there is an error that says what to do, never a run somewhere else.

use hermes_core::ErrorCode;
use hermes_host::terminal::{BackendSettings, ContainerSettings, SshSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::failure;

#[tokio::test]
async fn nothing_runs_here_instead() {
    let container = ContainerSettings { image: Some("nothing".into()), ..ContainerSettings::default() };
    let places = [
        BackendSettings::Ssh(SshSettings {
            host: Some("127.0.0.1".into()),
            port: Some(1),
            ..SshSettings::default()
        }),
        BackendSettings::Ssh(SshSettings::default()),
        BackendSettings::Docker(container.clone()),
        BackendSettings::Podman(container.clone()),
        BackendSettings::Singularity(container.clone()),
        BackendSettings::Modal(container),
    ];
    for backend in places {
        let settings = TerminalSettings { backend: backend.clone(), ..TerminalSettings::default() };
        let test = TestRuntime::builder()
            .env("DOCKER_HOST", "unix:///no/such/socket")
            .terminal(settings)
            .build()
            .await;
        for background in [false, true] {
            let arguments = json!({"command": "touch here", "background": background});
            let error = failure(test.call("terminal", arguments).await);
            assert_eq!(error.code, ErrorCode::Unavailable, "{backend:?}: {error}");
            assert!(error.message.contains("backend cannot be used"), "{}", error.message);
        }
        for (tool, arguments) in [
            ("write_file", json!({"path": "here", "content": "x"})),
            ("read_file", json!({"path": "/etc/hostname"})),
            ("search_files", json!({"pattern": "x"})),
        ] {
            let error = failure(test.call(tool, arguments).await);
            assert_eq!(error.code, ErrorCode::Unavailable, "{backend:?} {tool}: {error}");
            assert!(error.message.contains("backend cannot be used"), "{}", error.message);
        }
        assert!(!test.path("here").exists());
        assert!(test.host().terminals.check().await.is_err());
    }
}
