//! `hermes undo` after real calls.

use serde_json::{Value, json};

use crate::harness::{Hermes, request};

fn run(hermes: &Hermes, calls: &[(&str, Value)]) {
    let ran = hermes.run_with(&["run", "--session", "s"], &request(calls));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

fn write(path: &str, content: &str) -> (&'static str, Value) {
    ("write_file", json!({"path": path, "content": content}))
}

fn read(hermes: &Hermes, path: &str) -> Option<String> {
    std::fs::read_to_string(hermes.work().join(path)).ok()
}

#[test]
fn a_call_is_previewed_taken_back_and_done_again() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "old\n");
    run(&hermes, &[write("a.txt", "new\n")]);
    let listed = hermes.run(&["undo", "list", "--json"]).json();
    assert_eq!((&listed[0]["call"], &listed[0]["session"]), (&json!("c1"), &json!("s")));
    let shown = hermes.run(&["undo", "show", "c1"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("-new\n+old\n"), "{}", shown.stdout);
    let preview = hermes.run(&["undo", "c1", "--preview"]);
    assert_eq!((preview.stdout, read(&hermes, "a.txt")), (shown.stdout, Some("new\n".into())));
    let undone = hermes.run(&["undo", "c1", "--json"]);
    assert_eq!(read(&hermes, "a.txt").as_deref(), Some("old\n"), "{}", undone.stderr);
    let again = undone.json()["record"].as_str().unwrap().to_owned();
    assert_eq!(hermes.run(&["undo", &again]).code, 0);
    assert_eq!(read(&hermes, "a.txt").as_deref(), Some("new\n"));
}

#[test]
fn a_turn_is_taken_back_as_one() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "old\n");
    run(&hermes, &[write("a.txt", "one\n"), write("sub/b.txt", "b\n")]);
    let patch =
        "*** Begin Patch\n*** Update File: a.txt\n-one\n+two\n*** Delete File: sub/b.txt\n*** End Patch";
    run(&hermes, &[("patch", json!({"mode": "patch", "patch": patch})), write("c.txt", "c\n")]);
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0);
    assert_eq!(read(&hermes, "a.txt").as_deref(), Some("one\n"));
    assert_eq!((read(&hermes, "sub/b.txt").as_deref(), read(&hermes, "c.txt")), (Some("b\n"), None));
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0);
    assert_eq!((read(&hermes, "a.txt").as_deref(), read(&hermes, "sub/b.txt")), (Some("old\n"), None));
    assert_ne!(hermes.run(&["undo", "--turn"]).code, 0, "nothing is left");
}

#[test]
fn calls_that_came_alone_are_turns_of_their_own() {
    let hermes = Hermes::new();
    // The same session and the same call id, as one-shot runs have.
    run(&hermes, &[write("a.txt", "one\n")]);
    run(&hermes, &[write("b.txt", "two\n")]);
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0);
    assert_eq!((read(&hermes, "a.txt").as_deref(), read(&hermes, "b.txt")), (Some("one\n"), None));
}

/// Work in another folder, or of another session, is somebody else's.
#[test]
fn the_last_turn_is_that_of_the_folder() {
    let hermes = Hermes::new();
    let run_in = |folder: &str, session: &str| {
        std::fs::create_dir_all(hermes.work().join(folder)).unwrap();
        let folder = hermes.work().join(folder).display().to_string();
        let call = json!({"name": "write_file", "arguments": {"path": "f", "content": "x"}}).to_string();
        let ran = hermes.run_with(&["--cwd", &folder, "run", "-", "--session", session], &call);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        folder
    };
    let (a, b) = (run_in("a", "s1"), run_in("b", "s2"));
    assert_eq!(hermes.run(&["--cwd", &a, "undo", "--turn"]).code, 0);
    assert_eq!((read(&hermes, "a/f"), read(&hermes, "b/f").as_deref()), (None, Some("x")));
    let nothing = hermes.run(&["--cwd", &a, "undo", "--turn"]);
    assert_eq!(nothing.code, 5);
    assert!(nothing.stderr.contains("session 's2'"), "{}", nothing.stderr);
    assert_eq!(hermes.run(&["--cwd", &a, "undo", "--turn", "--session", "s2"]).code, 0);
    assert_eq!((read(&hermes, "b/f"), b.is_empty()), (None, false));
}

#[test]
fn drift_is_refused_and_told() {
    let hermes = Hermes::new();
    run(&hermes, &[write("a.txt", "new\n"), write("b.txt", "new\n")]);
    hermes.write("a.txt", "a person's work\n");
    let ran = hermes.run(&["undo", "--turn"]);
    assert_eq!(ran.code, 5);
    assert!(ran.stderr.contains("a.txt") && ran.stderr.contains("changed since"), "{}", ran.stderr);
    assert_eq!(read(&hermes, "a.txt").as_deref(), Some("a person's work\n"));
    assert_eq!(read(&hermes, "b.txt").as_deref(), Some("new\n"), "half an undo");
    // The file that nobody touched can still go back by itself.
    assert_eq!(hermes.run(&["undo", "c2"]).code, 0);
    assert_eq!(read(&hermes, "b.txt"), None);
}

#[test]
fn it_can_be_switched_off_and_says_so() {
    let hermes = Hermes::new().with_config("undo:\n  enabled: false\n");
    run(&hermes, &[write("a.txt", "new\n")]);
    assert!(!hermes.home().join("undo").exists());
    assert!(hermes.run(&["undo", "list"]).stderr.contains("undo.enabled"));
}

#[test]
fn what_is_kept_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let hermes = Hermes::new();
    hermes.write("a.txt", "secret\n");
    run(&hermes, &[write("a.txt", "new\n")]);
    let mode = |path: &str| hermes.home().join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("undo"), mode("undo/objects"), mode("undo/calls")), (0o700, 0o700, 0o700));
    for entry in std::fs::read_dir(hermes.home().join("undo/objects")).unwrap() {
        assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// Folders that a call made go with its files; what else is in them stays, and so do they.
#[test]
fn folders_that_were_made_for_it_go_again() {
    let hermes = Hermes::new();
    let there = |path: &str| hermes.work().join(path).exists();
    run(&hermes, &[write("new/deep/a.txt", "a\n"), write("kept/b.txt", "b\n")]);
    hermes.write("kept/mine.txt", "mine\n");
    let preview = hermes.run(&["undo", "--turn", "--preview", "--json"]).json();
    let folder = |path: &str| hermes.work().canonicalize().unwrap().join(path).display().to_string();
    assert_eq!(preview["folders"], json!([folder("kept"), folder("new"), folder("new/deep")]));
    let undone = hermes.run(&["undo", "--turn", "--json"]);
    assert_eq!(undone.json()["folders"], json!([folder("new/deep"), folder("new")]), "{}", undone.stderr);
    assert!(!there("new") && !there("kept/b.txt") && there("kept/mine.txt"));
    // And back, and away again.
    let again = undone.json()["record"].as_str().unwrap().to_owned();
    assert_eq!(hermes.run(&["undo", &again]).code, 0);
    assert_eq!(read(&hermes, "new/deep/a.txt").as_deref(), Some("a\n"));
    // A folder that was there before is nobody's to take away.
    std::fs::create_dir(hermes.work().join("empty")).unwrap();
    run(&hermes, &[write("empty/c.txt", "c\n")]);
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0);
    assert!(there("empty") && !there("empty/c.txt"));
}

#[test]
fn folders_of_an_archive_and_of_a_patch_go_again() {
    let hermes = Hermes::new();
    let there = |path: &str| hermes.work().join(path).exists();
    hermes.write("src/a/b.txt", "b\n");
    std::fs::create_dir_all(hermes.work().join("src/a/empty")).unwrap();
    let pack = json!({"action": "compress", "source": "src", "destination": "packed/t.zip"});
    run(&hermes, &[("file_compress", pack)]);
    let unpack = json!({"action": "extract", "source": "packed/t.zip", "destination": "out/here"});
    run(&hermes, &[("file_compress", unpack)]);
    assert!(there("out/here"), "unpacked");
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0);
    assert!(!there("out") && there("src/a/b.txt"));
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0);
    assert!(!there("packed"));
    let patch = "*** Begin Patch\n*** Move File: src/a/b.txt -> x/y/b.txt\n*** Add File: x/z/c.txt\n+c\n*** End Patch";
    run(&hermes, &[("patch", json!({"patch": patch}))]);
    assert!(there("x/y/b.txt"));
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0);
    assert!(!there("x") && there("src/a/b.txt"));
}

#[test]
fn a_file_comes_back_with_its_owner_and_mode() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let hermes = Hermes::new();
    let path = hermes.work().join("run.sh");
    hermes.write("run.sh", "old\n");
    // Only a privileged process may give files away.
    let is_privileged = chown(&path, Some(1234), Some(4321)).is_ok();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).unwrap();
    let before = path.metadata().unwrap();
    assert!(!is_privileged || (before.uid(), before.gid()) == (1234, 4321));
    let delete = ("patch", json!({"patch": "*** Begin Patch\n*** Delete File: run.sh\n*** End Patch"}));
    for calls in [vec![delete.clone()], vec![delete.clone(), write("run.sh", "new\n")]] {
        run(&hermes, &calls);
        let undone = hermes.run(&["undo", "--turn", "--session", "s"]);
        assert_eq!((undone.code, read(&hermes, "run.sh")), (0, Some("old\n".into())), "{}", undone.stderr);
        let after = path.metadata().unwrap();
        assert_eq!((after.uid(), after.gid(), after.mode()), (before.uid(), before.gid(), before.mode()));
    }
}

/// What cannot be read may have been the last turn, or a part of it: an earlier one is not taken for it.
#[test]
fn a_record_that_cannot_be_read_is_not_passed_over() {
    let hermes = Hermes::new();
    hermes.write("a.txt", "old\n");
    run(&hermes, &[write("a.txt", "new\n")]);
    let first = hermes.run(&["undo", "list", "--json"]).json()[0]["id"].as_str().unwrap().to_owned();
    run(&hermes, &[write("b.txt", "b\n")]);
    let last = hermes.run(&["undo", "list", "--json"]).json()[0]["id"].as_str().unwrap().to_owned();
    let record = hermes.home().join(format!("undo/calls/{last}.json"));
    let whole = std::fs::read(&record).unwrap();
    std::fs::write(&record, &whole[..whole.len() / 2]).unwrap();
    for last in [["undo", "--turn"].as_slice(), &["undo", "--turn", "--session", "s"]] {
        let refused = hermes.run(last);
        assert_eq!(refused.code, 5, "{}", refused.stdout);
        assert!(refused.stderr.contains("cannot be read"), "{}", refused.stderr);
        assert_eq!(read(&hermes, "a.txt").as_deref(), Some("new\n"));
    }
    let listed = hermes.run(&["undo", "list"]).stdout;
    assert!(listed.contains("not shown: 1") && listed.contains(&first), "{listed}");
    assert_eq!(hermes.run(&["undo", &first]).code, 0, "who names it means it");
    assert_eq!(read(&hermes, "a.txt").as_deref(), Some("old\n"));
    run(&hermes, &[write("c.txt", "c\n")]);
    assert_eq!(hermes.run(&["undo", "--turn"]).code, 0, "it came before");
}

#[test]
fn a_change_that_was_done_again_is_the_last_one_again() {
    let hermes = Hermes::new();
    run(&hermes, &[write("first.txt", "1\n")]);
    run(&hermes, &[write("second.txt", "2\n")]);
    let there = || ["first.txt", "second.txt"].map(|path| read(&hermes, path).is_some());
    let undo = |what: &str| {
        let undone = hermes.run(&["undo", what, "--json"]);
        assert_eq!(undone.code, 0, "{}", undone.stderr);
        undone.json()["record"].as_str().unwrap().to_owned()
    };
    let states = || {
        let listed = hermes.run(&["undo", "list", "--json"]).json();
        listed.as_array().unwrap().iter().map(|record| record["taken_back"] == true).collect::<Vec<_>>()
    };
    let first = undo("--turn");
    assert_eq!((there(), states()), ([true, false], vec![false, true, false]));
    let again = undo(&first);
    assert_eq!((there(), states()), ([true, true], vec![false, true, false, false]));
    let listed = hermes.run(&["undo", "list"]).stdout;
    assert_eq!(listed.matches("taken back").count(), 1, "{listed}");
    assert!(listed.contains("(an undo, taken back)"), "{listed}");
    assert_eq!((undo(&again), there()).1, [true, false], "an undo of a redo is an undo");
    assert_eq!(states(), [false, true, false, true, false]);
    assert_eq!((undo("--turn"), there()).1, [false, false], "what was before it is the last turn now");
}

/// Whichever record of a turn cannot be read: what is left of the turn is not the turn.
#[test]
fn no_part_of_a_turn_is_taken_back_as_the_turn() {
    for (damaged, name) in [(2, "oldest"), (1, "middle"), (0, "newest")] {
        let hermes = Hermes::new();
        run(&hermes, &[write("a", "a"), write("b", "b"), write("c", "c")]);
        let listed = hermes.run(&["undo", "list", "--json"]).json();
        let turn = listed[0]["turn"].as_str().unwrap();
        let id = listed[damaged]["id"].as_str().unwrap();
        std::fs::write(hermes.home().join(format!("undo/calls/{id}.json")), "{").unwrap();
        for arguments in [
            ["undo", "--turn"].as_slice(),
            &["undo", "--turn", "--preview"],
            &["undo", "--turn", "--session", "s"],
            &["undo", "--turn", turn],
        ] {
            let refused = hermes.run(arguments);
            assert_eq!(refused.code, 5, "{name}: {}", refused.stdout);
            assert!(refused.stderr.contains(id) && refused.stderr.contains("part of the turn"), "{name}");
        }
        assert!(["a", "b", "c"].iter().all(|path| read(&hermes, path).is_some()), "{name}");
        let shown = hermes.run(&["undo", "list", "--json"]).json();
        assert_eq!((shown[2]["id"].as_str(), &shown[2]["damaged"]), (Some(id), &json!(true)), "{name}");
        let other = listed[(damaged + 1) % 3]["id"].as_str().unwrap();
        assert_eq!(hermes.run(&["undo", "show", other, "--json"]).json()["damaged"], 1, "{name}");
        let preview = hermes.run(&["undo", other, "--preview"]).stdout;
        assert!(preview.contains("cannot be read and are not shown: 1"), "{name}: {preview}");
        // A turn that began when this one was over is none of it, and that one is not a part of this.
        run(&hermes, &[write("d", "d")]);
        let listed = hermes.run(&["undo", "list", "--json"]).json();
        let later = listed[0]["turn"].as_str().unwrap();
        assert_eq!(hermes.run(&["undo", "--turn", later]).code, 0, "{name}");
        assert_eq!(hermes.run(&["undo", "--turn", turn]).code, 5, "{name}");
    }
}

#[test]
fn a_turn_that_is_named_is_over_where_its_session_went_on() {
    let hermes = Hermes::new();
    let turn_of = |path: &'static str| {
        run(&hermes, &[write(path, "x")]);
        let newest = hermes.run(&["undo", "list", "--json"]).json()[0].clone();
        (newest["turn"].as_str().unwrap().to_owned(), newest["id"].as_str().unwrap().to_owned())
    };
    let [(first, _), _, (_, damaged)] = ["a", "b", "c"].map(turn_of);
    std::fs::write(hermes.home().join(format!("undo/calls/{damaged}.json")), "").unwrap();
    assert_eq!(hermes.run(&["undo", "--turn", &first]).code, 0);
    assert_eq!(["a", "b", "c"].map(|path| read(&hermes, path).is_some()), [false, true, true]);
}
