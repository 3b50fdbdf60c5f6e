//! Code runs where the session's commands run, and says so.

use hermes_core::ErrorCode;
use hermes_host::terminal::{BackendSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{failure, value};
use crate::terminal::backends::{docker, ssh};

async fn ran(test: &TestRuntime, tool: &str, arguments: Value) -> Value {
    value(test.call(tool, arguments).await)
}

async fn output(test: &TestRuntime, command: &str) -> String {
    ran(test, "terminal", json!({"command": command})).await["output"].as_str().unwrap().to_owned()
}

/// Nothing is left of it there: not the folder that the code named, and no process.
async fn nothing_is_left(test: &TestRuntime, done: &Value, seconds: u32) {
    let folder = done["output"].as_str().unwrap();
    assert!(folder.starts_with("/tmp/hermes-") && !folder.contains('\n'), "{done}");
    assert_eq!(output(test, &format!("ls -d {folder} 2>/dev/null")).await, "");
    // The looking itself must not be found.
    let line = format!(
        "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'sleep [3]{}'",
        seconds - 30_000_000
    );
    assert_eq!(output(test, &line).await, "");
}

#[tokio::test]
async fn on_another_machine() {
    let sshd = ssh::Sshd::start();
    let folder = sshd.folder.path().canonicalize().unwrap().join("code-there");
    std::fs::create_dir(&folder).unwrap();
    let folder = folder.display().to_string();
    let settings = TerminalSettings { cwd: Some(folder.clone()), ..sshd.settings("known") };
    let test = TestRuntime::builder().terminal(settings).build().await;
    output(&test, "export MET=there").await;
    let code = "import os\nfrom hermes_tools import write_file, terminal, call, ToolError\n\
        print(os.getcwd(), os.environ['MET'], os.environ['SSH_CONNECTION'] != '')\n\
        write_file('f', 'x' * 300_000)\nprint(os.path.getsize('f'))\n\
        print(terminal('cat f | wc -c')['output'])\n\
        try:\n    call('nonsense')\nexcept ToolError as e:\n    print(e.code)\n\
        try:\n    input()\nexcept EOFError:\n    print('no input')\nraise SystemExit(3)";
    let done = ran(&test, "execute_code", json!({"code": code})).await;
    let expected = format!("{folder} there True\n300000\n300000\nnot_found\nno input");
    assert_eq!((&done["output"], &done["exit_code"]), (&json!(expected), &json!(3)), "{done}");
    assert_eq!((&done["ran"]["backend"], &done["tool_calls_made"]), (&json!("ssh"), &json!(3)), "{done}");
    assert!(done["ran"]["identity"].as_str().unwrap().contains("SHA256:"), "{done}");

    let js = "const { terminal } = require('hermes_tools');\nconsole.log((await terminal({ command: 'pwd' })).output);";
    let done = ran(&test, "execute_code", json!({"code": js, "language": "javascript"})).await;
    assert_eq!((&done["output"], &done["exit_code"]), (&json!(folder), &json!(0)), "{done}");
    let sh = "hermes_tool terminal '{\"command\": \"pwd\"}' | grep -o '\"exit_code\":0'; cat; exit 4";
    let done = ran(&test, "execute_code", json!({"code": sh, "language": "shell"})).await;
    assert_eq!((&done["output"], &done["exit_code"]), (&json!("\"exit_code\":0"), &json!(4)), "{done}");

    let seconds = 31_000_000 + std::process::id();
    let leaves = format!(
        "import os, subprocess\nsubprocess.Popen(['setsid', 'sleep', '{seconds}'], env={{}})\nprint(os.environ['HERMES_CODE'], flush=True)"
    );
    let private = "import os\nfacts = os.stat(os.environ['HERMES_CODE'])\nprint(oct(facts.st_mode), facts.st_uid == os.getuid())";
    let done = ran(&test, "execute_code", json!({"code": private})).await;
    assert_eq!(done["output"], json!("0o40700 True"), "{done}");
    let done = ran(&test, "execute_code", json!({"code": leaves})).await;
    nothing_is_left(&test, &done, seconds).await;
    let stuck = format!("{leaves}\nwhile True: pass");
    let done = ran(&test, "execute_code", json!({"code": stuck, "timeout": 5})).await;
    assert_eq!(done["exit_code"], json!(124), "{done}");
    nothing_is_left(&test, &done, seconds).await;
}

#[tokio::test]
async fn an_interpreter_stays_on_another_machine() {
    let sshd = ssh::Sshd::start();
    let test = TestRuntime::builder().terminal(sshd.settings("known")).build().await;
    let there = "import os\nx = 20\nos.environ['SSH_CONNECTION'] != ''";
    let first = ran(&test, "repl", json!({"code": there})).await;
    assert_eq!((&first["result"], &first["ran"]["backend"]), (&json!("True"), &json!("ssh")), "{first}");
    assert_eq!(ran(&test, "repl", json!({"code": "x + 1"})).await["result"], json!("21"));
    let js = json!({"code": "const y = 2; y * 2", "language": "node", "session_id": "js"});
    assert_eq!(ran(&test, "repl", js).await["result"], json!("4"));
    let stuck = json!({"code": "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass", "timeout": 1});
    assert_eq!(failure(test.call("repl", stuck).await).code, ErrorCode::Timeout);
    assert_eq!(ran(&test, "repl", json!({"code": "'x' in globals()"})).await["result"], json!("False"));
    let named = ran(&test, "repl", json!({"code": "import os\nos.environ['HERMES_CODE']"})).await;
    let folder = named["result"].as_str().unwrap().to_owned();
    assert!(folder.starts_with("'/tmp/hermes-"), "{named}");
    ran(&test, "repl", json!({"action": "close"})).await;
    while !output(&test, &format!("ls -d {folder} 2>/dev/null")).await.is_empty() {}
}

/// The image has no interpreter of its own, so it gets the programs of this machine, to be read only.
#[tokio::test]
async fn in_a_container() {
    let daemon = docker::Dockerd::start();
    let mut settings = daemon.settings(false);
    if let BackendSettings::Docker(container) = &mut settings.backend {
        container.mounts = ["/usr", "/lib", "/lib64"].map(|place| format!("{place}:{place}:ro")).to_vec();
    }
    let test = TestRuntime::builder().env("DOCKER_HOST", &daemon.host).terminal(settings).build().await;
    output(&test, "export MET=inside").await;
    let code = "import os, socket\nfrom hermes_tools import write_file, terminal\n\
        print(os.getcwd(), os.environ['MET'], os.path.exists('/.dockerenv'))\n\
        write_file('f', 'x' * 300_000)\nprint(os.path.getsize('f'), terminal('wc -c < f')['output'])\n\
        try:\n    socket.create_connection(('10.0.0.1', 80), 1)\nexcept OSError:\n    print('no network')";
    let done = ran(&test, "execute_code", json!({"code": code})).await;
    let expected = "/root inside True\n300000 300000\nno network";
    assert_eq!((&done["output"], &done["exit_code"]), (&json!(expected), &json!(0)), "{done}");
    assert_eq!((&done["ran"]["backend"], &done["tool_calls_made"]), (&json!("docker"), &json!(2)), "{done}");
    assert!(done["ran"]["identity"].as_str().unwrap().contains("sha256:"), "{done}");
    let sh = json!({"code": "hermes_tool terminal '{\"command\": \"pwd\"}' | grep -o '\"exit_code\":0'; exit 4", "language": "shell"});
    let done = ran(&test, "execute_code", sh).await;
    assert_eq!((&done["output"], &done["exit_code"]), (&json!("\"exit_code\":0"), &json!(4)), "{done}");

    let seconds = 31_000_000 + std::process::id();
    let stuck = format!(
        "import os, subprocess\nsubprocess.Popen(['setsid', 'sleep', '{seconds}'])\n\
         print(os.environ['HERMES_CODE'], flush=True)\nwhile True: pass"
    );
    let done = ran(&test, "execute_code", json!({"code": stuck, "timeout": 5})).await;
    assert_eq!(done["exit_code"], json!(124), "{done}");
    nothing_is_left(&test, &done, seconds).await;

    ran(&test, "repl", json!({"code": "import os\nx = os.path.exists('/.dockerenv')"})).await;
    let kept = ran(&test, "repl", json!({"code": "x"})).await;
    assert_eq!((&kept["result"], &kept["ran"]["backend"]), (&json!("True"), &json!("docker")), "{kept}");
    assert_eq!(std::fs::read_dir(test.workspace()).unwrap().count(), 0, "something was done here");
}

/// The image has no interpreter but a shell: that is said, and nothing runs here instead.
#[tokio::test]
async fn what_is_not_there_is_not_run_here() {
    let daemon = docker::Dockerd::start();
    let builder = TestRuntime::builder().env("DOCKER_HOST", &daemon.host);
    let test = builder.terminal(daemon.settings(false)).build().await;
    for language in ["python", "javascript", "shell"] {
        let code = json!({"code": "open('ran', 'w')", "language": language});
        let error = failure(test.call("execute_code", code).await);
        assert_eq!(error.code, ErrorCode::Unavailable, "{error}");
        assert!(error.message.ends_with("is not where the commands of the docker backend run"), "{error}");
    }
    assert!(!test.path("ran").exists());
}
