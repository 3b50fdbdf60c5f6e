//! Walls around single files, while somebody outside replaces the files as git and editors do: by a new one that is
//! moved over the old.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Hermes, Ran};

type Run = fn(&Hermes, &[&str]) -> Ran;

fn replace(path: &Path, text: &str) {
    let new = path.with_extension("new");
    std::fs::write(&new, text).unwrap();
    // Whoever runs the command could write it, were it not for the walls.
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o666)).unwrap();
    std::fs::rename(new, path).unwrap();
}

fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Waits, in a script, as long as the condition holds, but not for ever.
fn while_it_holds(condition: &str) -> String {
    format!("n=0; while {condition} && test $n -lt 600; do sleep 0.05; n=$((n+1)); done")
}

/// Starts a script in the background, does something once the script has said `ready`, and says what came of it.
fn meanwhile(hermes: &Hermes, run: Run, script: &str, outside: impl FnOnce()) -> Value {
    let script = format!(": > ready; {}\n{script}", while_it_holds("test ! -e go"));
    hermes.write("script.sh", &script);
    let call = |arguments: Value| {
        run(hermes, &["tools", "call", "process", &arguments.to_string(), "--json"]).json()
    };
    let started = call(json!({"action": "start", "command": "sh script.sh"}));
    let id = started["session_id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    while !hermes.work().join("ready").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    outside();
    hermes.write("go", "");
    call(json!({"action": "wait", "session_id": id}))
}

fn protected_files_stay_protected(run: Run) {
    let hermes = Hermes::new();
    put(&hermes.work().join(".git/config"), "[core]\n");
    put(&hermes.work().join(".git/HEAD"), "ref: refs/heads/main\n");
    put(&hermes.work().join(".mcp.json"), "{}");
    let files = [".git/config", ".mcp.json"].map(|name| hermes.work().join(name));
    // Whoever stands walls up again is not kept from it either.
    let blind =
        "python3 -c 'import resource; resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))' 2>/dev/null";
    let script = format!(
        "{blind}; {}; {}; echo evil >> .git/config; echo evil >> .mcp.json; rm -f .mcp.json; echo fine > kept",
        while_it_holds("test -w .git/config"),
        while_it_holds("test -w .mcp.json")
    );
    let ended = meanwhile(&hermes, run, &script, || {
        files.iter().for_each(|file| replace(file, "new"));
        // Twice: what was put back falls too.
        files.iter().for_each(|file| replace(file, "newer"));
    });
    for file in files {
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "newer", "{}: {ended}", file.display());
    }
    assert!(hermes.work().join("kept").exists(), "{ended}");
}

#[test]
fn protected_files_that_are_replaced_outside_stay_protected() {
    protected_files_stay_protected(Hermes::run);
}

#[test]
fn they_stay_protected_from_commands_of_nobody_too() {
    protected_files_stay_protected(Hermes::run_as_nobody);
}

const SECRETS: &[&str] = &[".netrc", ".git-credentials", ".docker/config.json"];

fn home_with_secrets(around: &str) -> TempDir {
    let home = tempfile::tempdir_in(around).unwrap();
    for secret in SECRETS {
        put(&home.path().join(secret), "OLD-SECRET");
    }
    for file in [".gitconfig", ".docker/features.json", "project/file", "sub/deep/file"] {
        put(&home.path().join(file), &format!("fine {file}\n"));
    }
    std::os::unix::fs::symlink("sub/deep", home.path().join("link")).unwrap();
    home
}

fn secrets_stay_hidden(around: &str) {
    let home = home_with_secrets(around);
    let at = |name: &str| home.path().join(name).display().to_string();
    let hermes = Hermes::new()
        .with_env("HOME", home.path().to_str().unwrap())
        .with_config(&format!("terminal: {{sandbox: {{writable: ['{}']}}}}\n", at("project")));
    let mut script = String::new();
    for secret in SECRETS {
        script.push_str(&format!(
            "{}; cat {}\n",
            while_it_holds(&format!("test -r {}", at(secret))),
            at(secret)
        ));
    }
    for file in [".gitconfig", ".docker/features.json", "link/file"] {
        script.push_str(&format!("cat {}\n", at(file)));
    }
    script.push_str(&format!(
        "echo made > {}; echo no > {}; ls {}\n",
        at("project/new"),
        at("other"),
        at("")
    ));
    let ended = meanwhile(&hermes, Hermes::run, &script, || {
        SECRETS.iter().for_each(|secret| replace(&home.path().join(secret), "NEW-SECRET"));
    });
    let output = ended["output"].as_str().unwrap();
    assert!(!output.contains("SECRET"), "{ended}");
    for fine in ["fine .gitconfig", "fine .docker/features.json", "fine sub/deep/file", "project"] {
        assert!(output.contains(fine), "{fine}: {ended}");
    }
    assert_eq!(std::fs::read_to_string(home.path().join("project/new")).unwrap(), "made\n", "{ended}");
    for secret in SECRETS {
        assert_eq!(std::fs::read_to_string(home.path().join(secret)).unwrap(), "NEW-SECRET");
    }
}

#[test]
fn secrets_that_are_replaced_outside_stay_hidden() {
    secrets_stay_hidden(env!("CARGO_TARGET_TMPDIR"));
}

#[test]
fn they_stay_hidden_where_commands_may_write_around_them() {
    secrets_stay_hidden("/var/tmp");
}

/// Where a folder is hidden for a file in it, there is no moment in which a new one shows.
#[test]
fn a_command_that_waits_for_a_new_secret_never_sees_it() {
    let home = home_with_secrets(env!("CARGO_TARGET_TMPDIR"));
    let hermes = Hermes::new().with_env("HOME", home.path().to_str().unwrap());
    let at = |name: &str| home.path().join(name).display().to_string();
    let files = SECRETS.iter().map(|secret| at(secret)).collect::<Vec<_>>().join(" ");
    hermes.write("greedy.sh", &format!("while test ! -e over; do cat {files} 2>/dev/null; done; true"));
    hermes.write("script.sh", ": > ready; sh greedy.sh");
    let start = json!({"action": "start", "command": "sh script.sh"}).to_string();
    let started = hermes.run(&["tools", "call", "process", &start, "--json"]).json();
    while !hermes.work().join("ready").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    for round in 0..500 {
        SECRETS.iter().for_each(|secret| replace(&home.path().join(secret), &format!("NEW-SECRET {round}")));
    }
    hermes.write("over", "");
    let wait = json!({"action": "wait", "session_id": started["session_id"]}).to_string();
    let ended = hermes.run(&["tools", "call", "process", &wait, "--json"]).json();
    assert!(!ended.to_string().contains("SECRET"), "{ended}");
}
