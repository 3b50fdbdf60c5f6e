//! Links in places that make other programs run something: what they lead to has a name that no rule is about, and stays
//! as it is all the same.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use crate::harness::Hermes;
use crate::vacant::script;

fn git(folder: &Path, words: &[&str]) {
    let mut command = std::process::Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=a", "-c", "user.email=b"]).args(words);
    let ran = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

fn link(hermes: &Hermes, to: &str, name: &str) {
    let name = hermes.work().join(name);
    std::fs::create_dir_all(name.parent().unwrap()).unwrap();
    symlink(to, name).unwrap();
}

/// What is at the place when the script has run, and what was said.
fn after(hermes: &Hermes, text: &str, place: &Path) -> (String, Value) {
    let ran = script(hermes, Hermes::run, text, &[]);
    (std::fs::read_to_string(place).unwrap_or_default(), ran)
}

#[test]
fn what_a_hook_leads_to_stays_as_it_is() {
    let elsewhere = tempfile::tempdir_in("/var/tmp").unwrap();
    let beside = elsewhere.path().join("pc.sh");
    for to in ["../../scripts/pc.sh", "../../turn/pc.sh", beside.to_str().unwrap()] {
        std::fs::write(&beside, "mine").unwrap();
        let hermes = Hermes::new();
        git(&hermes.work(), &["init", "-q"]);
        hermes.write("scripts/pc.sh", "mine");
        link(&hermes, "scripts", "turn");
        link(&hermes, to, ".git/hooks/pre-commit");
        let attack = format!(
            "echo evil >> scripts/pc.sh; echo evil >> {0}; rm -f scripts/pc.sh; mv scripts away; mkdir scripts
             echo evil > scripts/pc.sh; rm -f turn; mkdir turn; echo evil > turn/pc.sh; echo fine > kept",
            beside.display(),
        );
        let (hook, ran) = after(&hermes, &attack, &hermes.work().join(".git/hooks/pre-commit"));
        assert_eq!(hook, "mine", "{to}: {ran}");
        assert!(hermes.work().join("kept").exists(), "{to}: {ran}");
    }
}

#[test]
fn folders_around_the_end_of_a_link_stay_where_they_are() {
    for (end, to, name, found) in [
        ("conf/d/envrc", "conf/d/envrc", ".envrc", ".envrc"),
        ("vs/tasks.json", "vs", ".vscode", ".vscode/tasks.json"),
        ("real/hk/pre-commit", "../real/hk", ".git/hooks", ".git/hooks/pre-commit"),
        ("real/hk/pre-commit", "../../real/hk/pre-commit", ".git/hooks/pre-commit", ".git/hooks/pre-commit"),
        ("skills/a", "../skills", ".claude/skills", ".claude/skills/a"),
    ] {
        let hermes = Hermes::new();
        std::fs::create_dir_all(hermes.work().join(".git/objects")).unwrap();
        hermes.write(end, "mine");
        link(&hermes, to, name);
        // What lies around is no end.
        link(&hermes, "..", ".claude/up");
        let around = end.split('/').next().unwrap();
        let attack = format!(
            "mv {around} away; mkdir -p $(dirname {end}); rm -f {end}; echo evil > {end}; echo fine > kept",
        );
        let (content, ran) = after(&hermes, &attack, &hermes.work().join(found));
        assert_eq!(content, "mine", "{name}: {ran}");
        assert!(hermes.work().join("kept").exists(), "{name}: {ran}");
    }
}

#[test]
fn where_a_link_leads_and_nothing_is_nothing_comes_to_be() {
    let elsewhere = tempfile::tempdir_in("/var/tmp").unwrap();
    let beside = elsewhere.path().join("pc.sh");
    for to in [beside.to_str().unwrap(), "../../scripts/pc.sh"] {
        let hermes = Hermes::new();
        git(&hermes.work(), &["init", "-q"]);
        link(&hermes, to, ".git/hooks/pre-commit");
        let attack =
            format!("mkdir scripts; echo evil > scripts/pc.sh; echo evil > {}; true", beside.display());
        let (hook, ran) = after(&hermes, &attack, &hermes.work().join(".git/hooks/pre-commit"));
        assert_eq!(hook, "", "{to}: {ran}");
    }
}

#[test]
fn what_the_operator_opened_may_be_written_where_a_link_leads_to_it() {
    let hermes = Hermes::new();
    git(&hermes.work(), &["init", "-q"]);
    let hook = hermes.write("scripts/pc.sh", "mine\n");
    link(&hermes, "../../scripts/pc.sh", ".git/hooks/pre-commit");
    let open = ["--set", "terminal.sandbox.writable=[\"scripts\"]"];
    let ran = script(&hermes, Hermes::run, "echo more >> scripts/pc.sh", &open);
    assert_eq!(std::fs::read_to_string(hook).unwrap(), "mine\nmore\n", "{ran}");
}

#[test]
fn what_hooks_of_a_repository_below_lead_to_is_put_back() {
    let elsewhere = tempfile::tempdir_in("/var/tmp").unwrap();
    let beside = elsewhere.path().join("pc.sh");
    for (to, end) in [("../../scripts/pc.sh", None), (beside.to_str().unwrap(), Some(&beside))] {
        let hermes = Hermes::new();
        git(&hermes.work(), &["init", "-q", "nest"]);
        let end = end.cloned().unwrap_or_else(|| hermes.work().join("nest/scripts/pc.sh"));
        std::fs::create_dir_all(end.parent().unwrap()).unwrap();
        std::fs::write(&end, "mine").unwrap();
        link(&hermes, to, "nest/.git/hooks/pre-commit");
        let attack = format!("echo evil >> {}; true", end.display());
        let (hook, ran) = after(&hermes, &attack, &hermes.work().join("nest/.git/hooks/pre-commit"));
        assert_eq!(hook, "mine", "{to}: {ran}");
    }
}

/// Hooks and programs that the settings of a repository name lie where that repository is.
#[test]
fn what_settings_name_is_known_wherever_the_repository_has_come_to_be() {
    let made = |top: &str| {
        let hermes = Hermes::new();
        let tree = hermes.work().join(top);
        std::fs::create_dir_all(&tree).unwrap();
        git(&tree, &["init", "-q"]);
        for file in ["hk/pre-commit", "clean.sh"] {
            let file = tree.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "mine").unwrap();
        }
        git(&tree, &["add", "."]);
        git(&tree, &["commit", "-qm", "x"]);
        git(&tree, &["config", "core.hooksPath", "hk"]);
        git(&tree, &["config", "filter.x.clean", "./clean.sh"]);
        hermes
    };
    for (top, makes, tree) in [
        ("nest", "mv nest n2", "n2"),
        ("", "git worktree add -q wt", "wt"),
        ("nest", "git clone -q nest n3; cp nest/.git/config n3/.git/config", "n3"),
    ] {
        let hermes = made(top);
        let files = ["hk/pre-commit", "clean.sh"].map(|file| format!("{tree}/{file}"));
        let ran = script(&hermes, Hermes::run, makes, &[]);
        for file in &files {
            let kept = std::fs::read_to_string(hermes.work().join(file)).unwrap_or_default();
            assert_eq!(kept, "mine", "{makes}: as it is it stays: {ran}");
        }
        let hermes = made(top);
        let attack = format!("{makes}; for file in {}; do echo evil >> $file; done", files.join(" "));
        let ran = script(&hermes, Hermes::run, &attack, &[]);
        for file in &files {
            let left = std::fs::read_to_string(hermes.work().join(file)).unwrap_or_default();
            assert!(!left.contains("evil"), "{makes}: {ran}");
            assert!(ran["note"].as_str().unwrap_or_default().contains(file), "{makes}: {ran}");
        }
    }
}

/// Git takes quotes and backslashes out of a value before it reads it.
#[test]
fn an_address_that_is_a_program_is_one_in_any_spelling() {
    for address in ["ext::sh -c x", "\"ext:\":sh -c x", "ext:\"\":sh -c x", "\"\"-oProxyCommand=x"] {
        let hermes = Hermes::new();
        git(&hermes.work(), &["init", "-q", "nest"]);
        hermes.write("address", &format!("[remote \"o\"]\n\turl = {address}\n"));
        let config = hermes.work().join("nest/.git/config");
        let (settings, ran) = after(&hermes, "cat address >> nest/.git/config", &config);
        assert!(!settings.contains("remote") && !settings.is_empty(), "{address}: {ran}");
    }
}

/// What links lead to that make nothing run by themselves is built and written as ever.
#[test]
fn what_is_built_and_linked_to_from_elsewhere_can_be_written() {
    let hermes = Hermes::new();
    git(&hermes.work(), &["init", "-q"]);
    let files = [".env.example", "packages/foo/a.js", "node_modules/pc/hook.sh", "skills/s.md"];
    for file in files {
        std::fs::create_dir_all(hermes.work().join(file).parent().unwrap()).unwrap();
        hermes.write(file, "old");
    }
    link(&hermes, ".env.example", ".env");
    link(&hermes, "../../packages/foo", ".claude/skills/foo");
    link(&hermes, "../../node_modules/pc/hook.sh", ".git/hooks/pre-commit");
    let text = "for file in .env.example packages/foo/a.js node_modules/pc/hook.sh; do
            rm -f $file && echo new > $file; done; mv packages p && mv p packages; rm -r node_modules && echo fine";
    let ran = script(&hermes, Hermes::run, text, &[]);
    assert_eq!(ran["output"], "fine", "{ran}");
    assert_eq!(std::fs::read_to_string(hermes.work().join(".env.example")).unwrap(), "new\n", "{ran}");
    assert_eq!(std::fs::read_to_string(hermes.work().join("packages/foo/a.js")).unwrap(), "new\n", "{ran}");
}

/// Containers begin there: tools of the person are linked to from where they are built.
#[test]
fn where_the_home_is_the_sessions_folder_its_projects_are_built() {
    let hermes = Hermes::new();
    let hermes = {
        let home = hermes.work();
        hermes.with_env("HOME", home.to_str().unwrap())
    };
    let built = ["proj/target/release/tool", "npm/x/index.js", "rust/build/bin/rustc"];
    let kept = ["conf/envrc", "dot/bashrc", "vs/tasks.json", "hk/pre-commit"];
    for file in built.iter().chain(&kept) {
        std::fs::create_dir_all(hermes.work().join(file).parent().unwrap()).unwrap();
        hermes.write(file, "old\n");
    }
    for (to, name) in [
        ("../../proj/target/release/tool", ".local/bin/tool"),
        ("../../../../npm/x", ".npm-global/lib/node_modules/x"),
        ("../../rust/build", ".rustup/toolchains/dev"),
        ("conf/envrc", ".envrc"),
        ("dot/bashrc", ".bashrc"),
        ("vs", ".vscode"),
        ("../../hk/pre-commit", ".git/hooks/pre-commit"),
    ] {
        link(&hermes, to, name);
    }
    let text = format!(
        "for file in {}; do rm -f $file; echo new > $file; done; mv proj p; mv npm n; mv rust r
        for file in {}; do rm -f $file; echo new > $file; done",
        built.join(" "),
        kept.join(" "),
    );
    let ran = script(&hermes, Hermes::run, &text, &[]);
    for file in ["p/target/release/tool", "n/x/index.js", "r/build/bin/rustc"] {
        let content = std::fs::read_to_string(hermes.work().join(file)).unwrap_or_default();
        assert_eq!(content, "new\n", "{file}: {ran}");
    }
    for file in kept {
        assert_eq!(std::fs::read_to_string(hermes.work().join(file)).unwrap(), "old\n", "{file}: {ran}");
    }
}

#[test]
fn what_a_link_leads_to_is_named_where_it_could_not_be_written() {
    let hermes = Hermes::new();
    git(&hermes.work(), &["init", "-q"]);
    hermes.write("scripts/check.sh", "mine");
    link(&hermes, "../../scripts/check.sh", ".git/hooks/pre-commit");
    let arguments = serde_json::json!({"command": "sh script.sh"}).to_string();
    for script in ["echo x >> scripts/check.sh\n", "rm -f scripts/check.sh\n"] {
        hermes.write("script.sh", script);
        let ran = hermes.run(&["tools", "call", "terminal", &arguments, "--json"]).json();
        assert!(ran["note"].as_str().unwrap_or_default().contains("keeps check.sh as it is"), "{ran}");
    }
}

/// However many hooks others have, those of each are followed.
#[test]
fn many_harmless_repositories_use_nothing_up() {
    let hermes = Hermes::new();
    for number in 0..120 {
        git(&hermes.work(), &["init", "-q", &format!("a{number}")]);
    }
    git(&hermes.work(), &["init", "-q", "z"]);
    hermes.write("z/pc.sh", "mine");
    link(&hermes, "../../pc.sh", "z/.git/hooks/pre-commit");
    let (hook, ran) =
        after(&hermes, "echo evil >> z/pc.sh; true", &hermes.work().join("z/.git/hooks/pre-commit"));
    assert_eq!(hook, "mine", "{ran}");
    // Where there are more links than are followed, none is known to lead where it did.
    for number in 0..250 {
        link(&hermes, "x", &format!("z/.git/hooks/l{number}"));
    }
    let text = "mv z y; echo evil >> y/pc.sh";
    let (hook, ran) = after(&hermes, text, &hermes.work().join("y/.git/hooks/pre-commit"));
    assert_eq!(hook, "", "{ran}");
    assert!(hermes.work().join("y").exists() && !hermes.work().join("y/.git/hooks/l7").is_symlink(), "{ran}");
}
