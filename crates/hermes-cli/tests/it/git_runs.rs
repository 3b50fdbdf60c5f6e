//! What git runs in the session's folder, around it and below it: no command changes it on its own.

use std::path::Path;

use serde_json::json;

use crate::harness::Hermes;
use crate::vacant::{is_there, script};

#[test]
fn a_repository_that_runs_nothing_may_be_made() {
    let hermes = Hermes::new();
    let call = |command: &str| {
        let arguments = json!({"command": command}).to_string();
        hermes.run(&["tools", "call", "terminal", &arguments, "--json"]).json()
    };
    let made = call("git init -q . && git -c user.name=a -c user.email=b commit -q --allow-empty -m first");
    assert_eq!(made["exit_code"], json!(0), "{made}");
    assert!(!made["note"].as_str().unwrap_or_default().contains("moved away"), "{made}");
    assert!(is_there(&hermes.work().join(".git/config")) && is_there(&hermes.work().join(".git/hooks")));
    // From now on it is kept as every repository is, at once.
    let planted = script(&hermes, Hermes::run, "echo x > .git/hooks/pre-commit; echo x >> .git/config", &[]);
    assert!(!is_there(&hermes.work().join(".git/hooks/pre-commit")), "{planted}");
    assert_eq!(call("git log --format=%s")["output"], json!("first"));
    // In one command.
    let other = Hermes::new();
    let text = "git init -q . && git config core.hooksPath /tmp/x && echo x > .git/hooks/post-checkout; true";
    let ran = script(&other, Hermes::run, text, &[]);
    assert!(!is_there(&other.work().join(".git/hooks/post-checkout")), "{ran}");
    let config = std::fs::read_to_string(other.work().join(".git/config")).unwrap_or_default();
    assert!(!config.contains("hooksPath") && is_there(&other.work().join(".git/HEAD")), "{config}");
}

/// Git takes a folder with the right names in it for a repository, whatever it is called.
#[test]
fn the_sessions_folder_does_not_become_a_repository_that_runs_something() {
    let hermes = Hermes::new();
    hermes.write("hooks/own.ts", "mine");
    let text = "mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\\n\\tfsmonitor = /tmp/x\\n' > config";
    let ran = script(&hermes, Hermes::run, text, &[]);
    assert!(!is_there(&hermes.work().join("HEAD")), "{ran}");
    assert!(is_there(&hermes.work().join("hooks/own.ts")), "what was there before stays: {ran}");
    let bare = Hermes::new();
    let ran = script(&bare, Hermes::run, "git init -q --bare .", &[]);
    assert!(is_there(&bare.work().join("HEAD")), "{ran}");
    let ran =
        script(&bare, Hermes::run, "echo x > hooks/post-update; echo x >> config; echo x > description", &[]);
    assert!(!is_there(&bare.work().join("hooks/post-update")), "{ran}");
    assert!(!std::fs::read_to_string(bare.work().join("config")).unwrap().contains('x'), "{ran}");
    assert_eq!(std::fs::read_to_string(bare.work().join("description")).unwrap(), "x\n", "{ran}");
}

/// The `.git` of a work tree is a file that names a repository elsewhere.
#[test]
fn the_repository_that_a_work_tree_names_is_kept_where_commands_may_write() {
    let hermes = Hermes::new();
    let elsewhere = tempfile::tempdir_in("/tmp").unwrap();
    let repository = elsewhere.path().join("main");
    let git = |folder: &Path, words: &[&str]| {
        let done = std::process::Command::new("git").current_dir(folder).args(words).status().unwrap();
        assert!(done.success(), "{words:?}");
    };
    git(elsewhere.path(), &["init", "-q", "main"]);
    let who = ["-c", "user.name=a", "-c", "user.email=b"];
    git(&repository, &[&who[..], &["commit", "-q", "--allow-empty", "-m", "first"]].concat());
    let tree = hermes.work().join("tree");
    git(&repository, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    let main = repository.display();
    let attack = format!(
        "echo x > {main}/.git/hooks/pre-commit; echo x >> {main}/.git/config; echo x > {main}/.git/worktrees/tree/config.worktree
        mv {main}/.git {main}/moved; mv {main} {main}2; mkdir -p {main}/.git/hooks; echo x > {main}/.git/hooks/pre-commit
        rm -f .git; git status --short; echo y > y; git add y; echo $?"
    );
    std::fs::write(tree.join("script.sh"), attack).unwrap();
    let before = std::fs::read_to_string(repository.join(".git/config")).unwrap();
    let arguments = json!({"command": "sh script.sh"}).to_string();
    let ran =
        hermes.run(&["-C", tree.to_str().unwrap(), "tools", "call", "terminal", &arguments, "--json"]).json();
    assert!(!is_there(&repository.join(".git/hooks/pre-commit")), "{ran}");
    assert_eq!(std::fs::read_to_string(repository.join(".git/config")).unwrap(), before, "{ran}");
    assert!(!is_there(&repository.join(".git/worktrees/tree/config.worktree")), "{ran}");
    assert!(ran["output"].as_str().unwrap().ends_with('0'), "git itself works: {ran}");
}

#[test]
fn no_repository_below_is_made_to_run_programs() {
    let hermes = Hermes::new();
    let work = hermes.work();
    let git = |arguments: &[&str]| {
        let ran = std::process::Command::new("git").args(arguments).current_dir(&work).output().unwrap();
        assert!(ran.status.success(), "{arguments:?}: {ran:?}");
    };
    git(&["init", "-q"]);
    git(&["init", "-q", "app"]);
    git(&["-C", "app", "config", "core.pager", "less"]);
    git(&["-C", "app", "config", "core.fsmonitor", "../watch.sh"]);
    git(&["-C", "app", "config", "core.hooksPath", "ci"]);
    hermes.write("watch.sh", "mine");
    hermes.write("app/ci/pre-push", "mine");
    let mine = std::fs::read_to_string(work.join("app/.git/config")).unwrap();
    let plant = "runs='\tfsmonitor = touch ran;false\n'
        git init -q m; printf \"$runs\" >> m/.git/config
        mkdir -p .git/modules/n/objects .git/modules/n/refs n; echo ref: refs/heads/m > .git/modules/n/HEAD
        printf \"[core]\\n$runs\" > .git/modules/n/config; echo gitdir: ../.git/modules/n > n/.git
        printf \"$runs\" >> app/.git/config; echo x > app/.git/hooks/pre-commit
        echo x > app/ci/pre-push; echo x > app/ci/pre-commit; echo x > watch.sh
        git init -q plain; git -C plain remote add o https://example.invalid/x";
    let ran = script(&hermes, Hermes::run, plant, &[]);
    for gone in ["m/.git/config", ".git/modules/n/config", "app/.git/hooks/pre-commit", "app/ci/pre-commit"] {
        assert!(!is_there(&work.join(gone)), "{gone}: {ran}");
        assert!(ran["note"].as_str().unwrap_or_default().contains(gone), "{gone}: {ran}");
    }
    assert_eq!(std::fs::read_to_string(work.join("app/.git/config")).unwrap(), mine, "{ran}");
    for kept in ["watch.sh", "app/ci/pre-push"] {
        assert_eq!(std::fs::read_to_string(work.join(kept)).unwrap(), "mine", "{kept}: {ran}");
    }
    let plain = std::fs::read_to_string(work.join("plain/.git/config")).unwrap();
    assert!(plain.contains("example.invalid"), "{plain}: {ran}");
    // A repository below is removed like anything else.
    script(&hermes, Hermes::run, "rm -rf app m plain", &[]);
    assert!(!is_there(&work.join("app")) && !is_there(&work.join("plain")));
}

/// Git looks for a repository in the folders around, too.
#[test]
fn no_repository_around_is_made_to_run_programs() {
    let home = tempfile::tempdir().unwrap();
    let hermes = Hermes::new().with_env("HOME", home.path().to_str().unwrap());
    let (around, inner) = (hermes.work(), hermes.work().join("inner"));
    let run = |text: &str| {
        hermes.write("inner/script.sh", text);
        let arguments = json!({"command": "sh script.sh; true"}).to_string();
        hermes.run(&["-C", inner.to_str().unwrap(), "tools", "call", "terminal", &arguments, "--json"]).json()
    };
    let settings = || std::fs::read_to_string(around.join(".git/config")).unwrap_or_default();
    let made = run("git init -q ..; git -C .. config core.fsmonitor ./x; echo x > ../.git/hooks/pre-commit");
    assert!(!settings().contains("fsmonitor") && !is_there(&around.join(".git/hooks/pre-commit")), "{made}");
    assert!(made["note"].as_str().unwrap_or_default().contains(".git/config"), "{made}");
    run("rm -rf ../.git");
    let git = std::process::Command::new("git").args(["init", "-q"]).current_dir(&around).status();
    assert!(git.unwrap().success());
    let before = settings();
    let changed = run("git config core.fsmonitor ./x; echo x > ../.git/hooks/pre-commit; mv ../.git ../moved
        touch a; git add a; echo $?");
    assert!(settings() == before && !is_there(&around.join(".git/hooks/pre-commit")), "{changed}");
    assert!(changed["output"].as_str().unwrap().ends_with('0'), "git itself works: {changed}");
}

/// What the settings of git name is run as what lies in the repository.
#[test]
fn what_settings_of_git_name_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let hermes = Hermes::new().with_env("HOME", home.path().to_str().unwrap());
    let work = hermes.work();
    let git = |words: &[&str]| {
        let done = std::process::Command::new("git").args(words).current_dir(&work).status().unwrap();
        assert!(done.success(), "{words:?}");
    };
    git(&["init", "-q"]);
    git(&["config", "core.fsmonitor", "./watch.sh"]);
    git(&["config", "filter.x.clean", "python3 clean.py %f"]);
    git(&["config", "core.sshCommand", "tools/ssh -x"]);
    git(&["config", "diff.external", "./led"]);
    hermes.write("watch.sh", "mine");
    std::os::unix::fs::symlink("watch.sh", work.join("led")).unwrap();
    hermes.write("clean.py", "mine");
    let shared = format!("[include]\n\tpath = {}/shared\n", work.display());
    std::fs::write(home.path().join(".gitconfig"), shared).unwrap();
    let plant = "for name in watch.sh clean.py shared fine; do echo x > $name; done
        rm -f watch.sh led; echo x > led; mkdir tools; echo x > tools/ssh";
    let ran = script(&hermes, Hermes::run, plant, &[]);
    for (name, text) in [("watch.sh", "mine"), ("clean.py", "mine"), ("fine", "x\n")] {
        assert_eq!(std::fs::read_to_string(work.join(name)).unwrap(), text, "{name}: {ran}");
    }
    assert!(work.join("led").is_symlink(), "{ran}");
    assert!(!is_there(&work.join("shared")) && !is_there(&work.join("tools/ssh")), "{ran}");
}

/// Submodules and further work trees have a file in the place of their repository, and what the person's own settings name
/// counts in them too.
#[test]
fn what_settings_name_for_repositories_below_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let hermes = Hermes::new().with_env("HOME", home.path().to_str().unwrap());
    let work = hermes.work();
    std::fs::write(home.path().join(".gitconfig"), "[core]\n\thooksPath = .githooks\n").unwrap();
    hermes.write(".git/modules/sub/HEAD", "ref: refs/heads/m\n");
    hermes.write(".git/modules/sub/config", "[core]\n\tfsmonitor = ci/watch\n");
    for part in ["objects", "refs"] {
        std::fs::create_dir_all(work.join(".git/modules/sub").join(part)).unwrap();
    }
    hermes.write("sub/.git", "gitdir: ../.git/modules/sub\n");
    hermes.write("app/.git/HEAD", "ref: refs/heads/m\n");
    let kept = ["sub/ci/watch", "sub/.githooks/pre-commit", "app/.githooks/pre-commit"];
    for place in kept {
        hermes.write(place, "mine");
    }
    let plant = format!("for f in {} app/.githooks/pre-push sub/fine; do echo x > $f; done", kept.join(" "));
    let ran = script(&hermes, Hermes::run, &plant, &[]);
    for place in kept {
        assert_eq!(std::fs::read_to_string(work.join(place)).unwrap(), "mine", "{place}: {ran}");
    }
    assert!(!is_there(&work.join("app/.githooks/pre-push")) && is_there(&work.join("sub/fine")), "{ran}");
}

/// What settings of a repository around name is there for it as it is for one of the folder itself.
#[test]
fn what_settings_of_a_repository_around_name_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let hermes = Hermes::new().with_env("HOME", home.path().to_str().unwrap());
    let (around, inner) = (hermes.work(), hermes.work().join("inner"));
    hermes.write(".git/HEAD", "ref: refs/heads/m\n");
    hermes.write(".git/config", "[core]\n\thooksPath = ci\n");
    hermes.write("ci/pre-commit", "mine");
    hermes.write("inner/script.sh", "echo x > ../ci/pre-commit; mv ../ci ../moved; echo x > ../fine");
    let arguments = json!({"command": "sh script.sh; true"}).to_string();
    let ran = hermes
        .run(&["-C", inner.to_str().unwrap(), "tools", "call", "terminal", &arguments, "--json"])
        .json();
    assert_eq!(std::fs::read_to_string(around.join("ci/pre-commit")).unwrap(), "mine", "{ran}");
    assert!(is_there(&around.join("fine")), "{ran}");
}
