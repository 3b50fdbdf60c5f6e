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
    echo x > .vimrc; echo x > .ghci; mkdir .run .helix .cargo .github; echo x > .run/a.run.xml
    echo x > .helix/languages.toml; echo x > .pre-commit-config.yaml; echo x > .lintstagedrc.json
    echo fine > .cargo/config.toml; echo fine > .npmrc; echo fine > package.json; echo fine > .github/a.yml
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
    ".vimrc",
    ".ghci",
    ".run/a.run.xml",
    ".helix/languages.toml",
    ".pre-commit-config.yaml",
    ".lintstagedrc.json",
    ".zed/settings.json",
    ".codex",
    ".claude/hooks",
];

pub(crate) type Run = fn(&Hermes, &[&str]) -> Ran;

pub(crate) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

pub(crate) fn script(hermes: &Hermes, run: Run, text: &str, more: &[&str]) -> Value {
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
    let of_work = [".cargo/config.toml", ".npmrc", "package.json", ".github/a.yml"];
    for stays in ["kept", ".env", ".vscode/extensions.json", "elsewhere", ".git"].into_iter().chain(of_work) {
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

/// Whoever may not look into a folder sees nothing in it; a person opens their own folders again some day.
#[test]
fn what_is_planted_behind_a_closed_door_is_taken_away() {
    for run in [Hermes::run as Run, Hermes::run_as_nobody, Hermes::run_without_namespaces] {
        for (text, planted) in [
            ("echo x > .envrc; chmod 311 .", ".envrc"),
            ("echo x > .envrc; chmod 0 .", ".envrc"),
            ("mkdir .vscode; echo x > .vscode/tasks.json; chmod 311 .vscode", ".vscode/tasks.json"),
            ("mkdir s; echo x > s/tasks.json; chmod 0 s; ln -s s .zed", ".zed/tasks.json"),
            ("mkdir -p .husky/a; echo x > .husky/a/b; chmod 0 .husky/a .husky", ".husky"),
            (
                "git init -q .; echo x > .git/hooks/pre-commit; chmod 111 .git/hooks .git",
                ".git/hooks/pre-commit",
            ),
            (
                "git init -q a/b; echo x > a/b/.git/hooks/x; chmod 311 a/b/.git/hooks a/b/.git a/b a",
                "a/b/.git/hooks/x",
            ),
        ] {
            let hermes = Hermes::new();
            let ran = script(&hermes, run, text, &[]);
            let opened =
                std::process::Command::new("chmod").args(["-R", "u+rwx"]).arg(hermes.work()).status();
            assert!(opened.unwrap().success());
            assert!(!is_there(&hermes.work().join(planted)), "{text}: {ran}");
            assert!(ran["note"].as_str().unwrap_or_default().contains("moved away"), "{text}: {ran}");
        }
    }
}

/// What is there already is not seen by the next command if this one closes the folder around it.
#[test]
fn a_closed_door_hides_nothing_from_the_next_command() {
    let hermes = Hermes::new();
    let tasks = hermes.write(".vscode/tasks.json", "mine");
    script(&hermes, Hermes::run_as_nobody, "chmod 311 .vscode", &[]);
    let ran = script(&hermes, Hermes::run_as_nobody, "echo evil > .vscode/tasks.json", &[]);
    assert_eq!(std::fs::read_to_string(&tasks).unwrap(), "mine", "{ran}");
}

#[test]
fn names_are_moved_away_however_long_and_odd_they_are() {
    let hermes = Hermes::new();
    let (long, odd) = (format!(".run/{}.run.xml", "a".repeat(246)), "a\tb\nc\u{1b}[31m.code-workspace");
    let text =
        format!("mkdir .run; echo x > {long}; echo x > \"$(printf 'a\\tb\\nc\\033[31m')\".code-workspace");
    let ran = script(&hermes, Hermes::run, &text, &[]);
    assert!(!is_there(&hermes.work().join(&long)) && !is_there(&hermes.work().join(odd)), "{ran}");
    let note = ran["note"].as_str().unwrap_or_else(|| panic!("{ran}"));
    let kept = note.split("a b c [31m.code-workspace (now ").nth(1).and_then(|rest| rest.split(')').next());
    assert!(kept.is_some_and(|kept| kept.starts_with('/')), "{note}");
}

/// A command may fill up the disk that its quarantine is on, or leave no room for another folder there.
#[test]
fn on_a_full_disk_too_what_was_planted_is_taken_away() {
    for (size, fill) in [
        ("size=4m", "head -c 9999999 /dev/zero > junk"),
        ("size=64m,nr_inodes=600", "n=0; while : > $n; do n=$((n+1)); done"),
    ] {
        let hermes = Hermes::new();
        let ran = hermes.run_mounting(&format!(
            "mount -t tmpfs -o {size} none \"$HOME\" && mkdir \"$HOME/work\" && cd \"$HOME/work\" || exit 1
             echo 'echo x > .envrc; mkdir .husky; echo x > .husky/post-merge; ({fill}) 2>/dev/null; echo full' > fill.sh
             \"$0\" tools call terminal '{{\"command\": \"sh fill.sh\"}}' --json
             for place in .envrc .husky; do test -e $place && echo \"$place stayed\"; done; true",
        ));
        assert!(ran.stdout.contains("\"output\": \"full\""), "{fill}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("stayed"), "{fill}: {}{}", ran.stdout, ran.stderr);
    }
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

/// What runs at every commit changes where somebody agreed, and the note says how they are asked.
#[test]
fn checks_of_commits_are_changed_by_agreement() {
    let hermes = Hermes::new();
    let checks = hermes.write(".pre-commit-config.yaml", "repos: []\n");
    let ran = script(&hermes, Hermes::run, "echo 'default_stages: [x]' >> .pre-commit-config.yaml", &[]);
    assert_eq!(std::fs::read_to_string(&checks).unwrap(), "repos: []\n", "{ran}");
    let note = ran["note"].as_str().unwrap_or_else(|| panic!("{ran}"));
    assert!(note.contains("keeps .pre-commit-config.yaml as it is"), "{note}");
    let edit =
        json!({"path": ".pre-commit-config.yaml", "old_string": "[]", "new_string": "[a]"}).to_string();
    let patch = || hermes.run(&["tools", "call", "patch", &edit, "--json"]);
    assert_eq!(patch().code, 4);
    let granted = hermes.run(&["grants", "add", "--tool", "patch", "--path", ".pre-commit-config.yaml"]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    assert_eq!(patch().code, 0);
    assert_eq!(std::fs::read_to_string(&checks).unwrap(), "repos: [a]\n");
}
