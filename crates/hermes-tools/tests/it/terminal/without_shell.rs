//! A plain command is started without a shell and must not be able to tell.

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::value;

async fn run(test: &TestRuntime, command: &str) -> Value {
    value(test.call("terminal", json!({"command": command})).await)
}

/// The same line for bash itself: a redirection is bash's business, and changes nothing here.
async fn run_by_bash(test: &TestRuntime, command: &str) -> Value {
    run(test, &format!("{command} < /dev/null")).await
}

#[tokio::test]
async fn the_same_comes_of_it() {
    let test = TestRuntime::new().await;
    for (name, content) in
        [("own/plain", "echo no interpreter; echo $0"), ("own/strange", "#!/no/such\n"), ("own/shut", "")]
    {
        test.write(name, content);
    }
    run(&test, "chmod +x own/plain own/strange; export PATH=$PWD/own:$PATH SEEN='a b'").await;
    let commands = [
        "true",
        "false",
        "env",
        "ls -a",
        "ls -l 'no such'",
        "no-such-program --x",
        "own/plain a",
        "own/strange",
        "own/shut",
        "shut",
        "own",
        "strange x",
        "plain 'a  b'",
        "cat /proc/self/cmdline",
        "readlink /proc/self/fd/0",
        "sh -c 'kill -9 $$'",
        "sh -c 'exit 7'",
        "sh -c 'ls /proc/self/fd; umask; ulimit -a'",
        "git --version",
    ];
    for command in commands {
        let (mut ours, mut bashs) = (run(&test, command).await, run_by_bash(&test, command).await);
        for answer in [&mut ours, &mut bashs] {
            let output = answer["output"].as_str().unwrap();
            let mut lines: Vec<&str> = output.lines().filter(|line| !line.contains("Killed")).collect();
            // Nobody promises an order of variables.
            lines.sort_unstable();
            answer["output"] = json!(lines);
        }
        if command.contains("kill -9") {
            // Of a signal that ended its child a shell says no more than a code, which a program may have chosen too.
            let meaning = |answer: &mut Value| answer.as_object_mut().unwrap().remove("exit_code_meaning");
            let unsure = "either signal 9 (KILL) ended a program, or one ended with this code by itself";
            assert_eq!(meaning(&mut ours), Some(json!("ended by signal 9 (KILL)")));
            assert_eq!(meaning(&mut bashs), Some(json!(unsure)));
        }
        assert_eq!(ours, bashs, "{command}");
    }
}

#[tokio::test]
async fn what_the_shell_remembers_stays() {
    let test = TestRuntime::new().await;
    test.write("deep/er/file", "");
    run(&test, "cd deep; export KEPT=1").await;
    let listed = run(&test, "ls").await;
    assert_eq!(listed["output"], json!("er"));
    assert_eq!(listed["cwd"], json!(test.path("deep").display().to_string()));
    assert_eq!(
        run(&test, "printenv KEPT PWD").await["output"],
        json!(format!("1\n{}", test.path("deep").display()))
    );
    let elsewhere = value(test.call("terminal", json!({"command": "ls", "workdir": "er"})).await);
    assert_eq!(elsewhere["output"], json!("file"));
    assert_eq!(run(&test, "echo $KEPT; ls").await["output"], json!("1\ner"));
}
