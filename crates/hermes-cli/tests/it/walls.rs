//! Walls around commands that a script, an argument or a full folder must not weaken.

use serde_json::{Value, json};

use crate::harness::Hermes;

fn script(hermes: &Hermes, text: &str, more: &[&str]) -> Value {
    hermes.write("script.sh", text);
    let arguments = json!({"command": "sh script.sh; true"}).to_string();
    let ran = hermes.run(&[&["tools", "call", "terminal", &arguments, "--json"], more].concat());
    ran.json()
}

#[test]
fn links_at_protected_names_stay_links_behind_whole_walls() {
    let hermes = Hermes::new();
    std::fs::create_dir(hermes.work().join("hooks")).unwrap();
    for (name, end) in
        [(".envrc", "/nonexistent"), (".mcp.json", "nowhere"), (".git", "real"), (".husky", "hooks")]
    {
        std::os::unix::fs::symlink(end, hermes.work().join(name)).unwrap();
    }
    std::fs::create_dir_all(hermes.work().join("real/hooks")).unwrap();
    let attack =
        "echo x > .husky/pre-commit; rm -f .envrc .git .mcp.json .husky; mv .git moved; echo x > .envrc
        echo x > real/hooks/pre-commit; echo fine > kept; ls /proc | grep -c '^[0-9]'";
    let ran = script(&hermes, attack, &[]);
    assert_eq!(ran["ran"]["sandbox"], "sealed", "{ran}");
    for (name, end) in
        [(".envrc", "/nonexistent"), (".mcp.json", "nowhere"), (".git", "real"), (".husky", "hooks")]
    {
        let link = std::fs::read_link(hermes.work().join(name));
        assert_eq!(link.unwrap(), std::path::Path::new(end), "{ran}");
    }
    assert!(!hermes.work().join("hooks/pre-commit").exists(), "{ran}");
    assert!(!hermes.work().join("real/hooks/pre-commit").exists(), "{ran}");
    assert!(hermes.work().join("kept").exists(), "{ran}");
}

#[test]
fn a_folder_that_is_not_in_the_view_is_no_reason_for_weaker_walls() {
    let hermes = Hermes::new();
    hermes.write("script.sh", "echo ran > ran\n");
    let arguments =
        json!({"command": format!("sh {}/script.sh; true", hermes.work().display()), "workdir": "/dev/cpu"});
    let ran = hermes.run(&["tools", "call", "terminal", &arguments.to_string(), "--json"]).json();
    assert!(ran["ran"]["sandbox"] != "fenced" && !hermes.work().join("ran").exists(), "{ran}");
}

#[test]
fn a_full_folder_keeps_what_it_kept_before() {
    let hermes = Hermes::new();
    std::fs::create_dir_all(hermes.work().join(".git/hooks")).unwrap();
    for number in 0..3_000 {
        hermes.write(&format!("f{number}"), "");
    }
    hermes.write(".git/config", "");
    let ran = script(
        &hermes,
        "echo x > .git/hooks/pre-commit && echo PLANTED; echo x > .git/config && echo SET",
        &[],
    );
    assert!(!hermes.work().join(".git/hooks/pre-commit").exists(), "{ran}");
    assert_eq!(std::fs::read_to_string(hermes.work().join(".git/config")).unwrap(), "");
}

#[test]
fn credentials_further_down_in_the_home_folder_are_out_of_reach() {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let home = folder.path();
    let hermes = Hermes::new().with_env("HOME", home.to_str().unwrap());
    let kept = [
        ".docker/config.json",
        ".cargo/credentials.toml",
        ".codex/auth.json",
        ".claude/.credentials.json",
        ".m2/settings.xml",
        ".subversion/auth/x",
        ".nuget/NuGet/NuGet.Config",
        ".config/git/credentials",
        ".config/some-tool/credentials.yml",
        ".cache/huggingface/token",
    ];
    for file in kept.iter().chain(&[".cargo/config.toml", ".docker/features.json"]) {
        let path = home.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "canary-content").unwrap();
    }
    for file in kept {
        let ran = script(&hermes, &format!("cat {}/{file}", home.display()), &[]);
        assert!(!ran["output"].as_str().unwrap().contains("canary-content"), "{file}: {ran}");
    }
    let ran = script(&hermes, &format!("cat {}/.cargo/config.toml", home.display()), &[]);
    assert_eq!(ran["output"], "canary-content", "what is no credential can be read");
}

#[test]
fn what_a_profile_denies_is_denied_to_scripts_too() {
    let hermes = Hermes::new().with_config("");
    std::fs::write(
        hermes.home().join("hermes_permissions.yaml"),
        "profiles:\n  p1: {allow: ['*'], restrictions: {'file:write': {denied_paths: ['keep/deep/**']}}}\n  \
         p2: {allow: ['*'], restrictions: {'file:read': {denied_paths: ['keep/**'], commands: analysed}}}\n",
    )
    .unwrap();
    hermes.write("keep/deep/f", "canary-content");
    let ran =
        script(&hermes, "echo new > keep/deep/f; echo new > keep/other && echo fine", &["--profile", "p1"]);
    assert!(ran["output"].as_str().unwrap().ends_with("fine"), "{ran}");
    assert_eq!(std::fs::read_to_string(hermes.work().join("keep/deep/f")).unwrap(), "canary-content");
    let ran = script(&hermes, "cat keep/deep/f", &["--profile", "p2"]);
    assert!(!ran.to_string().contains("canary-content"), "{ran}");
}

/// A folder in `/tmp` may be moved by anybody who may write there, and another be put in its place.
#[test]
fn the_sessions_folder_cannot_be_taken_along_with_one_around_it() {
    // The folder around is nobody's home, or that would keep it.
    let elsewhere = tempfile::tempdir().unwrap();
    let hermes = Hermes::new().with_env("HOME", &elsewhere.path().display().to_string());
    hermes.write(".git/config", "");
    let around = hermes.work().parent().unwrap().display().to_string();
    assert!(around.starts_with("/tmp/"), "{around}");
    let attack = format!(
        "mv {around} {around}.moved && echo MOVED; mkdir -p {around}/work/.git/hooks {around}/home
        echo x > {around}/work/.git/hooks/pre-commit; echo x > {around}/home/config.yaml; mkdir {around}/fine"
    );
    let ran = script(&hermes, &attack, &[]);
    assert!(!ran["output"].as_str().unwrap().contains("MOVED"), "{ran}");
    assert!(!hermes.work().join(".git/hooks/pre-commit").exists(), "{ran}");
    assert!(!hermes.home().join("config.yaml").exists(), "{ran}");
    assert!(hermes.work().with_file_name("fine").exists(), "{ran}");
}

/// Whoever moves the folder around a file that stays as it is would make room for another of the same name.
#[test]
fn a_folder_around_what_is_kept_is_not_moved() {
    let hermes = Hermes::new();
    let kept = [".vscode/tasks.json", ".claude/settings.json", "conf/deep/prod.yaml", "sec/key.txt"];
    for file in kept {
        std::fs::create_dir_all(hermes.work().join(file).parent().unwrap()).unwrap();
        hermes.write(file, "mine\n");
    }
    std::fs::create_dir(hermes.work().join("free")).unwrap();
    hermes.write("free/.env", "A=1\n");
    let profile = "profiles:\n  w:\n    allow: ['file:*', 'terminal:execute']\n    restrictions:\n      file:write: \
                   {allowed_paths: ['**'], denied_paths: [conf/deep/prod.yaml], commands: analysed}\n      file:read: \
                   {denied_paths: [sec/key.txt], commands: analysed}\n";
    std::fs::create_dir_all(hermes.home()).unwrap();
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), profile).unwrap();
    let attack = "for f in .vscode .claude conf/deep conf sec; do mv $f old-$(basename $f); mkdir -p $f; done
        echo evil > .vscode/tasks.json; echo evil > .claude/settings.json; echo evil > conf/deep/prod.yaml
        cat sec/key.txt old-sec/key.txt; mv free freed && echo FREED; echo more > .vscode/extensions.json";
    let ran = script(&hermes, attack, &["--profile", "w"]);
    assert_eq!(ran["ran"]["sandbox"], "sealed", "{ran}");
    for file in kept {
        assert_eq!(std::fs::read_to_string(hermes.work().join(file)).unwrap(), "mine\n", "{file}: {ran}");
    }
    let output = ran["output"].as_str().unwrap();
    assert!(!output.contains("mine") && output.contains("FREED"), "{ran}");
    assert!(hermes.work().join(".vscode/extensions.json").exists(), "{ran}");
}

/// Git runs what its settings name as it runs what is in the repository.
#[test]
fn what_settings_of_git_name_is_kept() {
    let hermes = Hermes::new();
    for folder in [".git", "scripts/hooks"] {
        std::fs::create_dir_all(hermes.work().join(folder)).unwrap();
    }
    hermes.write("scripts/hooks/pre-commit", "mine\n");
    hermes.write(".git/config", "[core]\n\thooksPath = scripts/hooks\n[include]\n\tpath = ../gitconf\n");
    let attack = "echo evil >> scripts/hooks/pre-commit; echo evil > scripts/hooks/post-merge
        mv scripts moved; mv scripts/hooks scripts/away; printf '[core]\\n fsmonitor = evil\\n' > gitconf; echo fine > scripts/kept";
    let ran = script(&hermes, attack, &[]);
    assert_eq!(
        std::fs::read_to_string(hermes.work().join("scripts/hooks/pre-commit")).unwrap(),
        "mine\n",
        "{ran}"
    );
    assert!(!hermes.work().join("scripts/hooks/post-merge").exists(), "{ran}");
    assert!(
        !hermes.work().join("gitconf").exists() && ran["note"].as_str().unwrap().contains("gitconf"),
        "{ran}"
    );
    assert!(hermes.work().join("scripts/kept").exists(), "{ran}");
}

/// Containers begin there.
#[test]
fn commands_run_where_the_sessions_folder_is_the_root_of_everything() {
    let hermes = Hermes::new();
    let place = hermes.write("place", "");
    hermes.write(
        "script.sh",
        &format!("pwd; echo x > {}; test ! -w /etc/passwd && echo closed", place.display()),
    );
    let command = json!({"command": format!("sh {}/script.sh; true", hermes.work().display())}).to_string();
    let ran = hermes.run(&["-C", "/", "tools", "call", "terminal", &command, "--json"]).json();
    assert_eq!(ran["output"], "/\nclosed", "{ran}");
    assert_eq!(std::fs::read_to_string(&place).unwrap(), "x\n", "{ran}");
}
