//! What commands leave in folders that later commands are judged by: links that lead elsewhere, pipes that nobody fills.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Hermes;

/// In a script, where only the walls see what it does.
fn script(hermes: &Hermes, text: &str) -> Value {
    hermes.write("script.sh", text);
    let arguments = json!({"command": "sh script.sh; true", "timeout": 20}).to_string();
    hermes.run(&["tools", "call", "terminal", &arguments, "--json"]).json()
}

#[test]
fn a_folder_that_was_opened_cannot_be_turned_elsewhere() {
    let outside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let hermes = Hermes::new().with_config("terminal: {sandbox: {writable: [build, other/deep]}}\n");
    for folder in ["build", "other/deep"] {
        fs::create_dir_all(hermes.work().join(folder)).unwrap();
    }
    let fine = script(&hermes, "echo x > build/made; cat build/made");
    assert_eq!(fine["output"], json!("x"), "{fine}");
    assert_eq!(fine.get("note"), None, "{fine}");
    let out = outside.path().display();
    // An open folder is a wall of its own while a command runs; what is around it is not.
    for turn in [
        format!("mv other gone; mkdir other; ln -s {out} other/deep"),
        format!("rm -r build; mv build gone2; ln -s {out} build; ls -l build"),
    ] {
        script(&hermes, &turn);
        let tried =
            script(&hermes, "echo x > other/deep/planted; echo x > build/planted; echo x > fine; cat fine");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0, "{turn}: {tried}");
        assert!(tried["output"].as_str().unwrap().ends_with('x'), "{tried}");
    }
    // However it came to be there.
    let build = hermes.work().join("build");
    let _ = fs::remove_dir_all(&build).or_else(|_| fs::remove_file(&build));
    std::os::unix::fs::symlink(outside.path(), &build).unwrap();
    let arguments = json!({"command": "sh script.sh"}).to_string();
    hermes.write("script.sh", "echo x > build/planted");
    let told = hermes.run(&["tools", "call", "terminal", &arguments, "--json"]).json();
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0, "{told}");
    assert!(told["note"].as_str().unwrap_or_default().contains("build"), "{told}");
}

#[test]
fn a_link_among_the_parts_of_a_repository_opens_nothing_and_stops_nothing() {
    let outside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir(outside.path().join("sub")).unwrap();
    let hermes = Hermes::new();
    for folder in [".git/objects", ".git/refs"] {
        fs::create_dir_all(hermes.work().join(folder)).unwrap();
    }
    hermes.write(".git/HEAD", "ref: refs/heads/main\n");
    for part in ["modules", "worktrees"] {
        std::os::unix::fs::symlink(outside.path(), hermes.work().join(".git").join(part)).unwrap();
    }
    let plants = ["modules", "worktrees"].map(|part| {
        format!(
            "echo x > .git/{part}/planted; echo x > .git/{part}/sub/planted; echo x > .git/{part}/sub/config"
        )
    });
    let ran = script(&hermes, &format!("{}; echo done", plants.join("; ")));
    assert!(ran["output"].as_str().unwrap().ends_with("done"), "{ran}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{ran}");
    assert_eq!(fs::read_dir(outside.path().join("sub")).unwrap().count(), 0, "{ran}");
}

#[test]
fn nobody_waits_for_a_pipe_in_a_repository() {
    let hermes = Hermes::new();
    for folder in [".git/objects", ".git/refs", ".git/worktrees/a", "tree", "linked"] {
        fs::create_dir_all(hermes.work().join(folder)).unwrap();
    }
    hermes.write(".git/HEAD", "ref: refs/heads/main\n");
    hermes.write("linked/.git", "gitdir: ../.git/worktrees/a\n");
    let planted = script(
        &hermes,
        "mkfifo .git/worktrees/a/gitdir .git/worktrees/a/commondir tree/.git; ln -s /dev/zero .git/worktrees/zero; \
         mkdir -p .git/worktrees/b; ln -s /dev/zero .git/worktrees/b/gitdir; ls .git/worktrees/a",
    );
    assert!(planted["output"].as_str().unwrap().contains("gitdir"), "{planted}");
    for _ in 0..2 {
        assert_eq!(script(&hermes, "echo hi")["output"], json!("hi"));
    }
}
