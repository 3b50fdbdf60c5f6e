//! Commands as users of the binary meet them: judged, and behind walls.

use serde_json::{Value, json};

use crate::harness::Hermes;

const ASKING: &str = "permissions:\n  ask: ['file:write']\n";

pub(crate) fn call(hermes: &Hermes, tool: &str, arguments: &Value) -> (i32, Value) {
    let ran = hermes.run(&["tools", "call", tool, &arguments.to_string(), "--session", "s", "--json"]);
    (ran.code, ran.json())
}

#[test]
fn a_dangerous_command_needs_a_word_and_a_harmless_one_does_not() {
    let hermes = Hermes::new();
    hermes.write("victim/file", "x");
    let (code, asked) = call(&hermes, "terminal", &json!({"command": "git push --force origin main"}));
    assert_eq!((code, &asked["code"]), (4, &json!("approval_required")), "{asked}");
    let (code, denied) = call(&hermes, "terminal", &json!({"command": "rm -rf /"}));
    assert_eq!((code, &denied["code"]), (3, &json!("permission_denied")), "{denied}");
    let (code, fine) = call(&hermes, "terminal", &json!({"command": "ls victim"}));
    assert_eq!((code, &fine["output"]), (0, &json!("file")), "{fine}");
    let (_, shell) = call(&hermes, "terminal", &json!({"command": "bash", "background": true}));
    let to_shell = |action: &str, data: Option<&str>| {
        let arguments = json!({"action": action, "session_id": shell["session_id"], "data": data});
        call(&hermes, "process", &arguments)
    };
    let (code, typed) = to_shell("submit", Some("rm -rf ~"));
    assert_eq!((code, &typed["code"]), (3, &json!("permission_denied")), "{typed}");
    to_shell("kill", None);
}

#[test]
fn what_no_variable_of_the_shell_can_hide_is_judged() {
    let hermes = Hermes::new();
    let (code, _) = call(&hermes, "terminal", &json!({"command": "export TARGET=/"}));
    assert_eq!(code, 0);
    let (code, refused) = call(&hermes, "terminal", &json!({"command": "rm -rf $TARGET"}));
    assert_ne!(code, 0, "{refused}");
    let (code, refused) = call(&hermes, "terminal", &json!({"command": "cd /; true"}));
    assert_eq!(code, 0, "{refused}");
    let (code, refused) = call(&hermes, "terminal", &json!({"command": "rm -rf ./*"}));
    assert_ne!(code, 0, "{refused}");
}

/// What file tools may read of Hermes's own folder commands may read too, and nothing else of it.
#[test]
fn policy_and_sandbox_agree_about_the_home() {
    let hermes = Hermes::new().with_config("limits:\n  batch_width: 7\n");
    std::fs::create_dir_all(hermes.home().join("skills/a")).unwrap();
    std::fs::write(hermes.home().join("skills/a/SKILL.md"), "a skill").unwrap();
    std::fs::write(hermes.home().join(".env"), "KEY=canary").unwrap();
    let home = hermes.home().display().to_string();
    let open = ["config.yaml", "skills/a/SKILL.md"];
    for name in open.into_iter().chain([".env", "state.db"]) {
        let path = hermes.home().join(name).display().to_string();
        let (code, read) = call(&hermes, "read_file", &json!({"path": path}));
        assert_eq!(code == 0, open.contains(&name), "{name}: {read}");
    }
    hermes.write(
        "look.sh",
        &format!(
            "cd {home} || exit 9\nls -A\ncat config.yaml skills/a/SKILL.md; echo\n\
             for f in .env state.db; do cat $f && echo escaped; done\n\
             for f in config.yaml skills/a/SKILL.md new skills/new; do echo x > $f && echo escaped; done\n\
             chmod 777 config.yaml && echo escaped\ntrue"
        ),
    );
    let (code, ran) = call(&hermes, "terminal", &json!({"command": "sh look.sh 2>/dev/null"}));
    let expected = "config.yaml\nskills\nlimits:\n  batch_width: 7\na skill";
    assert_eq!((code, &ran["output"]), (0, &json!(expected)), "{ran}");
    assert_eq!(ran["ran"]["sandbox"], json!("sealed"));
}

#[test]
fn the_sandbox_is_proven_and_its_absence_is_said() {
    let hermes = Hermes::new();
    let proven = hermes.run(&["sandbox", "test", "--json"]);
    assert_eq!(proven.code, 0, "{}", proven.stdout);
    assert_eq!(proven.json()["level"], json!("sealed"));
    let (_, open) = {
        let ran = hermes.run(&[
            "tools",
            "call",
            "terminal",
            "{\"command\": \"true\"}",
            "--json",
            "--set",
            "terminal.sandbox.mode=off",
        ]);
        (ran.code, ran.json())
    };
    assert_eq!(open["ran"]["sandbox"], json!("open"));
}

#[test]
fn secrets_of_hermes_stay_with_hermes() {
    let hermes = Hermes::new().with_env("CANARY_API_KEY", "canary-0123456789");
    let code = "import glob, os\nprint(dict(os.environ))\nfor name in glob.glob('/proc/*/environ'):\n    try:\n        \
                print(open(name, 'rb').read())\n    except OSError as error:\n        print(error)";
    let (_, seen) = call(&hermes, "execute_code", &json!({"code": code}));
    let text = seen["output"].as_str().unwrap();
    assert!(text.contains("PATH") && !text.contains("canary") && !text.contains("CANARY"), "{text}");
}

#[test]
fn a_session_can_have_a_place_of_its_own() {
    let hermes = Hermes::new().with_config("terminal:\n  sessions:\n    far: ssh\n");
    let at = |session: &str| {
        let ran = hermes.run(&[
            "tools",
            "call",
            "terminal",
            r#"{"command": "pwd"}"#,
            "--json",
            "--session",
            session,
        ]);
        (ran.code, ran.json())
    };
    let (code, refused) = at("far");
    assert_eq!((code, &refused["code"]), (5, &json!("unavailable")), "{refused}");
    assert!(refused["error"].as_str().unwrap().contains("ssh"), "{refused}");
    let (code, near) = at("near");
    assert_eq!((code, &near["ran"]["backend"]), (0, &json!("local")), "{near}");
}

#[test]
fn commands_use_what_they_may() {
    let hermes = Hermes::new()
        .with_config("terminal:\n  limits:\n    memory_mb: 64\n    open_files: 32\n    file_mb: 1\n");
    let (_, files) = call(&hermes, "terminal", &json!({"command": "ulimit -n; ulimit -f; ulimit -d"}));
    assert_eq!(files["output"], json!("32\n1024\n65536"), "{files}");
    let (_, written) =
        call(&hermes, "terminal", &json!({"command": "head -c 2000000 /dev/zero > big; wc -c < big"}));
    assert_eq!(written["output"].as_str().unwrap().lines().last(), Some("1048576"), "{written}");
    let filling = json!({"command": "python3 -c 'print(len(bytearray(100 << 20)))'"});
    let (_, filled) = call(&hermes, "terminal", &filling);
    assert!(filled["output"].as_str().unwrap().contains("MemoryError"), "{filled}");
}

#[test]
fn git_works_and_what_it_runs_changes_by_the_users_word_only() {
    let hermes = Hermes::new();
    let made = std::process::Command::new("git").args(["init", "-q"]).arg(hermes.work()).status().unwrap();
    assert!(made.success());
    let run = |hermes: &Hermes, command: &str| call(hermes, "terminal", &json!({"command": command})).1;
    let me = "-c user.name=x -c user.email=x@example.com";
    for command in [
        "echo 1 > a && git add a".to_owned(),
        format!("git {me} commit -qm one"),
        "git checkout -q -b topic".to_owned(),
        format!("echo 2 > a && git {me} stash -q && git stash list | grep -c stash"),
        "git status --short".to_owned(),
    ] {
        let ran = run(&hermes, &command);
        assert_eq!(ran["exit_code"], json!(0), "{command}: {ran}");
    }
    for command in [
        "echo x > .git/hooks/pre-commit",
        "echo x >> .git/config",
        "mv .git/hooks .git/old",
        "mv .git old",
        "echo /tmp > .git/commondir",
        "echo x > .git/config.worktree",
    ] {
        // In a script, where only the walls see what it does.
        hermes.write("try.sh", command);
        let tried = run(&hermes, "sh try.sh");
        assert!(tried["exit_code"].as_i64().is_some_and(|code| code != 0), "{command}: {tried}");
    }
    assert!(!hermes.work().join(".git/commondir").exists(), "nothing stays behind");
    assert!(!hermes.work().join(".git/config.worktree").exists(), "nothing stays behind");
    let add = "git remote add origin https://example.invalid/x.git";
    let refused = run(&hermes, add);
    assert!(refused["note"].as_str().unwrap_or_default().contains("[.git/config]"), "{refused}");
    let hermes = hermes.with_config("terminal:\n  sandbox:\n    writable: [.git/config]\n");
    assert_eq!(run(&hermes, &format!("{add} && git remote"))["output"], json!("origin"));
    assert_ne!(run(&hermes, "echo x > .git/hooks/pre-commit")["exit_code"], json!(0), "hooks stay closed");
}

#[test]
fn what_was_granted_is_possible_in_the_sandbox() {
    let hermes = Hermes::new().with_config(ASKING);
    hermes.write("proj/file", "x");
    let delete = json!({"command": "rm -rf proj"});
    let granted = hermes.run(&["grants", "add", "--tool", "terminal", "--command", "rm -rf proj"]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    let (_, ran) = call(&hermes, "terminal", &delete);
    assert_eq!(ran["exit_code"], json!(0), "{ran}");
    assert!(!hermes.work().join("proj").exists());
}

#[test]
fn one_word_with_a_budget_allows_the_writes_of_a_loop() {
    let hermes = Hermes::new().with_config(ASKING);
    let code = "from hermes_tools import write_file, ToolError\nfor n in range(4):\n    try:\n        \
                write_file(f'out/{n}.txt', 'x')\n        print('wrote', n)\n    except ToolError as error:\n        \
                print('asked', n)";
    let looped = |hermes: &Hermes| call(hermes, "execute_code", &json!({"code": code})).1["output"].clone();
    assert_eq!(looped(&hermes), json!("asked 0\nasked 1\nasked 2\nasked 3"));
    let granted = hermes.run(&[
        "grants",
        "add",
        "--tool",
        "write_file",
        "--path",
        "out/**",
        "--times",
        "3",
        "--actor",
        "script",
    ]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    assert_eq!(looped(&hermes), json!("wrote 0\nwrote 1\nwrote 2\nasked 3"));
    assert!(hermes.work().join("out/2.txt").exists() && !hermes.work().join("out/3.txt").exists());
}

/// Whatever keeps a backend from being used, the answer says what to do about it.
#[test]
fn a_backend_that_is_not_ready_says_what_to_do() {
    let hermes = Hermes::new();
    for kind in ["ssh", "docker", "podman", "singularity", "modal"] {
        let answer = hermes.run(&["backends", "check", kind, "--json"]).json();
        let detail = answer["detail"].as_str().unwrap();
        let says =
            ["Set ", "set ", "nstall", "Start ", "get it with"].iter().any(|word| detail.contains(word));
        assert!(answer["ready"] == json!(true) || says, "{answer}");
    }
}
