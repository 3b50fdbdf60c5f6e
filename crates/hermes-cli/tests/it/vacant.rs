//! Places that make other programs run something, in a folder where there are none yet: no command makes one on its
//! own, and nothing is lost.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Hermes, Ran};

/// One of every kind: files, folders, files in folders, links that lead in and out, names in other letters, folders that
/// let nothing out.
const PLANT: &str = "mkdir -p .git/hooks .husky .vscode .claude/hooks elsewhere
    echo x > .git/hooks/pre-commit; printf '[core]\\n hooksPath = /tmp\\n' > .git/config
    echo x > .husky/pre-commit; chmod 555 .husky
    echo x > .vscode/tasks.json; echo fine > .vscode/extensions.json; chmod 555 .vscode
    echo x > .envrc; echo x > .mcp.json; echo x > a.code-workspace; echo x > .Rprofile
    echo x > elsewhere/settings.json; ln -s elsewhere .zed; ln -s /nonexistent .codex; chmod 555 .claude
    echo fine > kept; echo A=1 > .env";

const PLANTED: &[&str] = &[
    ".git/hooks/pre-commit",
    ".git/config",
    ".husky",
    ".vscode/tasks.json",
    ".envrc",
    ".mcp.json",
    "a.code-workspace",
    ".Rprofile",
    ".zed/settings.json",
    ".codex",
    ".claude/hooks",
];

type Run = fn(&Hermes, &[&str]) -> Ran;

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn script(hermes: &Hermes, run: Run, text: &str, more: &[&str]) -> Value {
    hermes.write("script.sh", text);
    let arguments = json!({"command": "sh script.sh; true"}).to_string();
    run(hermes, &[&["tools", "call", "terminal", &arguments, "--json"], more].concat()).json()
}

fn nothing_planted_stays(run: Run) {
    let hermes = Hermes::new();
    let ran = script(&hermes, run, PLANT, &[]);
    for place in PLANTED {
        assert!(!is_there(&hermes.work().join(place)), "{place}: {ran}");
    }
    let note = ran["note"].as_str().unwrap_or_else(|| panic!("{ran}"));
    for place in [".husky", ".vscode/tasks.json", ".envrc", "a.code-workspace", ".git/hooks"] {
        assert!(note.contains(place), "{place}: {note}");
    }
    for stays in ["kept", ".env", ".vscode/extensions.json", "elsewhere", ".git"] {
        assert!(is_there(&hermes.work().join(stays)), "{stays}: {ran}");
    }
    // Nothing is lost.
    let kept = note.split(".envrc (now ").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "x\n");
    assert!(Path::new(kept).starts_with(hermes.home().join("quarantine")), "{kept}");
    // The next command meets the same.
    let again = script(&hermes, run, "echo y > .envrc; ln -s /tmp .husky", &[]);
    assert!(!is_there(&hermes.work().join(".envrc")) && !is_there(&hermes.work().join(".husky")), "{again}");
}

#[test]
fn what_a_command_plants_is_taken_away_when_it_ends() {
    nothing_planted_stays(Hermes::run);
}

#[test]
fn what_a_command_of_nobody_plants_is_taken_away_too() {
    nothing_planted_stays(Hermes::run_as_nobody);
}

#[test]
fn what_a_fenced_command_plants_is_taken_away_too() {
    nothing_planted_stays(Hermes::run_without_namespaces);
}

#[test]
fn scripts_and_commands_in_the_background_plant_nothing_either() {
    let hermes = Hermes::new();
    let arguments = json!({"code": "open('.envrc', 'w').write('x')"}).to_string();
    let ran = hermes.run(&["tools", "call", "execute_code", &arguments, "--json"]).json();
    assert!(!is_there(&hermes.work().join(".envrc")), "{ran}");
    assert!(ran["note"].as_str().unwrap().contains(".envrc"), "{ran}");
    hermes.write("script.sh", "echo x > .mcp.json");
    let start = json!({"action": "start", "command": "sh script.sh"}).to_string();
    let started = hermes.run(&["tools", "call", "process", &start, "--json"]).json();
    let wait = json!({"action": "wait", "session_id": started["session_id"]}).to_string();
    let ended = hermes.run(&["tools", "call", "process", &wait, "--json"]).json();
    assert!(!is_there(&hermes.work().join(".mcp.json")), "{ended}");
    assert!(ended["note"].as_str().unwrap_or_default().contains(".mcp.json"), "{ended}");
}

#[test]
fn a_killed_runtime_leaves_nothing_planted() {
    let hermes = Hermes::new();
    hermes.write("script.sh", "echo x > .envrc; mkdir .husky; : > started; sleep 1000");
    let mut server = hermes.spawn(&["run", "--jsonl"]);
    let call = json!({"id": 1, "name": "terminal", "arguments": {"command": "sh script.sh"}});
    writeln!(server.stdin.take().unwrap(), "{call}").unwrap();
    let wait_for = |what: &dyn Fn() -> bool| {
        let end = Instant::now() + Duration::from_secs(60);
        while !what() {
            assert!(Instant::now() < end, "it does not come");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait_for(&|| is_there(&hermes.work().join("started")));
    assert!(is_there(&hermes.work().join(".envrc")));
    server.kill().unwrap();
    server.wait().unwrap();
    wait_for(&|| [".envrc", ".husky"].iter().all(|name| !is_there(&hermes.work().join(name))));
}

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

#[test]
fn one_run_of_many_commands_protects_what_the_first_of_them_made() {
    let hermes = Hermes::new();
    hermes.write("plant.sh", "echo x > .git/hooks/pre-commit; echo x >> .git/config; true");
    let calls = crate::harness::request(&[
        ("terminal", json!({"command": "git init -q ."})),
        ("terminal", json!({"command": "sh plant.sh"})),
    ]);
    hermes.write("r.json", &calls);
    let ran = hermes.run(&["run", "r.json"]);
    assert!(is_there(&hermes.work().join(".git/HEAD")), "{}{}", ran.stdout, ran.stderr);
    assert!(!is_there(&hermes.work().join(".git/hooks/pre-commit")), "{}", ran.stdout);
}

#[test]
fn what_somebody_opened_may_be_made() {
    let hermes = Hermes::new();
    let open = ["--set", "terminal.sandbox.writable=[\".husky\"]"];
    let ran =
        script(&hermes, Hermes::run, "mkdir .husky; echo x > .husky/pre-commit; echo x > .envrc", &open);
    assert!(is_there(&hermes.work().join(".husky/pre-commit")), "{ran}");
    assert!(!is_there(&hermes.work().join(".envrc")), "{ran}");
    // A grant is somebody's word too.
    let command = "mkdir -p .githooks && echo x > .githooks/pre-push";
    let granted = hermes.run(&["grants", "add", "--tool", "terminal", "--command", command]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    let arguments = json!({"command": command}).to_string();
    let ran = hermes.run(&["tools", "call", "terminal", &arguments, "--json"]);
    assert!(is_there(&hermes.work().join(".githooks/pre-push")), "{}", ran.stdout);
}

#[test]
fn what_a_profile_denies_is_not_made_by_scripts() {
    let hermes = Hermes::new().with_config("");
    let profile = "profiles:\n  p: {allow: ['*'], restrictions: {'file:write': {denied_paths: ['keep/**', '*.lock']}}}\n";
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), profile).unwrap();
    let text = "mkdir keep; echo x > keep/a; echo x > b.lock; echo x > fine";
    let ran = script(&hermes, Hermes::run, text, &["--profile", "p"]);
    assert!(!is_there(&hermes.work().join("keep")) && !is_there(&hermes.work().join("b.lock")), "{ran}");
    assert!(is_there(&hermes.work().join("fine")), "{ran}");
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

/// Who agreed to have a file at such a place does not lose it to whatever else runs at the same time.
#[test]
fn what_somebody_agreed_to_is_not_blamed_on_another_program() {
    let hermes = Hermes::new();
    hermes.write("script.sh", "until test -e go; do sleep 0.05; done; echo x > .mcp.json");
    let start = json!({"action": "start", "command": "sh script.sh"}).to_string();
    let started = hermes.run(&["tools", "call", "process", &start, "--json"]).json();
    for granted in
        [["--tool", "write_file", "--path", ".envrc"], ["--tool", "terminal", "--command", "mkdir .husky"]]
    {
        let added = hermes.run(&[&["grants", "add"], &granted[..]].concat());
        assert_eq!(added.code, 0, "{}", added.stderr);
    }
    let file = json!({"path": ".envrc", "content": "export A=1\n"}).to_string();
    let written = hermes.run(&["tools", "call", "write_file", &file, "--json"]);
    assert_eq!(written.code, 0, "{}", written.stdout);
    let made = hermes.run(&["tools", "call", "terminal", "{\"command\": \"mkdir .husky\"}", "--json"]);
    assert_eq!(made.code, 0, "{}", made.stdout);
    hermes.write("go", "");
    let wait = json!({"action": "wait", "session_id": started["session_id"]}).to_string();
    let ended = hermes.run(&["tools", "call", "process", &wait, "--json"]).json();
    assert!(!is_there(&hermes.work().join(".mcp.json")), "{ended}");
    assert!(is_there(&hermes.work().join(".envrc")) && is_there(&hermes.work().join(".husky")), "{ended}");
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
