//! `hermes explain path` and `hermes explain url` on the labelled rows, staged in every way a harness might.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::{Hermes, fixture};

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Rows that the policy crate keeps.
fn policy_fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hermes-policy/tests/fixtures").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn answers(arguments: &[&str], input: &str) -> Vec<(Value, Value)> {
    let ran = Hermes::new().run_with(arguments, input);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (rows, answers) = (rows(input), ran.lines());
    assert_eq!(rows.len(), answers.len(), "one answer per case, in order");
    rows.into_iter().zip(answers).collect()
}

/// Whether a decision is right for a label, as the scorer of the security cases has it.
fn is_right(expect: &str, decision: &str) -> bool {
    match expect {
        "deny" => decision == "deny",
        "block" => decision == "block",
        "pin_or_block" => matches!(decision, "block" | "pinned"),
        "contained" => matches!(decision, "deny" | "error_contained" | "contained"),
        _ => decision == expect,
    }
}

#[track_caller]
fn assert_decisions(how: &str, answers: &[(Value, Value)]) {
    let is_wrong = |row: &Value, answer: &Value| {
        row.get("id") != answer.get("id")
            || !is_right(row["expect"].as_str().unwrap(), answer["decision"].as_str().unwrap())
    };
    let wrong: Vec<String> = answers
        .iter()
        .filter(|(row, answer)| is_wrong(row, answer))
        .map(|(row, answer)| format!("{row}\n    {answer}"))
        .collect();
    assert!(wrong.is_empty(), "{how}:\n{}", wrong.join("\n"));
}

/// Makes the tree of the security cases on disk.
fn make_tree(base: &Path) {
    let tree: Value = serde_json::from_str(&fixture("path_tree.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for folder in tree["dirs"].as_array().unwrap().iter().chain(tree["roots"].as_object().unwrap().values()) {
        std::fs::create_dir_all(base.join(text(folder))).unwrap();
    }
    for (file, content) in tree["files"].as_object().unwrap() {
        std::fs::write(base.join(file), text(content)).unwrap();
    }
    for (link, target) in tree["links"].as_object().unwrap() {
        symlink(marked(&text(target), base), base.join(link)).unwrap();
    }
}

fn marked(text: &str, base: &Path) -> String {
    [("{W}", "workspace"), ("{T}", "tmp"), ("{O}", "outside")]
        .iter()
        .fold(text.to_owned(), |text, (mark, folder)| text.replace(mark, base.join(folder).to_str().unwrap()))
}

#[test]
fn guarded_paths_are_decided_as_labelled() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    make_tree(&base);
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/path_tree.json");
    let path = |name: &str| base.join(name).to_str().unwrap().to_owned();
    let (tree, root, workspace, temp) = (tree.to_str().unwrap(), path(""), path("workspace"), path("tmp"));
    for file in ["guarded_paths.jsonl", "guarded_paths_heldout.jsonl", "guarded_paths_fresh.jsonl"] {
        let input = fixture(file);
        let stages: [(&str, Vec<&str>, String); 5] = [
            ("imagined", vec!["--tree", tree], input.clone()),
            ("on disk", vec!["--tree", tree, "--root", &root], input.clone()),
            ("by its layout", vec!["--root", &root], input.clone()),
            ("by its workspace", vec!["--cwd", &workspace], input.clone()),
            (
                "by its folders",
                vec!["--cwd", &workspace, "--root", &workspace, "--root", &temp],
                marked(&input, &base),
            ),
        ];
        for (how, flags, input) in stages {
            let arguments = [vec!["explain", "path", "--jsonl"], flags].concat();
            assert_decisions(&format!("{file} {how}"), &answers(&arguments, &input));
        }
    }
    assert_eq!(std::fs::read_dir(&base).unwrap().count(), 5, "nothing was made");
}

/// Makes Alice's machine below `base`, with links that name the home as `home`.
fn make_machine(base: &Path, home: &str) -> PathBuf {
    let work = base.join("home/alice/proj");
    std::fs::create_dir_all(&work).unwrap();
    let links = [
        ("ln_passwd", "/etc/passwd".to_owned()),
        ("ln_hop", "ln_passwd".to_owned()),
        ("ln_shadow", "/etc/shadow".to_owned()),
        ("ln_etc", "/etc".to_owned()),
        ("ln_ssh", format!("{home}/.ssh")),
        ("ln_env", ".env".to_owned()),
        ("ln_zero", "/dev/zero".to_owned()),
        ("ln_conf", format!("{home}/.hermes/config.yaml")),
        ("ln_home", home.to_owned()),
        ("ln_bashrc", format!("{home}/.bashrc")),
        ("ln_procenv", "/proc/self/environ".to_owned()),
    ];
    for (link, target) in links {
        symlink(target, work.join(link)).unwrap();
    }
    work
}

#[test]
fn the_paths_of_a_machine_are_judged_as_labelled() {
    let (near, far) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let home = near.path().join("home/alice").to_str().unwrap().to_owned();
    let work = make_machine(near.path(), &home).to_str().unwrap().to_owned();
    make_machine(far.path(), "/home/alice");
    let (near, far) = (near.path().to_str().unwrap(), far.path().to_str().unwrap());
    let seen_from_outside = vec!["--home", &home, "--cwd", &work];
    let stages = [
        ("outside", seen_from_outside.clone()),
        ("outside, with its base", [seen_from_outside.clone(), vec!["--root", near]].concat()),
        ("outside, with its workspace", [seen_from_outside, vec!["--root", &work]].concat()),
        ("inside", vec!["--root", far, "--home", "/home/alice", "--cwd", "/home/alice/proj"]),
    ];
    for file in ["paths.jsonl", "paths_heldout.jsonl", "paths_fresh.jsonl"] {
        for (how, flags) in &stages {
            let arguments = [vec!["explain", "path", "--jsonl"], flags.clone()].concat();
            for (row, answer) in answers(&arguments, &policy_fixture(file)) {
                assert_eq!(row["allowed"], answer["allowed"], "{file} {how}: {row}\n{answer}");
                assert_eq!(row["path"], answer["path"]);
                assert_eq!(answer["allowed"] == true, answer["verdict"] == "allow");
            }
        }
    }
}

#[test]
fn a_row_can_set_its_own_stage() {
    let case = |extra: Value| {
        let mut row = json!({"id": 7, "path": "ln", "op": "read", "home": "/home/a", "cwd": "/home/a/p"});
        row.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let answers = answers(&["explain", "path", "--jsonl"], &format!("{row}\n"));
        answers.into_iter().next().unwrap().1
    };
    let linked = case(json!({"links": {"ln": "../.aws/credentials"}}));
    assert_eq!(
        (&linked["id"], &linked["verdict"], &linked["category"]),
        (&json!(7), &json!("ask"), &json!("cloud"))
    );
    assert_eq!(linked["resolved"], "/home/a/.aws/credentials");
    assert_eq!(linked["effects"], json!([{"kind": "reads", "target": "/home/a/.aws/credentials"}]));
    assert_eq!(case(json!({}))["verdict"], "allow");
    let policy = json!({"read": ["{W}/**"], "write": [], "deny": ["{W}/ln"]});
    assert_eq!(case(json!({ "policy": policy }))["category"], "denied");
    assert_eq!(case(json!({"op": "fly"}))["category"], "unknown_op");
    assert_eq!(case(json!({"policy": 3}))["verdict"], "deny");
}

#[test]
fn urls_are_judged_as_labelled() {
    for file in ["ssrf_urls.jsonl", "ssrf_urls_heldout.jsonl", "ssrf_urls_fresh.jsonl"] {
        assert_decisions(file, &answers(&["explain", "url", "--jsonl"], &policy_fixture(file)));
    }
    for (row, answer) in answers(&["explain", "url", "--jsonl"], &policy_fixture("url_safety.jsonl")) {
        assert_eq!((&row["safe"], &row["id"]), (&answer["safe"], &answer["id"]), "{row}\n{answer}");
    }
}

#[test]
fn a_name_without_answers_is_judged_by_its_letters() {
    let verdict = |url: &str| Hermes::new().run(&["explain", "url", url, "--json"]).json()["verdict"].clone();
    for url in ["https://example.com/", "https://docs.rs/serde", "https://münchen.de/", "http://8.8.8.8/"] {
        assert_eq!(verdict(url), "allow", "{url}");
    }
    for url in ["https://nobody.example/", "http://x.test/", "http://nas.lan/", "http://app.localtest.me/"] {
        assert_eq!(verdict(url), "deny", "{url}");
    }
}

#[test]
fn people_can_ask_too() {
    let hermes = Hermes::new();
    let asked = hermes.run(&["explain", "path", "~/.ssh/id_rsa"]);
    assert!(asked.stdout.starts_with("ask (ssh): read ~/.ssh/id_rsa\n"), "{}", asked.stdout);
    let asked = hermes.run(&["explain", "path", "a.txt", "--op", "rename", "--to", "/etc/x"]);
    assert!(asked.stdout.starts_with("ask (system): rename a.txt\n"), "{}", asked.stdout);
    let asked = hermes.run(&["explain", "url", "http://2130706433/"]);
    assert!(
        asked.stdout.starts_with("deny (noncanonical_address): http://2130706433/\n"),
        "{}",
        asked.stdout
    );
    assert_eq!(hermes.run(&["explain", "path"]).code, 2);
    assert_eq!(hermes.run(&["explain", "path", "x", "--tree", "none.json"]).code, 2);
}

/// Rows of both corpora through the binary, as a harness would send them.
#[test]
fn commands_are_judged_in_the_fields_of_the_data() {
    let rows = policy_fixture("commands.jsonl");
    let stage = ["explain", "command", "--jsonl", "--home", "/home/agent", "--cwd", "/workspace"];
    for (row, answer) in answers(&stage, &rows) {
        assert_eq!(row["id"], answer["id"]);
        let expected = row["expect"].as_str().unwrap();
        let decision = answer["decision"].as_str().unwrap();
        assert!(decision == expected || (expected == "ask" && decision == "deny"), "{row}\n    {answer}");
        assert_eq!(answer["verdict"], answer["decision"]);
        assert_eq!(answer["reasons"].as_array().unwrap().is_empty(), decision == "allow", "{answer}");
    }
    let rows = policy_fixture("dangerous.jsonl");
    let stage = ["explain", "command", "--jsonl", "--home", "/home/alice", "--cwd", "/home/alice/proj"];
    for (row, answer) in answers(&stage, &rows) {
        assert_eq!(row["dangerous"], answer["dangerous"], "{row}\n    {answer}");
        if row["severity"] == "hardline" {
            assert_eq!(answer["verdict"], "deny", "{row}\n    {answer}");
        }
    }
}

/// A case brings its own stage along, and the same words mean something else there.
#[test]
fn the_stage_of_a_command_counts() {
    let rows = [
        json!({"command": "touch /srv/app/x", "cwd": "/srv/app"}),
        json!({"command": "touch /srv/app/x", "cwd": "/workspace"}),
        json!({"command": "touch /srv/app/x", "cwd": "/workspace", "root": ["/workspace", "/srv/app"]}),
        json!({"command": "rm -rf ~", "cwd": "/workspace", "home": "/home/x"}),
        json!({"command": "echo 1 >> {CONF}/config.yaml"}),
        json!({"no": "command"}),
    ];
    let input = rows.map(|row| row.to_string()).join("\n");
    let ran = Hermes::new().run_with(&["explain", "command", "--jsonl"], &input);
    let verdicts: Vec<Value> = ran.lines().iter().map(|answer| answer["verdict"].clone()).collect();
    assert_eq!(
        verdicts,
        [json!("allow"), json!("ask"), json!("allow"), json!("deny"), json!("deny"), Value::Null]
    );
    assert_eq!(ran.lines()[5]["error"], "the case has no 'command'");
}

#[test]
fn one_command_is_explained_in_words() {
    let ran = Hermes::new().run(&["explain", "command", "cd /tmp && git push --force origin main"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("ask ("), "{}", ran.stdout);
    assert!(ran.stdout.contains("[git-push-force]   in: git push --force origin main"), "{}", ran.stdout);
    let none = Hermes::new().run(&["explain", "command"]);
    assert_eq!(none.code, 2);
}

/// Rules of the configuration count here as they do in a session.
#[test]
fn rules_of_the_configuration_count() {
    let hermes = Hermes::new().with_config(
        "permissions:\n  dangerous_patterns:\n    - name: no-deploys\n      program: deployctl\n      \
         reason: deployments go through the pipeline\n      class: deny\n      match: [deployctl up]\n      \
         pass: [echo deployctl up]\n",
    );
    let ran = hermes.run(&["explain", "command", "--json", "sudo deployctl up"]);
    assert_eq!(ran.json()["verdict"], "deny", "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.json()["findings"][0]["rule"], "no-deploys");
}
