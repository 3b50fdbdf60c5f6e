//! What guards stand for every way to the same thing: file tools, commands, links, other spellings.

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
        assert_eq!(self.explained(&[], command), expected, "explain command says otherwise of {command}");
    }

    /// What `explain command` says.
    #[track_caller]
    fn explained(&self, flags: &[&str], command: &str) -> String {
        let ran = self.hermes.run(&[&["explain", "command", command, "--json"], flags].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.json()["verdict"].as_str().unwrap().to_owned()
    }
}

#[test]
fn explain_decides_by_the_policy_in_force() {
    let user = User::new();
    assert_eq!(user.explained(&[], "ls"), "allow");
    assert_eq!(user.explained(&["--profile", "readonly_research"], "ls"), "deny");
    assert_eq!(user.explained(&["--set", "permissions.deny=[terminal:execute]"], "ls"), "deny");
    user.says("cat /proc/1/cmdline", "deny");
}

#[test]
fn a_link_in_the_place_of_an_allowed_folder_opens_nothing() {
    let user = User::new();
    let (work, outside) = (user.hermes.work(), user.home.join("outside"));
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("f"), "private").unwrap();
    symlink(&outside, work.join("data")).unwrap();
    for path in ["data/f".to_owned(), outside.join("f").display().to_string()] {
        let access = json!({"tool": "read_file", "access": [{"permission": "file:read", "path": path}]});
        let decided = user.hermes.explained(&["--set", "permissions.read_roots=[data]"], &access);
        assert_eq!(decided["verdict"], "deny", "{path}: {}", decided["decision"]);
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
        format!("cp evil.yaml {own}/config.yaml"),
        format!("sed -i s/a/b/ {own}/config.yaml"),
        format!("grep -rn mode {own}"),
        format!("some-program --db {own}/state.db"),
        format!("some-program --db={own}/state.db"),
        format!("bash -c 'cp {own}/state.db .'"),
        format!("tar czf all.tgz {own}"),
        format!("cat {}*/state.db", own.trim_end_matches('e')),
        format!("find {own} -type f -exec cat {{}} +"),
        format!("cat {own}/../home/state.db"),
        format!("cat < {own}/state.db"),
        "ln -s ../home h && cat h/state.db".to_owned(),
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
        format!("grep -n mode {own}/config.yaml"),
        format!("cat {own}/config.yaml | head"),
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

/// No path tells the other names of a file; the object does.
#[test]
fn a_second_name_of_a_guarded_file_is_that_file() {
    let user = User::new();
    let (own, work) = (user.hermes.home(), user.hermes.work());
    for (file, second) in [
        (own.join(".env"), "env"),
        (own.join("config.yaml"), "settings"),
        (user.home.join(".ssh/config"), "hosts"),
    ] {
        std::fs::write(&file, "{}\n").unwrap();
        std::fs::hard_link(&file, work.join(second)).unwrap();
    }
    user.says("cat env", "deny");
    user.says("some-program env", "deny");
    user.says("echo x >> settings", "deny");
    user.says("cat settings", "allow");
    user.says("cat hosts", "ask");
    for (tool, arguments, code) in [
        ("read_file", json!({"path": "env"}), 3),
        ("write_file", json!({"path": "settings", "content": "x"}), 3),
        ("read_file", json!({"path": "settings"}), 0),
        ("read_file", json!({"path": "hosts"}), 4),
    ] {
        let ran = user.hermes.run(&["tools", "call", tool, &arguments.to_string()]);
        assert_eq!(ran.code, code, "{tool} {arguments}: {}{}", ran.stdout, ran.stderr);
    }
    // A command that hides what it opens meets the walls.
    let hidden = json!({"command": "f=$(ls | grep '^e'); cat \"$f\"; cat < hos*; true"}).to_string();
    let ran = user.hermes.run(&["tools", "call", "terminal", &hidden, "--json"]);
    assert!(!ran.stdout.contains("{}\\n"), "{}", ran.stdout);
    assert_eq!(std::fs::read_to_string(own.join("config.yaml")).unwrap(), "{}\n");
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
