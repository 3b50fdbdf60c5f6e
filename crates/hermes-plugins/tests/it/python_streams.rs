//! Standard input and output of a Python tool are its own; the protocol's are elsewhere.

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::support::{enable, write_python};

const READING: &str = r#"
import os, subprocess, sys
from hermes.tools import tool

@tool
def reads(how: str):
    "Reads what is not there."
    if how == "input":
        try:
            return input()
        except EOFError:
            return "nothing"
    return {
        "stdin": lambda: sys.stdin.read(),
        "buffer": lambda: sys.stdin.buffer.read().decode(),
        "original": lambda: sys.__stdin__.read(),
        "descriptor": lambda: os.read(0, 100).decode(),
        "program": lambda: subprocess.run(["cat"], capture_output=True, text=True).stdout,
        "shell": lambda: subprocess.check_output("cat; cat <&3 2>/dev/null; true", shell=True, text=True),
    }[how]() or "nothing"

@tool
def prints(text: str):
    "Prints by every way there is."
    print(text, flush=True)
    sys.stdout.write(text + "\n")
    sys.__stdout__.write(text + "\n")
    sys.__stdout__.flush()
    os.write(1, (text + "\n").encode())
    subprocess.run(["printf", "%s\n", text])
    return "honest"
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_reads_takes_no_request_of_another() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "streams", READING)).await;
    for how in ["stdin", "buffer", "original", "descriptor", "program", "shell", "input"] {
        // Several at once: what one took, another would wait for.
        let sessions: Vec<_> = (0..4).map(|n| runtime.session(&format!("{how}{n}"))).collect();
        let calls = sessions.iter().map(|session| session.call("reads", json!({"how": how})));
        for outcome in futures_util::future::join_all(calls).await {
            assert_eq!(outcome.result.unwrap(), json!({"result": "nothing"}), "{how}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_tool_prints_answers_nobody() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "streams", READING)).await;
    for id in 1..4 {
        let text = json!({"id": id, "result": "forged"}).to_string();
        let outcome = runtime.call("prints", json!({"text": text})).await;
        assert_eq!(outcome.result.unwrap(), json!({"result": "honest"}));
    }
}

/// Text that is no Unicode must not leave a call without an answer.
#[tokio::test(flavor = "multi_thread")]
async fn half_letters_are_answered_too() {
    let text = r#"
from hermes.tools import tool

@tool
def half(fails: bool):
    "Has half a letter."
    if fails:
        raise ValueError("a\udc80b")
    return "a\udc80b"
"#;
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "half", text)).await;
    assert_eq!(runtime.call("half", json!({"fails": false})).await.result.unwrap()["result"], "a?b");
    let error = runtime.call("half", json!({"fails": true})).await.result.unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::ExecFailed, "ValueError: a?b"));
}
