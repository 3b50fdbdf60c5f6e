//! What Hermes itself does where commands may write: no link that a command plants leads it elsewhere.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::Hermes;

const PRECIOUS: &[&str] = &["config", "commondir", "config.worktree"];

/// A folder that is none of the session's business, with files in it.
fn elsewhere() -> TempDir {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    for name in PRECIOUS {
        std::fs::write(folder.path().join(name), "precious").unwrap();
    }
    folder
}

#[track_caller]
fn is_untouched(folder: &Path, ran: &Value) {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["commondir", "config", "config.worktree"], "{ran}");
    for name in PRECIOUS {
        assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), "precious", "{ran}");
    }
}

fn call(hermes: &Hermes, tool: &str, arguments: &Value) -> Value {
    hermes.run(&["tools", "call", tool, &arguments.to_string(), "--json"]).json()
}

fn start(hermes: &Hermes, script: &str) -> String {
    hermes.write("background.sh", script);
    let started = call(hermes, "process", &json!({"action": "start", "command": "sh background.sh"}));
    started["session_id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
}

fn end_of(hermes: &Hermes, id: &str) -> Value {
    call(hermes, "process", &json!({"action": "wait", "session_id": id}))
}

/// Waits, in a script, until a file is there.
fn until(file: &str) -> String {
    format!("until test -e {file}; do sleep 0.05; done")
}

#[test]
fn what_stands_in_for_missing_places_is_removed_where_it_was_made() {
    for more in ["", "echo '[core]' > .git/config; mkdir .git/hooks;"] {
        let (hermes, elsewhere) = (Hermes::new(), elsewhere());
        // For a command that began before the repository was there, its folder can be moved.
        let script = format!(
            "mkdir -p .git/objects .git/refs; {more} echo ref: refs/heads/m > .git/HEAD; : > ready
            {}; mv .git moved && ln -s {} .git && : > swapped; {}",
            until("go"),
            elsewhere.path().display(),
            until("over")
        );
        let id = start(&hermes, &script);
        hermes.write("second.sh", &format!("{}; : > go; {}; ls -A moved", until("ready"), until("swapped")));
        // The repository must be there when this one starts.
        hermes.write("first.sh", &until("ready"));
        call(&hermes, "terminal", &json!({"command": "sh first.sh"}));
        let ran = call(&hermes, "terminal", &json!({"command": "sh second.sh"}));
        assert!(ran["output"].as_str().unwrap().contains("config.worktree"), "it stood there: {ran}");
        is_untouched(elsewhere.path(), &ran);
        assert!(!hermes.work().join("moved/config.worktree").exists(), "ours are gone: {ran}");
        hermes.write("over", "");
        let ended = end_of(&hermes, &id);
        is_untouched(elsewhere.path(), &ended);
    }
}

/// Hermes's folder on another disk than the session's.
fn far_home() -> (Hermes, TempDir) {
    let home = tempfile::tempdir_in("/dev/shm").expect("a file system in memory at /dev/shm");
    let hermes = Hermes::new().with_env("HERMES_HOME", home.path().to_str().unwrap());
    let disk = |path: &Path| std::os::unix::fs::MetadataExt::dev(&path.metadata().unwrap());
    assert_ne!(disk(home.path()), disk(&hermes.work()), "two disks");
    (hermes, home)
}

#[test]
fn what_is_taken_away_stays_in_the_sessions_folder_where_disks_differ() {
    let plants: [fn(&Path) -> String; 2] = [
        |outside| format!("ln -s {} hermes-quarantine-$(cat name)", outside.display()),
        |outside| {
            format!(
                "mkdir hermes-quarantine-$(cat name); ln -s {}/config hermes-quarantine-$(cat name)/.gitignore",
                outside.display()
            )
        },
    ];
    for plant in plants {
        let ((hermes, _home), elsewhere) = (far_home(), elsewhere());
        let evil = "echo evil > .envrc; echo evil > .mcp.json; mkdir .husky; echo evil > .husky/pre-commit";
        let script = format!("{}; {}; {evil}", until("name"), plant(elsewhere.path()));
        let id = start(&hermes, &script);
        hermes.write("name.new", &id);
        std::fs::rename(hermes.work().join("name.new"), hermes.work().join("name")).unwrap();
        let ended = end_of(&hermes, &id);
        is_untouched(elsewhere.path(), &ended);
        let note = ended["note"].as_str().unwrap_or_else(|| panic!("{ended}"));
        let kept = note.split(".envrc (now ").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
        let kept = PathBuf::from(kept);
        assert!(kept.starts_with(hermes.work()) && !kept.starts_with(elsewhere.path()), "{note}");
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "evil\n");
        assert_eq!(std::fs::read_to_string(kept.with_file_name(".gitignore")).unwrap(), "*\n");
        for place in [".envrc", ".mcp.json", ".husky"] {
            assert!(hermes.work().join(place).symlink_metadata().is_err(), "{place}: {ended}");
        }
    }
}

/// The list of what was moved is no file that something moved there could be taken for.
#[test]
fn what_is_taken_away_does_not_become_the_list_of_it() {
    let (hermes, elsewhere) = (Hermes::new().with_config(""), elsewhere());
    let profile = "profiles:\n  p: {allow: ['*'], restrictions: {'file:write': {denied_paths: [moved]}}}\n";
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), profile).unwrap();
    hermes.write("plant.sh", &format!("ln -s {}/config moved", elsewhere.path().display()));
    let arguments = json!({"command": "sh plant.sh"}).to_string();
    let ran = hermes.run(&["tools", "call", "terminal", &arguments, "--profile", "p", "--json"]).json();
    is_untouched(elsewhere.path(), &ran);
    assert!(hermes.work().join("moved").symlink_metadata().is_err(), "{ran}");
    assert!(ran["note"].as_str().unwrap().contains("moved.2"), "{ran}");
}

/// Its place would be removed, with everything that is there.
#[test]
fn the_sandbox_is_not_tested_where_commands_write() {
    let (temporary, elsewhere) = (tempfile::tempdir().unwrap(), elsewhere());
    let hermes = Hermes::new().with_env("TMPDIR", temporary.path().to_str().unwrap());
    // Its name told the number of the process.
    let next = std::process::id();
    for number in (1..5_000).chain(next..next + 5_000) {
        let name = temporary.path().join(format!("sandbox-test-{number}"));
        let _ = std::os::unix::fs::symlink(elsewhere.path(), name);
    }
    let ran = hermes.run(&["sandbox", "test"]);
    assert!(elsewhere.path().exists(), "{}", ran.stdout);
    is_untouched(elsewhere.path(), &json!(ran.stdout));
    let left = std::fs::read_dir(hermes.home()).unwrap().flatten();
    let is_place = |name: String| name.contains("sandbox-test");
    assert!(!left.into_iter().any(|entry| is_place(entry.file_name().into_string().unwrap())));
}

#[test]
fn sockets_of_ssh_are_not_where_commands_write() {
    let (around, elsewhere) = (tempfile::tempdir().unwrap(), elsewhere());
    let home = around.path().join("a-long-name-".repeat(8));
    let temporary = around.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let hermes = Hermes::new()
        .with_env("HERMES_HOME", home.to_str().unwrap())
        .with_env("TMPDIR", temporary.to_str().unwrap());
    let user = std::os::unix::fs::MetadataExt::uid(&around.path().metadata().unwrap());
    std::os::unix::fs::symlink(elsewhere.path(), temporary.join(format!("hermes-ssh-{user}"))).unwrap();
    let set = ["--set", "terminal.env_type=ssh", "--set", "terminal.ssh_host=127.0.0.1"];
    let call =
        ["tools", "call", "terminal", "{\"command\": \"true\"}", "--json", "--set", "terminal.ssh_port=1"];
    let ran = hermes.run(&[&call[..], &set].concat());
    is_untouched(elsewhere.path(), &json!(ran.stdout));
    assert!(home.join("ssh").is_dir(), "{}{}", ran.stdout, ran.stderr);
}
