//! Repositories below the session's folder, and the home folder wherever it lies: a command leaves nothing there that the
//! person's own programs would run.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Hermes, Ran};

fn script(hermes: &Hermes, run: fn(&Hermes, &[&str]) -> Ran, text: &str) -> Value {
    hermes.write("script.sh", text);
    let arguments = json!({"command": "sh script.sh; true"}).to_string();
    run(hermes, &["tools", "call", "terminal", &arguments, "--json"]).json()
}

fn git(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=a", "-c", "user.email=b"]).args(words);
    let ran = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

const EMBEDDED: &str = "git init -q deep/m; printf '[core]\\n\\tfsmonitor = touch ../../ran;false\\n' >> deep/m/.git/config
    cd deep/m; echo x > y; git -c user.name=n -c user.email=a@b add y; git -c user.name=n -c user.email=a@b commit -qm x
    cd ../..; git add deep/m; git init -q fine
    mkdir -p .git/modules/s/objects .git/modules/s/refs s; echo ref: refs/heads/m > .git/modules/s/HEAD
    printf '[core]\\n\\tworktree = ../../../s\\n\\tfsmonitor = touch ../ran;false\\n' > .git/modules/s/config; echo gitdir: ../.git/modules/s > s/.git
    mkdir -p away; git init -q /tmp/SHARED; echo gitdir: /tmp/SHARED/.git > away/.git
    rm -f ran";

#[test]
fn new_repositories_below_run_nothing() {
    let hermes = Hermes::new();
    git(&hermes.work(), &["init", "-q"]);
    let shared = format!("hermes-nested-{}", std::process::id());
    let ran = script(&hermes, Hermes::run, &EMBEDDED.replace("SHARED", &shared));
    let _ = std::fs::remove_dir_all(Path::new("/tmp").join(&shared));
    let note = ran["note"].as_str().unwrap_or_default();
    for place in ["deep/m/.git/config", ".git/modules/s/config", "away/.git"] {
        assert!(note.contains(place), "{place}: {ran}");
        assert!(!hermes.work().join(place).exists(), "{place}: {ran}");
    }
    for kept in ["fine/.git/config", "fine/.git/hooks", "deep/m/.git/HEAD", "s/.git"] {
        assert!(hermes.work().join(kept).exists(), "{kept}: {ran}");
    }
    git(&hermes.work(), &["status"]);
    assert!(!hermes.work().join("ran").exists(), "{ran}");
}

/// What was there is put back; what runs nothing, and what is done with a repository as a whole, stays done.
#[test]
fn repositories_that_were_there_run_what_they_ran_before() {
    let hermes = Hermes::new();
    let app = hermes.work().join("sub/app");
    for folder in ["sub/app", "gone"] {
        git(&hermes.work(), &["init", "-q", folder]);
    }
    git(&app, &["config", "alias.st", "status"]);
    std::fs::write(app.join(".git/hooks/pre-push"), "mine").unwrap();
    let before = read(&app.join(".git/config"));
    let ran = script(
        &hermes,
        Hermes::run,
        "cd sub/app; echo x > .git/hooks/pre-commit; echo x > .git/hooks/pre-push; git config core.fsmonitor x
        rm -r ../../gone",
    );
    assert_eq!(read(&app.join(".git/config")), before, "{ran}");
    assert_eq!(read(&app.join(".git/hooks/pre-push")), "mine", "{ran}");
    assert!(!app.join(".git/hooks/pre-commit").exists() && !hermes.work().join("gone").exists(), "{ran}");
    assert!(ran["note"].as_str().unwrap_or_default().contains("sub/app/.git/config"), "{ran}");
    let ran = script(&hermes, Hermes::run, "cd sub/app; git remote add o https://example.invalid/x.git");
    assert!(read(&app.join(".git/config")).contains("example.invalid"), "{ran}");
    assert!(!ran["note"].as_str().unwrap_or_default().contains("sub/app"), "{ran}");
}

/// Without namespaces nothing smaller than the session's folder is read-only.
#[test]
fn behind_a_fence_the_settings_of_the_repository_are_put_back() {
    let hermes = Hermes::new();
    git(&hermes.work(), &["init", "-q"]);
    let settings = hermes.work().join(".git/config");
    let before = read(&settings);
    let attack = "echo x > .git/hooks/pre-commit; printf '[core]\\n\\tfsmonitor = x\\n' >> .git/config; echo x > .git/commondir";
    let ran = script(&hermes, Hermes::run_without_namespaces, attack);
    assert_eq!(ran["ran"]["sandbox"], json!("fenced"), "{ran}");
    assert!(ran["ran"]["lacking"].as_str().unwrap().contains("modes and times of files elsewhere"), "{ran}");
    assert_eq!(read(&settings), before, "{ran}");
    for planted in [".git/hooks/pre-commit", ".git/commondir"] {
        assert!(!hermes.work().join(planted).exists(), "{planted}: {ran}");
        assert!(ran["note"].as_str().unwrap_or_default().contains(planted), "{planted}: {ran}");
    }
}

const HOME_FILES: &[&str] = &[
    ".gitconfig",
    ".vimrc",
    ".emacs",
    ".mailcap",
    ".lesskey",
    ".pip/pip.conf",
    ".wgetrc",
    ".curlrc",
    ".bashrc",
    ".Xresources",
];

#[test]
fn settings_of_the_home_are_not_made_where_the_session_is_at_home() {
    let hermes = Hermes::new();
    let home = hermes.work();
    let hermes = hermes.with_env("HOME", &home.display().to_string());
    std::fs::write(home.join(".profile"), "mine").unwrap();
    let plant: Vec<String> =
        HOME_FILES.iter().map(|name| format!("mkdir -p $(dirname {name}); echo x > {name}")).collect();
    let text = format!(
        "{}; echo x > .profile; echo x > .gitignore; mkdir .cache; echo x > notes.md",
        plant.join("; ")
    );
    let ran = script(&hermes, Hermes::run, &text);
    for name in HOME_FILES {
        assert!(!home.join(name).exists(), "{name}: {ran}");
    }
    assert_eq!(read(&home.join(".profile")), "mine", "{ran}");
    for name in [".gitignore", ".cache", "notes.md"] {
        assert!(home.join(name).exists(), "{name}: {ran}");
    }
    assert!(ran["note"].as_str().unwrap_or_default().contains(".gitconfig"), "{ran}");
}

#[test]
fn a_home_below_a_folder_for_temporary_files_is_kept_all_the_same() {
    let hermes = Hermes::new();
    let own = tempfile::tempdir_in("/tmp").unwrap();
    let home = own.path().join("ada");
    std::fs::create_dir_all(home.join(".cache")).unwrap();
    std::fs::write(home.join(".bashrc"), "mine").unwrap();
    let hermes = hermes.with_env("HOME", &home.display().to_string());
    let plant: Vec<String> =
        HOME_FILES.iter().map(|name| format!("mkdir -p $(dirname ~/{name}); echo x > ~/{name}")).collect();
    let text = format!(
        "{}; echo x > ~/.cache/x; mv ~ {}; echo x > ../x",
        plant.join("; "),
        own.path().join("bob").display()
    );
    let ran = script(&hermes, Hermes::run, &text);
    assert_eq!(read(&home.join(".bashrc")), "mine", "{ran}");
    for name in HOME_FILES.iter().filter(|name| **name != ".bashrc") {
        assert!(!home.join(name).exists(), "{name}: {ran}");
    }
    assert!(home.join(".cache/x").exists(), "what the rules open is open: {ran}");
}

/// Variables that make every command one to ask about can be taken away without asking.
#[test]
fn there_is_a_way_back_from_bad_variables() {
    let hermes = Hermes::new().with_config("");
    std::fs::write(
        hermes.home().join(".env"),
        "BASH_ENV=/tmp/hermes-evil\nLD_LIBRARY_PATH=/tmp/hermes-evil\n",
    )
    .unwrap();
    let call = |command: &str| {
        let arguments = json!({"command": command}).to_string();
        hermes.run(&["tools", "call", "terminal", &arguments, "--session", "s", "--json"]).json()
    };
    for asked in ["echo hi; true", "unset BASH_ENV; echo hi", "unset LD_LIBRARY_PATH"] {
        let answer = call(asked);
        let passes = asked == "unset LD_LIBRARY_PATH";
        assert_eq!(answer["code"] == json!("approval_required"), !passes, "{asked}: {answer}");
    }
    assert_eq!(call("unset BASH_ENV")["exit_code"], json!(0));
    let again = call("echo hi; ls / > /dev/null && echo \"[$BASH_ENV]\"");
    assert_eq!(again["output"], json!("hi\n[]"), "{again}");
}
