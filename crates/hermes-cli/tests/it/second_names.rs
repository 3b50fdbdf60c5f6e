//! Hard links in the folder where the work is done: what is closed under one name of a file is closed under all.

use serde_json::{Value, json};

use crate::harness::{Hermes, Ran};

const SECRET: &str = "TOKEN=abc123";

fn work() -> Hermes {
    let hermes = Hermes::new();
    let work = hermes.work();
    for (first, second) in [(".env", "notes.txt"), ("vault/key", "deep/er/copy"), ("a.rs", "b.rs")] {
        hermes.write(first, &format!("{SECRET} in {first}\n"));
        std::fs::create_dir_all(work.join(second).parent().unwrap()).unwrap();
        std::fs::hard_link(work.join(first), work.join(second)).unwrap();
    }
    hermes
}

fn call(hermes: &Hermes, tool: &str, arguments: Value, flags: &[&str]) -> Ran {
    let arguments = arguments.to_string();
    hermes.run(&[&["tools", "call", tool, &arguments, "--json"], flags].concat())
}

fn kinds(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("read_file", json!({"path": path})),
        ("write_file", json!({"path": path, "content": "x", "mode": "append"})),
        ("write_file", json!({"path": path, "content": "x"})),
        ("patch", json!({"path": path, "old_string": "abc", "new_string": "abd"})),
        ("search_files", json!({"pattern": "TOKEN", "path": path})),
        ("file_diff", json!({"left": path, "right": "a.rs"})),
        ("file_compress", json!({"action": "compress", "source": path, "destination": "x.zip"})),
        ("terminal", json!({"command": format!("cat {path}")})),
    ]
}

#[test]
fn a_second_name_of_a_secret_is_asked_about_like_the_first() {
    let hermes = work();
    for (tool, arguments) in kinds("notes.txt") {
        let ran = call(&hermes, tool, arguments, &[]);
        assert_eq!(ran.code, 4, "{tool}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("abc123"), "{tool}: {}", ran.stdout);
        assert!(ran.stdout.contains(".env"), "{tool} says which file that is: {}", ran.stdout);
    }
    let whole = call(&hermes, "search_files", json!({"pattern": "TOKEN"}), &[]);
    assert!(whole.stdout.contains("b.rs") && !whole.stdout.contains("notes.txt"), "{}", whole.stdout);
    let packed = json!({"action": "compress", "source": ".", "destination": "all.tar"});
    assert_eq!(call(&hermes, "file_compress", packed, &[]).code, 0);
    assert!(!std::fs::read_to_string(hermes.work().join("all.tar")).unwrap().contains("in .env"));
    // From a part of the project too, and by a name above that part.
    let deep = hermes.work().join("deep");
    std::fs::hard_link(hermes.work().join(".env"), deep.join("below")).unwrap();
    for path in ["../notes.txt", "below"] {
        let read = json!({"path": path}).to_string();
        let ran = hermes.run(&["tools", "call", "read_file", &read, "--json", "-C", deep.to_str().unwrap()]);
        assert_eq!(ran.code, 4, "{path}: {}", ran.stdout);
    }
    // Who agrees to the file agrees to its other name.
    let asked = call(&hermes, "read_file", json!({"path": "notes.txt"}), &[]).json();
    let hint = asked["hint"].as_str().unwrap();
    let digest = hint.split("--call ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let granted = ["grants", "add", "--tool", "read_file", "--call", digest, "--times", "1"];
    assert_eq!(hermes.run(&granted).code, 0);
    let read = call(&hermes, "read_file", json!({"path": "notes.txt"}), &[]);
    assert!(read.code == 0 && read.stdout.contains("abc123"), "{}", read.stdout);
}

#[test]
fn what_a_rule_closes_is_closed_by_every_name() {
    let hermes = work();
    std::fs::create_dir_all(hermes.home()).unwrap();
    let rules = "profiles:\n  careful:\n    extends: [default]\n    rules:\n      - {effect: deny, path: ['vault/**']}\n";
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), rules).unwrap();
    for (tool, arguments) in kinds("deep/er/copy").into_iter().filter(|(tool, _)| *tool != "terminal") {
        let ran = call(&hermes, tool, arguments, &["--profile", "careful"]);
        assert_eq!(ran.code, 3, "{tool}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("abc123"), "{tool}: {}", ran.stdout);
    }
    let whole = call(&hermes, "search_files", json!({"pattern": "vault"}), &["--profile", "careful"]);
    assert!(!whole.stdout.contains("deep/er/copy"), "{}", whole.stdout);
    assert!(call(&hermes, "search_files", json!({"pattern": "vault"}), &[]).stdout.contains("deep/er/copy"));
}

#[test]
fn two_names_of_an_ordinary_file_are_in_nobodys_way() {
    for (tool, arguments) in kinds("b.rs") {
        let hermes = work();
        let ran = call(&hermes, tool, arguments, &[]);
        assert_eq!(ran.code, 0, "{tool}: {}{}", ran.stdout, ran.stderr);
    }
    let hermes = work();
    let removed = "*** Begin Patch\n*** Delete File: notes.txt\n*** End Patch";
    assert_eq!(
        call(&hermes, "patch", json!({"patch": removed}), &[]).code,
        4,
        "a patch reads what it removes"
    );
}

#[test]
fn of_many_names_those_count_that_are_not_open() {
    let hermes = Hermes::new();
    let work = hermes.work();
    hermes.write("LICENSE", &format!("{SECRET}\n"));
    for name in 0..300 {
        std::fs::create_dir_all(work.join(format!("pkg{name}"))).unwrap();
        std::fs::hard_link(work.join("LICENSE"), work.join(format!("pkg{name}/LICENSE"))).unwrap();
    }
    let read = json!({"path": "pkg7/LICENSE"});
    let open = call(&hermes, "read_file", read.clone(), &[]);
    assert!(open.code == 0 && open.stdout.contains("abc123"), "{}{}", open.stdout, open.stderr);
    let files =
        ["state.db", "state.db-wal"].map(|name| std::fs::read(hermes.home().join(name)).unwrap_or_default());
    let journal = String::from_utf8_lossy(&files.concat()).into_owned();
    assert!(journal.contains("pkg7/LICENSE") && !journal.contains("pkg299/LICENSE"), "no access of its own");
    let found = call(&hermes, "search_files", json!({"pattern": "TOKEN", "limit": 500}), &[]);
    assert!(found.stdout.contains("pkg299/LICENSE"), "{}", found.stdout);
    for name in 0..60 {
        std::fs::create_dir_all(work.join(format!("app{name}"))).unwrap();
        std::fs::hard_link(work.join("LICENSE"), work.join(format!("app{name}/.env"))).unwrap();
    }
    let asked = call(&hermes, "read_file", read, &[]);
    assert_eq!(asked.code, 4, "{}", asked.stdout);
    let named = asked.stdout.matches("/.env").count();
    assert!((1..=64).contains(&named) && !asked.stdout.contains("abc123"), "{}", asked.stdout);
    let found = call(&hermes, "search_files", json!({"pattern": "TOKEN", "limit": 500}), &[]);
    assert!(!found.stdout.contains("pkg299/LICENSE"), "{}", found.stdout);
}

/// Settings of the person can be read, and a command must not write them by another name either.
#[test]
fn a_second_name_of_the_persons_settings_stays_as_it_is() {
    let hermes = Hermes::new();
    let (settings, linked) = (hermes.work().with_file_name(".bashrc"), hermes.work().join("deep/linked"));
    std::fs::write(&settings, "alias a=b\n").unwrap();
    std::fs::create_dir(hermes.work().join("deep")).unwrap();
    std::fs::hard_link(&settings, &linked).unwrap();
    hermes.write(
        "script.sh",
        "echo planted >> deep/linked; mv deep gone; echo planted >> gone/linked; echo x > deep/new",
    );
    let ran = call(&hermes, "terminal", json!({"command": "sh script.sh; cat deep/linked"}), &[]).json();
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "alias a=b\n", "{ran}");
    assert!(ran["output"].as_str().unwrap().ends_with("alias a=b"), "{ran}");
    assert!(hermes.work().join("deep/new").exists(), "{ran}");
}

/// What other programs run is theirs by another name too.
#[test]
fn a_second_name_of_a_hook_stays_as_it_is() {
    let hermes = Hermes::new();
    let script = hermes.write("scripts/check.sh", "mine\n");
    for (first, second) in [(".git/hooks/pre-commit", "scripts/check.sh"), (".envrc", "conf/envrc")] {
        let (first, second) = (hermes.work().join(first), hermes.work().join(second));
        for name in [&first, &second] {
            std::fs::create_dir_all(name.parent().unwrap()).unwrap();
        }
        std::fs::write(&second, "mine\n").unwrap();
        std::fs::hard_link(&second, &first).unwrap();
    }
    hermes.write(
        "script.sh",
        "echo evil >> scripts/check.sh; echo evil >> conf/envrc; mv scripts s; echo evil >> s/check.sh; echo x > conf/new",
    );
    let ran = call(&hermes, "terminal", json!({"command": "sh script.sh; true"}), &[]).json();
    for name in [script, hermes.work().join(".envrc")] {
        assert_eq!(std::fs::read_to_string(name).unwrap(), "mine\n", "{ran}");
    }
    assert!(hermes.work().join("conf/new").exists(), "{ran}");
}
