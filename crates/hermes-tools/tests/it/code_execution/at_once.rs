//! Calls that code makes at once, from threads and from processes: every answer goes to whoever asked.

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::value;

async fn with_files() -> TestRuntime {
    let test = TestRuntime::new().await;
    for n in 0..20 {
        test.write(&format!("f{n}.txt"), format!("mark-{n}-\n"));
    }
    test
}

async fn ran(test: &TestRuntime, language: &str, code: &str) -> Value {
    value(test.call("execute_code", json!({"code": code, "language": language})).await)
}

#[tokio::test]
async fn threads() {
    let test = with_files().await;
    let code = "from concurrent.futures import ThreadPoolExecutor\nfrom hermes_tools import read_file\n\
        def own(n):\n    return f'mark-{n}-' in read_file(f'f{n}.txt')['content']\n\
        with ThreadPoolExecutor(8) as pool:\n    print(sum(pool.map(own, range(20))))";
    let ran = ran(&test, "python", code).await;
    assert_eq!((&ran["output"], &ran["tool_calls_made"]), (&json!("20"), &json!(20)), "{ran}");
}

#[tokio::test]
async fn forked_processes() {
    let test = with_files().await;
    let code = "import os\nfrom hermes_tools import read_file\nright = 0\nchildren = []\nfor n in range(20):\n    \
        child = os.fork()\n    if child == 0:\n        \
        os._exit(0 if f'mark-{n}-' in read_file(f'f{n}.txt')['content'] else 1)\n    children.append(child)\n\
        print(sum(os.waitpid(child, 0)[1] == 0 for child in children))";
    let ran = ran(&test, "python", code).await;
    assert_eq!((&ran["output"], &ran["tool_calls_made"]), (&json!("20"), &json!(20)), "{ran}");
}

/// What somebody began who was killed is neither another's question nor another's answer.
#[tokio::test]
async fn a_process_that_is_killed_in_the_middle() {
    let test = with_files().await;
    let code = "import os, signal, hermes_tools\nfrom hermes_tools import read_file\n\
        for broken in (b'{\"id\":\"1\",\"tool\":\"read_', b'{\"id\":\"2\",\"tool\":\"todo\",\"arguments\":{}}\\n'):\n    \
        child = os.fork()\n    if child == 0:\n        os.write(hermes_tools._questions, broken)\n        \
        os.kill(os.getpid(), signal.SIGKILL)\n    os.waitpid(child, 0)\n    \
        print('mark-3-' in read_file('f3.txt')['content'], 'mark-4-' in read_file('f4.txt')['content'])";
    let ran = ran(&test, "python", code).await;
    assert_eq!(ran["output"], json!("True True\nTrue True"), "{ran}");
}

#[tokio::test]
async fn commands_of_a_shell() {
    let test = with_files().await;
    let code = "for n in {0..19}; do { hermes_tool read_file '{\"path\": \"f'$n'.txt\"}' | grep -q \"mark-$n-\" && echo right; } & done; wait";
    let ran = ran(&test, "shell", code).await;
    assert_eq!(ran["output"], json!(vec!["right"; 20].join("\n")), "{ran}");
    let broken = "hermes_tool read_file 'no json'; echo $?; hermes_tool read_file '{\"path\": \"f3.txt\"}' | grep -o mark-3-";
    let ran = self::ran(&test, "shell", broken).await;
    let text = ran["output"].as_str().unwrap();
    assert!(text.starts_with("{\"error\"") && text.ends_with("\n1\nmark-3-"), "{ran}");
}

#[tokio::test]
async fn promises() {
    let test = with_files().await;
    let code = "const { read_file } = require('hermes_tools');\n\
        const own = async (n) => (await read_file({ path: `f${n}.txt` })).content.includes(`mark-${n}-`);\n\
        console.log((await Promise.all([...Array(20).keys()].map(own))).filter(Boolean).length);";
    let ran = ran(&test, "javascript", code).await;
    assert_eq!(ran["output"], json!("20"), "{ran}");
}
