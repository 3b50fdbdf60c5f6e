//! Code that calls tools, through the whole pipeline.

use hermes_core::ErrorCode;
use hermes_testkit::{Selection, TestRuntime};
use serde_json::{Value, json};

use crate::support::{code, failure, value};

async fn python(test: &TestRuntime, code: &str) -> Value {
    value(test.call("execute_code", json!({"code": code})).await)
}

#[tokio::test]
async fn calls_of_code_do_what_calls_do() {
    let test = TestRuntime::new().await;
    let code = "from hermes_tools import write_file, read_file, terminal, call, shell_quote, json_parse\n\
        for n in range(3):\n    write_file(f'f{n}.txt', 'line\\n' * (n + 1))\n\
        print(sum(read_file(f'f{n}.txt')['total_lines'] for n in range(3)))\n\
        print(terminal('cat ' + shell_quote('f0.txt'))['output'])\n\
        print(call('system_info', sections=[])['status'] if False else 'ok', json_parse('```json\\n[1]\\n```'))";
    let ran = python(&test, code).await;
    assert_eq!(ran["output"], json!("6\nline\nok [1]"), "{ran}");
    assert_eq!((&ran["exit_code"], &ran["tool_calls_made"]), (&json!(0), &json!(7)));
    assert_eq!(ran["ran"]["sandbox"], json!("sealed"));
    assert_eq!(test.read("f2.txt"), "line\nline\nline\n");
}

/// Where the session's shell stands. File tools begin in the session's own folder all the same.
#[tokio::test]
async fn code_begins_where_commands_do() {
    let test = TestRuntime::new().await;
    value(test.call("terminal", json!({"command": "mkdir -p sub; cd sub"})).await);
    let sub = test.path("sub").display().to_string();
    let ran = python(
        &test,
        "import os\nfrom hermes_tools import write_file\nwrite_file('here', 'x')\nprint(os.getcwd())",
    )
    .await;
    assert_eq!(ran["output"], json!(sub), "{ran}");
    assert!(test.path("here").exists() && !test.path("sub/here").exists());
    let ran = value(test.call("execute_code", json!({"code": "pwd", "language": "shell"})).await);
    assert_eq!(ran["output"], json!(sub), "{ran}");
    let ran = value(test.call("repl", json!({"code": "import os\nos.getcwd()"})).await);
    assert_eq!(ran["result"], json!(format!("'{sub}'")), "{ran}");
    // A folder that is gone is left for the nearest one.
    value(test.call("terminal", json!({"command": "mkdir gone; cd gone; rmdir $PWD"})).await);
    let ran = python(&test, "import os\nprint(os.getcwd())").await;
    assert_eq!(ran["output"], json!(sub), "{ran}");
}

#[tokio::test]
async fn other_languages_call_tools_too() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "x\ny\n");
    let js = "const { read_file } = require('hermes_tools');\nconst r = await read_file({ path: 'a.txt' });\nconsole.log(r.total_lines);\n\
        try { await read_file({ path: 'missing' }); } catch (e) { console.log(e.code); }";
    let ran = value(test.call("execute_code", json!({"code": js, "language": "javascript"})).await);
    assert_eq!((&ran["output"], &ran["exit_code"]), (&json!("2\nnot_found"), &json!(0)), "{ran}");
    let sh = "hermes_tool read_file '{\"path\": \"a.txt\"}' | grep -o '\"total_lines\":2'; hermes_tool nonsense || echo failed; cat";
    let ran = value(test.call("execute_code", json!({"code": sh, "language": "shell"})).await);
    let text = ran["output"].as_str().unwrap();
    assert!(text.starts_with("\"total_lines\":2\n") && text.ends_with("failed"), "{ran}");
}

/// Which of the two is meant nobody can say: code is read as any other request.
/// Nothing else says why, and the bound on memory is the one that kills.
#[tokio::test]
async fn what_was_killed_says_what_may_have_done_it() {
    let test = TestRuntime::new().await;
    let code = json!({"code": "kill -KILL $BASHPID", "language": "bash"});
    let ran = value(test.call("execute_code", code).await);
    assert_eq!(ran["exit_code"], json!(137));
    assert!(ran["note"].as_str().is_some_and(|note| note.contains("2048 MB of memory")), "{ran}");
}

#[tokio::test]
async fn a_call_of_code_names_each_key_once() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "first\n");
    test.write("b.txt", "second\n");
    let sh = "hermes_tool read_file '{\"path\": \"a.txt\", \"path\": \"b.txt\"}'";
    let ran = value(test.call("execute_code", json!({"code": sh, "language": "shell"})).await);
    let text = ran["output"].as_str().unwrap();
    assert!(text.contains("the key 'path' stands twice") && !text.contains("second"), "{ran}");
}

#[tokio::test]
async fn code_has_nothing_to_read_and_is_not_seen_to_be_begun_by_another() {
    let test = TestRuntime::new().await;
    let code = "'''Doc.'''\nfrom __future__ import annotations\nimport os, subprocess, sys\n\
        print(subprocess.run(['cat'], capture_output=True).stdout, os.readlink('/proc/self/fd/0'))\n\
        print(__doc__, __name__, [n for n in globals() if not n.startswith('__')], sys.argv[0] == __file__)\n\
        try:\n    input()\nexcept EOFError:\n    print('nothing')";
    let ran = python(&test, code).await;
    let expected = "b'' /dev/null\nDoc. __main__ ['annotations', 'os', 'subprocess', 'sys'] True\nnothing";
    assert_eq!(ran["output"], json!(expected), "{ran}");
    let ran = python(&test, "def f():\n    raise KeyError('x')\nf()").await;
    let text = ran["output"].as_str().unwrap();
    assert!(text.contains("script.py\", line 3, in <module>") && !text.contains("main.py"), "{text}");
    assert_eq!(ran["exit_code"], json!(1));
    let ran = python(&test, "print(1)\nx = (").await;
    let text = ran["output"].as_str().unwrap();
    assert!(text.contains("script.py\", line 2") && !text.contains("main.py"), "{text}");
    let ran = python(&test, "import sys\nsys.exit(7)").await;
    assert_eq!((&ran["output"], &ran["exit_code"]), (&json!(""), &json!(7)));
}

#[tokio::test]
async fn code_gets_no_tool_that_the_session_has_not() {
    let test = TestRuntime::new().await;
    let narrow = test.session_with(|options| {
        options.id = "narrow".into();
        options.selection = Selection::only(["code_execution", "todo"]);
    });
    let code = "import hermes_tools\nprint(hasattr(hermes_tools, 'terminal'), hasattr(hermes_tools, 'todo'))\n\
        for name in ('terminal', 'execute_code', 'write_file'):\n    try:\n        hermes_tools.call(name, command='id', code='1', path='x', content='x')\n    except hermes_tools.ToolError as e:\n        print(name, e.code)";
    let ran = value(narrow.call("execute_code", json!({"code": code})).await);
    let expected = "False True\nterminal not_found\nexecute_code permission_denied\nwrite_file not_found";
    assert_eq!(ran["output"], json!(expected));
    let listed = narrow.session.catalog().await;
    let definition = listed.get("execute_code").unwrap().definition.to_string();
    assert!(definition.contains("Tools: read_result, todo."), "{definition}");
}

#[tokio::test]
async fn calls_of_code_are_judged() {
    let test = TestRuntime::builder().deny("file:write").build().await;
    let code = "from hermes_tools import *\ntry:\n    write_file('x', 'y')\nexcept ToolError as e:\n    print(e.code)\n\
        try:\n    open('direct', 'w')\nexcept OSError as e:\n    print(e.strerror)";
    let ran = python(&test, code).await;
    assert_eq!(ran["output"], json!("permission_denied\nRead-only file system"));
    let refused = TestRuntime::builder().deny("code:execute").build().await;
    assert_eq!(
        self::code(refused.call("execute_code", json!({"code": "1"})).await),
        ErrorCode::PermissionDenied
    );
}

/// Code that is refused something learns what to do about it, whether it looks or not.
#[tokio::test]
async fn what_a_nested_answer_says_is_with_the_error() {
    let test = TestRuntime::new().await;
    let hint = "Give a folder that exists, absolute or relative to the session's current one.";
    let error = "workdir 'gone' is not a folder";
    let code = "from hermes_tools import *\ntry:\n    terminal('ls', workdir='gone')\nexcept ToolError as e:\n    \
        print([e.message, e.code, e.retryable, e.hint, e.more])\nterminal('ls', workdir='gone')";
    let ran = python(&test, code).await;
    let text = ran["output"].as_str().unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    assert_eq!(first, format!("[\"{error}\", 'not_found', False, \"{hint}\", {{}}]"));
    assert!(rest.ends_with(&format!("hermes_tools.ToolError: {error}\nhint: {hint}")), "{rest}");
    let code = "const t = require('hermes_tools'); t.terminal({ command: 'ls', workdir: 'gone' })\
        .catch((e) => console.log(JSON.stringify([e.text, e.code, e.retryable, e.hint, e.more, e.message])))";
    let ran = value(test.call("execute_code", json!({"language": "javascript", "code": code})).await);
    let expected = json!([error, "not_found", false, hint, {}, format!("{error}\nhint: {hint}")]);
    assert_eq!(serde_json::from_str::<Value>(ran["output"].as_str().unwrap()).unwrap(), expected);
    let code = r#"hermes_tool terminal '{"command": "ls", "workdir": "gone"}'"#;
    let ran = value(test.call("execute_code", json!({"language": "bash", "code": code})).await);
    let answer: Value = serde_json::from_str(ran["output"].as_str().unwrap()).unwrap();
    let expected = json!({"error": error, "code": "not_found", "retryable": false, "hint": hint});
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn there_are_limits() {
    let test = TestRuntime::new().await;
    let calls = "from hermes_tools import *\nfor n in range(60):\n    try:\n        todo()\n    except ToolError as e:\n        print(n, e.code)\n        break";
    let ran = python(&test, calls).await;
    assert_eq!((&ran["output"], &ran["tool_calls_made"]), (&json!("50 too_large"), &json!(50)));
    let slow = value(
        test.call(
            "execute_code",
            json!({"code": "print('begun', flush=True)\nwhile True: pass", "timeout": 5}),
        )
        .await,
    );
    assert_eq!((&slow["output"], &slow["exit_code"]), (&json!("begun"), &json!(124)));
    let large = python(&test, "print('x' * 10_000_000)").await;
    assert!(large["output"].as_str().unwrap().contains("bytes left out here"));
    assert!(large["handle"].as_str().unwrap().starts_with("hermes://result/"), "{}", large["handle"]);
    let memory = python(&test, "x = bytearray(3 << 30)").await;
    assert!(memory["output"].as_str().unwrap().contains("MemoryError"), "{memory}");
    let network = python(&test, "import socket\ntry:\n    socket.create_connection(('1.1.1.1', 80), 2)\nexcept OSError as e:\n    print('none')").await;
    assert_eq!(network["output"], json!("none"));
    let input = python(&test, "import hermes_tools\nprint(repr(input()) if False else 'no input')\ntry:\n    input()\nexcept EOFError:\n    print('end')").await;
    assert_eq!(input["output"], json!("no input\nend"));
    let failed = python(&test, "raise SystemExit(5)").await;
    assert_eq!(failed["exit_code"], json!(5));
}

#[tokio::test]
async fn without_an_interpreter_it_is_not_offered() {
    let nothing = tempfile::tempdir().unwrap();
    let empty = nothing.path().to_str().unwrap();
    let test = TestRuntime::builder().env("PATH", empty).build().await;
    for tool in ["execute_code", "repl"] {
        let refused = failure(test.call(tool, json!({"code": "1"})).await);
        assert_eq!(refused.code, ErrorCode::Unavailable);
        assert!(refused.message.contains("on PATH"), "{refused}");
    }
    std::os::unix::fs::symlink("/bin/sh", nothing.path().join("bash")).unwrap();
    let test = TestRuntime::builder().env("PATH", empty).build().await;
    let catalog = test.main().session.catalog().await;
    let offered = catalog.get("execute_code").unwrap().definition.to_string();
    assert!(offered.contains("Not on this machine: python3, node."), "{offered}");
    assert!(catalog.get("repl").is_none());
}
