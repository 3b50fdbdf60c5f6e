//! Commands that print without end: what is kept of it is exact, and nothing else suffers.

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::value;

async fn ran(test: &TestRuntime, arguments: Value) -> Value {
    value(test.call("terminal", arguments).await)
}

#[tokio::test]
async fn a_flood_is_counted_to_the_byte_and_its_ends_are_kept() {
    let test = TestRuntime::new().await;
    for pty in [false, true] {
        let command = "export LAST=1; seq 1 500000; echo end";
        let long = ran(&test, json!({"command": command, "pty": pty})).await;
        let text = long["output"].as_str().unwrap();
        assert!(text.starts_with("1\n2\n3\n") && text.ends_with("\n499999\n500000\nend"), "{text}");
        // A terminal ends every line with two characters.
        let total = 3_388_899 + if pty { 500_001 } else { 0 };
        let told = format!("[{} of {total} bytes left out here", total - 50_000);
        assert!(text.contains(&told), "{told}");
    }
    let flood = ran(&test, json!({"command": "mkdir d; cd d; export LAST=2; seq 1 500000; exit 4"})).await;
    assert_eq!(flood["exit_code"], json!(4));
    let after = ran(&test, json!({"command": "basename $PWD; echo $LAST"})).await;
    assert_eq!(after["output"], json!("d\n2"));
}

/// A program that need not wait for its reader at every few kilobytes is not held up by it.
#[tokio::test]
async fn whoever_floods_gets_a_large_pipe() {
    let test = TestRuntime::new().await;
    let size = "python3 -c 'import fcntl; print(fcntl.fcntl(1, 1032))'";
    let small = ran(&test, json!({"command": format!("seq 1 100; {size}")})).await;
    assert!(small["output"].as_str().unwrap().ends_with("\n65536"), "{small}");
    let large = ran(&test, json!({"command": format!("seq 1 500000; {size}")})).await;
    assert!(large["output"].as_str().unwrap().ends_with("\n1048576"), "{}", large["exit_code"]);
}

#[tokio::test]
async fn a_flood_ends_at_its_deadline_and_where_nobody_wants_it() {
    let test = TestRuntime::new().await;
    let cut = ran(&test, json!({"command": "trap '' TERM; yes", "timeout": 2})).await;
    assert_eq!(cut["exit_code"], json!(124), "{}", cut["exit_code"]);
    assert!(cut["output"].as_str().unwrap().ends_with("y\ny"));
    let (call, cancel) = test.call_cancellable("terminal", json!({"command": "yes"}));
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    cancel.cancel();
    assert!(call.await.unwrap().result.is_err());
    assert_eq!(ran(&test, json!({"command": "echo on"})).await["output"], json!("on"));
}

/// Whatever a script prints is its output.
#[tokio::test]
async fn no_line_of_a_script_is_taken_for_a_mark() {
    let test = TestRuntime::new().await;
    let line = "no mark is looked for here";
    let code = format!("print('a\\n{line}\\nb\\n{line}\\nc')");
    let ran = value(test.call("execute_code", json!({"code": code})).await);
    assert_eq!(ran["output"], json!(format!("a\n{line}\nb\n{line}\nc")));
}
