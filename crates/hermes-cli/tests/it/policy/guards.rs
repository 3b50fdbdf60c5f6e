//! What guards stand for every way to the same thing: file tools, commands, links, other spellings, hosts.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::harness::Hermes;

/// A user with a home beside the Hermes folder, both in the temporary folder of the test.
struct User {
    hermes: Hermes,
    home: std::path::PathBuf,
}

impl User {
    fn new() -> Self {
        let hermes = Hermes::new();
        let home = hermes.work().parent().unwrap().join("person");
        std::fs::create_dir_all(home.join(".ssh")).unwrap();
        std::fs::create_dir_all(hermes.home()).unwrap();
        std::fs::write(home.join(".ssh/config"), "x").unwrap();
        let hermes = hermes.with_env("HOME", home.to_str().unwrap());
        User { hermes, home }
    }

    #[track_caller]
    fn decided(&self, flags: &[&str], command: &str, folder: Option<&str>) -> Value {
        let mut call = json!({"tool": "terminal", "access": [{"permission": "terminal:execute", "command": command}],
            "arguments": {"command": command}});
        if let Some(folder) = folder {
            call["arguments"]["workdir"] = json!(folder);
        }
        self.hermes.explained(flags, &call)
    }

    #[track_caller]
    fn says(&self, command: &str, expected: &str) {
        let decided = self.decided(&[], command, None);
        assert_eq!(decided["verdict"], expected, "{command}: {}", decided["decision"]);
    }
}

#[test]
fn hermes_itself_is_closed_to_commands_as_to_file_tools() {
    let user = User::new();
    let own = user.hermes.home().display().to_string();
    for command in [
        format!("cat {own}/state.db"),
        format!("sqlite3 {own}/state.db 'select 1'"),
        format!("rm {own}/state.db"),
        format!("rm -rf {own}"),
        format!("rm -rf {own}/*"),
        format!("echo x >> {own}/config.yaml"),
        format!("cd {own} && cat state.db"),
        format!("cat {own}/.env"),
        format!("some-program --db {own}/state.db"),
        format!("bash -c 'cp {own}/state.db .'"),
        format!("tar czf all.tgz {own}"),
        "rm -rf $HERMES_HOME".to_owned(),
        "cat \"${HERMES_HOME}/state.db\"".to_owned(),
    ] {
        user.says(&command, "deny");
    }
    user.says(&format!("rm -rf {}", user.hermes.work().parent().unwrap().display()), "deny");
    for command in [
        format!("echo {own}/state.db"),
        format!("grep -rn '{own}/state.db' ."),
        format!("cat {own}/skills/notes/SKILL.md"),
        "cat notes.md".to_owned(),
    ] {
        user.says(&command, "allow");
    }
}

#[test]
fn links_in_the_workspace_lead_nobody_past_the_table() {
    let user = User::new();
    let work = user.hermes.work();
    symlink(user.hermes.home(), work.join("lk")).unwrap();
    symlink(user.home.join(".ssh"), work.join("sshl")).unwrap();
    symlink("/", work.join("rootl")).unwrap();
    std::fs::create_dir(work.join("src")).unwrap();
    symlink("src", work.join("alias")).unwrap();
    user.hermes.write("x", "x");
    user.says("echo x >> lk/config.yaml", "deny");
    user.says("some-program lk/state.db", "deny");
    user.says("cd lk && some-program state.db", "deny");
    user.says("cat sshl/config", "ask");
    user.says("some-program sshl/config", "ask");
    user.says("cp x sshl/authorized_keys", "ask");
    user.says("echo k >> rootl/etc/passwd", "ask");
    user.says("rm -rf lk/", "deny");
    // The link itself is the workspace's own, and so is what lies behind a link into it.
    user.says("rm lk", "allow");
    user.says("echo x > alias/a.rs && cat alias/a.rs", "allow");
}

#[test]
fn a_home_in_a_temporary_folder_is_a_home() {
    let user = User::new();
    user.says("echo k >> ~/.bashrc", "ask");
    user.says("cat ~/.ssh/config", "ask");
    user.says("rm -rf ~", "deny");
    user.says("echo k > /tmp/elsewhere.txt", "allow");
}

#[test]
fn folders_are_protected_under_every_spelling() {
    let user = User::new();
    let base = user.home.parent().unwrap().to_owned();
    let (link, real) = (base.join("hl"), base.join("person"));
    symlink(&real, &link).unwrap();
    let own = base.join("own-link");
    symlink(user.hermes.home(), &own).unwrap();
    let hermes =
        user.hermes.with_env("HOME", link.to_str().unwrap()).with_env("HERMES_HOME", own.to_str().unwrap());
    for folder in [&link, &real] {
        for command in [
            format!("rm -rf {}/", folder.display()),
            format!("rm -rf {}/*", folder.display()),
            format!("find {}/ -delete", folder.display()),
            "rm -rf ~".to_owned(),
        ] {
            let call = json!({"access": [{"permission": "terminal:execute", "command": command}]});
            assert_eq!(hermes.explained(&[], &call)["verdict"], "deny", "policy: {command}");
            let explained = hermes.run(&["explain", "command", "--json", &command]).json();
            assert_eq!(explained["verdict"], "deny", "explain: {command}");
        }
    }
    for folder in [&own, &base.join("home")] {
        let command = format!("echo x >> {}/config.yaml", folder.display());
        let call = json!({"access": [{"permission": "terminal:execute", "command": command}]});
        assert_eq!(hermes.explained(&[], &call)["verdict"], "deny", "{command}");
        let explained = hermes.run(&["explain", "command", "--json", &command]).json();
        assert_ne!(explained["verdict"], "allow", "{command}");
    }
}

#[test]
fn a_command_is_judged_where_it_would_run() {
    let user = User::new();
    let verdict = |folder: Option<&str>| user.decided(&[], "rm -rf *", folder)["verdict"].clone();
    assert_eq!(verdict(Some("/")), "deny");
    assert_eq!(verdict(Some("~")), "deny");
    assert_eq!(user.decided(&[], "cat state.db", Some("../home"))["verdict"], "deny");
    // What may be written is the session's folder, wherever a command runs.
    assert_eq!(user.decided(&[], "echo x > a", Some("/opt"))["verdict"], "ask");
    assert_eq!(user.decided(&[], "echo x > a", Some("sub"))["verdict"], "allow");
}

#[test]
fn lists_of_what_is_allowed_hold_for_commands() {
    let policy = "
profiles:
  reads_wiki: {allow: ['*'], restrictions: {network:fetch: {allowed_hosts: [en.wikipedia.org]}}}
  writes_here: {allow: ['*'], restrictions: {file:write: {allowed_paths: ['./**']}}}
  left: {allow: ['*'], restrictions: {file:write: {allowed_paths: [book/**], commands: analysed}}}
  makes: {allow: ['*'], rules: [{effect: allow, command: 'mytool build'}], restrictions: {file:write: {allowed_paths: [book/**]}}}
";
    let user = User::new();
    user.hermes.policy(policy);
    for (profile, command, expected) in [
        ("reads_wiki", "curl -s https://example.com/x", "deny"),
        ("reads_wiki", "curl -s https://en.wikipedia.org/x", "allow"),
        ("reads_wiki", "grep -rn x .", "allow"),
        ("reads_wiki", "mytool build", "ask"),
        ("reads_wiki", "python3 fetch.py", "ask"),
        ("writes_here", "echo x > ~/notes.txt", "deny"),
        ("writes_here", "echo x > notes.txt", "allow"),
        ("writes_here", "cat notes.txt | wc -l", "allow"),
        ("writes_here", "mytool build", "ask"),
        ("left", "echo x > notes.txt", "allow"),
        ("left", "mytool build", "allow"),
        ("makes", "mytool build", "allow"),
        ("makes", "mytool other", "ask"),
        ("default", "cargo test", "allow"),
        ("unattended", "curl -s https://example.com/x", "deny"),
        ("unattended", "sqlite3 notes.db 'select 1'", "allow"),
        ("unattended", "cargo test", "allow"),
    ] {
        let decided = user.decided(&["--profile", profile], command, None);
        assert_eq!(decided["verdict"], expected, "{profile} {command}: {}", decided["decision"]);
    }
}

#[test]
fn hosts_are_guarded_in_the_decision_itself() {
    let hermes = Hermes::new().with_policy(
        "profiles: {local: {allow: ['*'], restrictions: {network:fetch: {allowed_hosts: [localhost, 10.0.0.1]}}}, \
         star: {allow: ['*'], restrictions: {network:fetch: {allowed_hosts: ['*']}}}}\n",
    );
    let verdict = |profile: &str, host: &str| {
        let call = json!({"access": [{"permission": "network:fetch", "host": host}]});
        hermes.explained(&["--profile", profile], &call)["verdict"].clone()
    };
    for host in [
        "169.254.169.254",
        "localhost",
        "localhost:8080",
        "10.0.0.1",
        "metadata.google.internal",
        "[::1]:80",
        "::1",
        "0x7f000001",
        "127.1",
        "[::ffff:169.254.169.254]",
        "printer.local",
        "127.0.0.1.nip.io",
    ] {
        assert_eq!(verdict("default", host), "deny", "{host}");
        assert_eq!(verdict("star", host), "deny", "{host}");
    }
    for host in ["docs.rs", "docs.rs:8443", "93.184.216.34"] {
        assert_eq!(verdict("default", host), "allow", "{host}");
    }
    for (host, expected) in [
        ("localhost:8080", "allow"),
        ("10.0.0.1", "allow"),
        ("10.0.0.2", "deny"),
        ("169.254.169.254", "deny"),
    ] {
        assert_eq!(verdict("local", host), expected, "{host}");
    }
}

#[test]
fn a_denial_for_want_of_a_rule_says_what_would_allow_it() {
    let hermes = Hermes::new().with_policy("profiles:\n  p:\n    allow: [file:read]\n");
    let ran = hermes.run(&[
        "tools",
        "call",
        "write_file",
        r#"{"path": "a", "content": "x"}"#,
        "--profile",
        "p",
        "--json",
    ]);
    let answer = ran.json();
    assert_eq!(answer["code"], "permission_denied");
    let hint = answer["hint"].as_str().unwrap();
    assert!(
        hint.contains("file:write to allow of profile p in ") && hint.contains("hermes_permissions.yaml"),
        "{hint}"
    );
}

#[test]
fn explain_takes_an_actor() {
    let hermes = Hermes::new().with_policy(
        "profiles: {p: {allow: ['*'], rules: [{effect: deny, actor: 'subagent:*', permission: file:read}]}}\n",
    );
    let flags = ["--profile", "p"];
    let call = json!({"name": "read_file", "arguments": {"path": "a"}});
    assert_eq!(hermes.explained(&flags, &call)["verdict"], "allow");
    let by_flag = hermes.explained(&["--profile", "p", "--actor", "subagent:x"], &call);
    assert_eq!((&by_flag["verdict"], &by_flag["actor"]), (&json!("deny"), &json!("subagent:x")));
    let named = json!({"access": [{"permission": "file:read", "path": "a"}], "actor": "subagent:y"});
    assert_eq!(hermes.explained(&flags, &named)["verdict"], "deny");
    let both = json!({"name": "read_file", "arguments": {"path": "a"}, "actor": "subagent:y"});
    assert_eq!(hermes.explained(&flags, &both)["verdict"], "deny");
}

#[test]
fn circles_are_refused_also_among_profiles_that_are_not_in_force() {
    let hermes = Hermes::new().with_policy("profiles: {a: {extends: [b]}, b: {extends: [a]}}\n");
    let ran = hermes.run(&["tools", "list"]);
    assert_ne!(ran.code, 0);
    assert!(ran.stderr.contains("profiles go in a circle"), "{}", ran.stderr);
}

#[test]
fn rules_that_no_call_can_meet_are_reported() {
    let hermes = Hermes::new();
    for (body, expected) in [
        ("rules: [{effect: deny, permission: network:fetch, path: /x}]", "network:fetch has no path"),
        ("rules: [{effect: deny, path: /x, host: e.com}]", "nothing has a path and a host"),
        ("rules: [{effect: deny, permission: file:read, command: ls}]", "file:read has no command"),
        (
            "rules: [{effect: deny, tool: read_file, permission: file:write}]",
            "read_file never uses that permission",
        ),
        ("rules: [{effect: deny, tool: write_file, toolset: todo}]", "write_file is not in that toolset"),
        ("rules: [{effect: deny, tool: write_file, server: github}]", "write_file comes from no server"),
        (
            "rules: [{effect: deny, tool: write_file, argument: {/nosuch: x}}]",
            "write_file takes no argument where /nosuch",
        ),
        (
            "rules: [{effect: deny, tool: write_file, argument: {/mode: {in: [nosuchmode]}}}]",
            "write_file takes no argument where /mode",
        ),
        ("tools: {read_file: {deny: [file:write]}}", "read_file never uses file:write"),
        (
            "tools: {read_file: {restrictions: {network:fetch: {denied_hosts: [a.b]}}}}",
            "read_file never uses network:fetch",
        ),
        ("rules: [{effect: deny, argument: {/path: {regex: 'a^b'}}}]", "no text can match"),
        ("rules: [{effect: deny, argument: {/path: {regex: 'a$b|(c$)d'}}}]", "no text can match"),
    ] {
        hermes.write("p.yaml", &format!("profiles: {{p: {{allow: ['*'], {body}}}}}\n"));
        let ran = hermes.run(&["policy", "lint", "p.yaml"]);
        assert_eq!(ran.code, 5, "{body}");
        assert!(
            ran.stdout.contains("can never match") && ran.stdout.contains(expected),
            "{body}: {}",
            ran.stdout
        );
    }
    for body in [
        "rules: [{effect: deny, permission: file:write, path: /x}]",
        "rules: [{effect: deny, permission: [file:write, network:fetch], path: /x}]",
        "rules: [{effect: deny, tool: write_file, toolset: file, argument: {/path: '*.sql', /mode: append}}]",
        "rules: [{effect: deny, tool: [read_file, write_file], permission: file:write}]",
        "rules: [{effect: deny, tool: mcp_github_push, server: github}]",
        "rules: [{effect: deny, argument: {/path: {regex: '^a.*b$|c'}}}]",
        "tools: {write_file: {deny: [file:write]}}",
    ] {
        hermes.write("p.yaml", &format!("profiles: {{p: {{allow: ['*'], {body}}}}}\n"));
        let ran = hermes.run(&["policy", "lint", "p.yaml"]);
        assert_eq!(ran.code, 0, "{body}: {}", ran.stdout);
    }
}
