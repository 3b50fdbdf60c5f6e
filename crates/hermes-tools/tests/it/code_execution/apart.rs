//! Code and what it speaks through are its own: no command reaches them, and no program that it starts.

use std::path::Path;

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::value;

async fn python(test: &TestRuntime, code: &str) -> Value {
    value(test.call("execute_code", json!({"code": code})).await)
}

#[tokio::test]
async fn no_command_sees_or_changes_the_code_of_others() {
    let test = TestRuntime::new().await;
    let home = test.path("../home/.hermes");
    let home = home.canonicalize().unwrap();
    let folder = value(test.call("repl", json!({"code": "import os\nos.environ['HERMES_CODE']"})).await);
    let folder = folder["result"].as_str().unwrap().trim_matches('\'').to_owned();
    assert!(Path::new(&folder).starts_with(&home), "not where commands write: {folder}");
    let driver = format!("{folder}/driver.py");
    let before = std::fs::read(&driver).unwrap();
    let reach = format!(
        "cat {driver}; echo evil >> {driver}; ls -d /tmp/hermes-code-* {home}/code-*",
        home = home.display()
    );
    let reached = value(test.call("terminal", json!({"command": reach})).await);
    assert!(!reached["output"].as_str().unwrap().contains("import ast"), "{reached}");
    assert_ne!(reached["exit_code"], json!(0), "{reached}");
    let code = format!(
        "import glob, os\nprint(glob.glob('{}/code-*') == [os.environ['HERMES_CODE']])\nopen(__file__, 'a')",
        home.display()
    );
    let other = python(&test, &code).await;
    let text = other["output"].as_str().unwrap();
    assert!(text.starts_with("True\n") && text.contains("Read-only file system"), "{other}");
    assert_eq!(std::fs::read(&driver).unwrap(), before);
}

#[tokio::test]
async fn what_a_killed_process_left_is_taken_away_and_nothing_else() {
    let test = TestRuntime::new().await;
    let left = test.write("../home/.hermes/code-left/script.py", "x");
    let kept = test.write("../home/.hermes/codes/x", "x");
    value(test.call("repl", json!({"code": "1"})).await);
    python(&test, "print(1)").await;
    assert!(!left.exists() && kept.exists());
    assert_eq!(value(test.call("repl", json!({"code": "1 + 1"})).await)["result"], json!("2"));
    let entries = std::fs::read_dir(test.path("../home/.hermes")).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    assert_eq!(
        names.filter(|name| name.starts_with("code-")).count(),
        1,
        "that of the interpreter that stays"
    );
}

#[tokio::test]
async fn standard_input_is_empty_from_the_first_line_on() {
    let test = TestRuntime::new().await;
    let code = "import os, subprocess\nprint(os.readlink('/proc/self/fd/0'))\n\
        try:\n    input()\nexcept EOFError:\n    print('nothing')\n\
        print(subprocess.run(['cat'], capture_output=True, text=True).returncode)\n\
        print(subprocess.run(['python3', '-c', 'print(input())'], input='given', capture_output=True, text=True).stdout)\n\
        from hermes_tools import write_file\nprint(bool(write_file('x', 'y')))";
    let ran = python(&test, code).await;
    assert_eq!(ran["output"], json!("/dev/null\nnothing\n0\ngiven\n\nTrue"), "{ran}");
}

#[tokio::test]
async fn what_code_leaves_running_is_ended_and_said() {
    let test = TestRuntime::new().await;
    let ran = python(&test, "import subprocess\nsubprocess.Popen(['sleep', '1000'])\nprint('done')").await;
    assert_eq!(ran["output"], json!("done"), "{ran}");
    assert!(ran["note"].as_str().unwrap_or_default().starts_with("a process it left running"), "{ran}");
}
