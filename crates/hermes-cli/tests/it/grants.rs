use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::harness::{Hermes, request};

const ASK: &str = "permissions:\n  ask: ['file:write', 'system:*']\n";

fn write(path: &str) -> String {
    request(&[("write_file", json!({"path": path, "content": "x"}))])
}

fn added(hermes: &Hermes, arguments: &[&str]) -> Value {
    let ran = hermes.run(&[&["grants", "add", "--json"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json()
}

#[test]
fn a_refusal_names_the_command_that_allows_exactly_it() {
    let hermes = Hermes::new().with_config(ASK);
    for call in [write("a b.txt"), request(&[("system_info", json!({}))])] {
        let refused = hermes.run_with(&["run"], &call);
        assert_eq!(refused.code, 4, "{}", refused.stdout);
        let hint = refused.json()["denials"][0]["hint"].as_str().unwrap().to_owned();
        let line = hint.split("run: ").nth(1).unwrap().lines().next().unwrap();
        assert!(line.starts_with("hermes grants add --tool "), "{hint}");
        // As a person would: copied into a shell.
        let binary = format!("alias hermes='{}'\nshopt -s expand_aliases\n", env!("CARGO_BIN_EXE_hermes"));
        let mut shell = std::process::Command::new("bash");
        shell
            .args(["-c", &format!("{binary}{line}")])
            .env("HERMES_HOME", hermes.home())
            .env("HOME", hermes.work());
        assert!(shell.status().unwrap().success(), "{line}");
        assert_eq!(hermes.run_with(&["run"], &call).code, 0, "allowed");
        assert_eq!(hermes.run_with(&["run"], &call).code, 4, "once");
    }
    let listed = hermes.run(&["grants", "list", "--all", "--json"]).json();
    assert!(listed.as_array().unwrap().iter().all(|grant| grant["state"] == "used up"), "{listed}");
    let journal = hermes.run(&["journal", "list", "--json", "--tool", "write_file"]).stdout;
    let id = listed[0]["id"].as_str().unwrap();
    assert!(journal.contains(&format!("approved by grant {id}")), "{journal}");
}

#[test]
fn paths_are_judged_as_the_objects_they_name() {
    let hermes = Hermes::new().with_config(ASK);
    std::fs::create_dir_all(hermes.work().join("src/deep")).unwrap();
    std::os::unix::fs::symlink(hermes.work(), hermes.work().join("src/out")).unwrap();
    added(&hermes, &["--tool", "file_write", "--path", "src/**"]);
    let code = |path: &str| hermes.run_with(&["run"], &write(path)).code;
    assert_eq!(code("src/a.rs"), 0);
    assert_eq!(code("src/deep/../deep/b.rs"), 0);
    assert_eq!(code("a.rs"), 4);
    assert_eq!(code("src/../a.rs"), 4);
    assert_eq!(code("src/out/a.rs"), 4, "a link leads out");
}

#[test]
fn scopes_actors_and_ends_are_kept_to() {
    let hermes = Hermes::new().with_config(ASK);
    let other = hermes.work().join("other");
    std::fs::create_dir(&other).unwrap();
    let info = request(&[("system_info", json!({}))]);
    let hint = hermes.run_with(&["run"], &info).json()["denials"][0]["hint"].as_str().unwrap().to_owned();
    let digest = hint.split_whitespace().find(|word| word.len() == 64).unwrap().to_owned();
    let code = |arguments: &[&str]| hermes.run_with(arguments, &info).code;

    let session = added(&hermes, &["--tool", "system_info", "--call", &digest, "--session", "work"]);
    assert_eq!((code(&["run", "--session", "work"]), code(&["run"])), (0, 4));
    hermes.run(&["grants", "revoke", session["id"].as_str().unwrap()]);
    assert_eq!(code(&["run", "--session", "work"]), 4);

    added(&hermes, &["--tool", "system_info", "--call", &digest, "--project"]);
    assert_eq!((code(&["run"]), code(&["run", "-C", "other"])), (0, 4));
    added(&hermes, &["--tool", "system_info", "--call", &digest, "--always", "--actor", "cron"]);
    assert_eq!(code(&["run", "-C", "other"]), 4, "another actor's");
    added(&hermes, &["--tool", "system_info", "--call", &digest, "--always", "--for", "5s"]);
    assert_eq!(code(&["run", "-C", "other"]), 0);
    std::thread::sleep(std::time::Duration::from_millis(5_100));
    assert_eq!(code(&["run", "-C", "other"]), 4, "its time is over");
    assert!(hermes.run(&["grants", "prune"]).stdout.starts_with("2 grants"));
    assert_eq!(hermes.run(&["grants", "list", "--all", "--json"]).json().as_array().unwrap().len(), 2);
}

#[test]
fn what_must_not_be_granted_is_refused_with_the_reason() {
    let hermes = Hermes::new();
    for (arguments, reason) in [
        (&["--prefix", "bash -c"][..], "runs other programs"),
        (&["--prefix", "python3 -m"], "runs other programs"),
        (&["--prefix", "git"], "subcommand"),
        (&["--prefix", "git status; id"], "unquoted sign ';'"),
        (&["--prefix", "make $X"], "unquoted sign '$'"),
        (&["--path", "/**"], "everything"),
        (&["--host", "*.com"], "wildcards"),
        (&["--call", "123"], "64"),
        (&["--command", "rm -rf /"], "no grant can allow"),
    ] {
        let ran = hermes.run(&[&["grants", "add", "--tool", "terminal"], arguments].concat());
        assert_eq!(ran.code, 3, "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains(reason), "{arguments:?}: {}", ran.stderr);
    }
    for arguments in [&["--command", "a", "--path", "b"][..], &[], &["--command", "a", "--for", "soon"]] {
        assert_eq!(
            hermes.run(&[&["grants", "add", "--tool", "terminal"], arguments].concat()).code,
            2,
            "{arguments:?}"
        );
    }
    assert!(hermes.run(&["grants", "list"]).stdout.contains("Nothing is granted"));
    assert_eq!(hermes.run(&["grants", "revoke", "g-nothing"]).code, 5);
}

#[test]
fn a_budget_is_listed_with_all_its_terms() {
    let hermes = Hermes::new().with_config("approvals:\n  command_allowlist: ['make lint']\n");
    let ran = hermes.run(&[
        "grants",
        "add",
        "--tool",
        "terminal",
        "--command",
        "npm test",
        "--times",
        "50",
        "--for",
        "10m",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("terminal: exactly the command `npm test`, by user, folder "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(", 50 times, for 10m"), "{}", ran.stdout);
    let spoof = "echo \u{202e}hello\nrm";
    assert_eq!(hermes.run(&["grants", "add", "--tool", "terminal", "--command", spoof, "--always"]).code, 0);
    let list = hermes.run(&["grants", "list"]).stdout;
    for part in ["50", "npm test", "c-", "make lint", "echo \\u{202e}hello⏎rm", "everywhere"] {
        assert!(list.contains(part), "{part}: {list}");
    }
}

/// Two processes with one budget: together they get exactly what it allows.
#[test]
fn two_runs_share_a_budget_of_fifty() {
    let hermes = Hermes::new().with_config(ASK);
    added(&hermes, &["--tool", "write_file", "--path", "**", "--times", "50"]);
    let children = ["a", "b"].map(|run| {
        // A folder for each file: writers of one folder wait for each other, and on a slow disk not for ever.
        let write = |n| ("write_file", json!({"path": format!("{run}{n}/f"), "content": "x"}));
        (0..40).for_each(|n| std::fs::create_dir(hermes.work().join(format!("{run}{n}"))).unwrap());
        let file = format!("{run}.json");
        hermes.write(&file, &request(&(0..40).map(write).collect::<Vec<_>>()));
        hermes.spawn(&["run", &file])
    });
    let mut statuses: Vec<Value> = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let contents = answer["tool_results"].as_array().unwrap().iter().map(|result| &result["content"]);
        statuses.extend(contents.map(|content| content.get("code").unwrap_or(&content["status"]).clone()));
    }
    let count = |status: &str| statuses.iter().filter(|is| *is == status).count();
    assert_eq!((count("success"), count("approval_required")), (50, 30), "{statuses:?}");
}

/// A process that is up sees what another one gives and takes.
#[test]
fn a_running_process_sees_grants_come_and_go() {
    let hermes = Hermes::new().with_config(ASK);
    let mut child = hermes.spawn(&["run", "--jsonl"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut call = || {
        let call = json!({"id": "c", "function": {"name": "write_file", "arguments": {"path": "a", "content": "x"}}});
        writeln!(stdin, "{}", json!({"id": 1, "tool_calls": [call]})).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        answer["tool_results"][0]["content"]["status"].clone()
    };
    assert_eq!(call(), "error");
    let grant = added(&hermes, &["--tool", "write_file", "--path", "a"]);
    assert_eq!((call(), call()), (json!("success"), json!("success")));
    assert_eq!(hermes.run(&["grants", "revoke", grant["id"].as_str().unwrap()]).code, 0);
    assert_eq!(call(), "error");
    drop(stdin);
    child.wait().unwrap();
}
