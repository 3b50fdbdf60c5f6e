//! Interpreters that stay, through the whole pipeline.

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{code, value};

async fn eval(test: &TestRuntime, arguments: Value) -> Value {
    value(test.call("repl", arguments).await)
}

#[tokio::test]
async fn variables_stay_and_errors_are_data() {
    let test = TestRuntime::new().await;
    eval(&test, json!({"code": "import math\ndef double(x):\n    return 2 * x"})).await;
    let second = eval(&test, json!({"code": "print('hello')\ndouble(math.floor(3.7))"})).await;
    assert_eq!(
        (&second["output"], &second["result"], &second["execution_count"]),
        (&json!("hello"), &json!("6"), &json!(2))
    );
    let failed = eval(&test, json!({"code": "def f():\n    1 / 0\nf()"})).await;
    assert_eq!(failed["error"]["type"], json!("ZeroDivisionError"), "{failed}");
    assert_eq!(failed["error"]["traceback"], json!(["line 3, in <module>", "line 2, in f"]));
    let wrong = eval(&test, json!({"code": "if True:"})).await;
    assert!(wrong["error"]["type"].as_str().unwrap().ends_with("Error"), "{wrong}");
    let program =
        eval(&test, json!({"code": "import subprocess\n_ = subprocess.run(['echo', 'from a program'])"}))
            .await;
    assert_eq!(program["output"], json!("from a program"));
}

#[tokio::test]
async fn a_loop_is_interrupted_and_the_interpreter_stays() {
    let test = TestRuntime::new().await;
    eval(&test, json!({"code": "x = 7"})).await;
    let slow = eval(&test, json!({"code": "while True: pass", "timeout": 1})).await;
    assert_eq!(slow["error"]["type"], json!("TimeoutError"), "{slow}");
    assert_eq!(eval(&test, json!({"code": "x"})).await["result"], json!("7"));
    let stuck = "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass";
    assert_eq!(code(test.call("repl", json!({"code": stuck, "timeout": 1})).await), ErrorCode::Timeout);
    let anew = eval(&test, json!({"code": "'x' in globals()"})).await;
    assert_eq!(anew["result"], json!("False"));
}

#[tokio::test]
async fn names_languages_and_sessions_are_apart() {
    let test = TestRuntime::new().await;
    eval(&test, json!({"code": "x = 1"})).await;
    let js =
        json!({"code": "const y = 5; console.log('hi', y); y * 2", "language": "node", "session_id": "js"});
    let ran = eval(&test, js).await;
    assert_eq!((&ran["result"], &ran["output"]), (&json!("10"), &json!("hi 5")));
    let kept = eval(&test, json!({"code": "y + 1", "language": "node", "session_id": "js"})).await;
    assert_eq!(kept["result"], json!("6"));
    let looped = json!({"code": "while (true) {}", "language": "node", "session_id": "js", "timeout": 1});
    assert!(eval(&test, looped).await["error"]["message"].as_str().unwrap().contains("timed out"));
    assert_eq!(eval(&test, json!({"action": "list"})).await["sessions"], json!(["js", "main"]));
    let other = value(test.session("other").call("repl", json!({"code": "'x' in globals()"})).await);
    assert_eq!(other["result"], json!("False"));
    eval(&test, json!({"action": "reset"})).await;
    assert_eq!(eval(&test, json!({"code": "'x' in globals()"})).await["result"], json!("False"));
}

#[tokio::test]
async fn it_is_behind_the_same_walls() {
    let test = TestRuntime::new().await;
    let tried = "import os\ntry:\n    open('/etc/x', 'w')\nexcept OSError as e:\n    print(e.strerror)\nprint(open('/proc/self/status').read().split('CapEff:')[1].split()[0])";
    let ran = eval(&test, json!({"code": tried})).await;
    assert_eq!(ran["output"], json!("Read-only file system\n0000000000000000"));
}

#[tokio::test]
async fn an_interpreter_of_another_language_is_not_taken_for_it() {
    let test = TestRuntime::new().await;
    eval(&test, json!({"code": "x = 1", "language": "python"})).await;
    let other = test.call("repl", json!({"code": "const x = 2", "language": "node"})).await;
    assert_eq!(other.result.unwrap_err().code, hermes_core::ErrorCode::Conflict);
    assert_eq!(eval(&test, json!({"code": "x"})).await["result"], json!("1"));
    eval(&test, json!({"code": "var y = 3", "language": "node", "session_id": "js"})).await;
    assert_eq!(eval(&test, json!({"code": "y", "session_id": "js"})).await["result"], json!("3"));
}
