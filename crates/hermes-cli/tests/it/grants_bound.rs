//! What a stored yes is bound to: the files that would run, the paths that are named, the tools that exist.

use serde_json::json;

use crate::harness::{Hermes, request};

/// A command that always asks.
const ASKS: &str = "git reset --hard";

fn grant(hermes: &Hermes, arguments: &[&str]) -> crate::harness::Ran {
    hermes.run(&[&["grants", "add"], arguments].concat())
}

fn call(hermes: &Hermes, command: &str) -> i32 {
    hermes.run_with(&["run"], &request(&[("terminal", json!({"command": command}))])).code
}

#[test]
fn a_changed_script_is_asked_about_however_it_is_named() {
    for (file, command) in [
        ("my dir/u.sh", "sh 'my dir/u.sh'"),
        ("sub/t.sh", "cd sub && sh t.sh"),
        ("sub/t.sh", "(cd sub; ./t.sh)"),
        ("sub/t.sh", "pushd sub; sh t.sh; popd"),
        ("sub/t.sh", "sh -c 'cd sub; sh t.sh'"),
        ("sub/t.sh", "env -C sub sh t.sh"),
        ("sub/in/t", "cd sub; cd in; sh t"),
        ("s.sh", "X=s.sh; sh $X"),
        ("s.sh", "sh s?sh"),
        ("s.sh", "sh ./*.sh"),
        ("Makefile", "make"),
        ("sub/makefile", "make -C sub"),
        ("mk", "make -f mk"),
        ("mk", "make -fmk"),
        ("mk", "make --file=mk"),
        ("package.json", "npm run d"),
        ("s.sh", "BASH_ENV=s.sh bash -c true"),
        ("s.sh", "ENV=./s.sh sh -i </dev/null"),
        ("s.sh", "export BASH_ENV=s.sh; bash -c true"),
        ("data.txt", "cat data.txt | sh"),
        ("data.txt", "sh <data.txt"),
        ("x.txt", "python3 -c \"exec(open('x.txt').read())\""),
        ("t", "sh <<'E'\nsh t\nE\ntrue"),
    ] {
        let hermes = Hermes::new();
        let path = hermes.work().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, ": one\n").unwrap();
        let command = format!("{command}; {ASKS}");
        assert_eq!(call(&hermes, &command), 4, "{command}: nothing is granted");
        let added = grant(&hermes, &["--tool", "terminal", "--command", &command]);
        assert_eq!(added.code, 0, "{command}: {}", added.stderr);
        assert_ne!(call(&hermes, &command), 4, "{command}: the grant holds");
        std::fs::write(&path, ": two\n").unwrap();
        assert_eq!(call(&hermes, &command), 4, "{command}: the file has changed");
    }
}

#[test]
fn what_nobody_can_tell_is_approved_for_once_only() {
    let hermes = Hermes::new();
    std::fs::write(hermes.work().join("s.sh"), ": one\n").unwrap();
    let mut many = String::from("cat");
    for index in 0..65 {
        std::fs::write(hermes.work().join(format!("f{index}")), "x").unwrap();
        many.push_str(&format!(" f{index}"));
    }
    for command in [
        "ls *.sh | xargs -n1 sh",
        "find . -name '*.sh' -exec sh {} \\;",
        "sh \"$(ls | head -1)\"",
        "sh -c 'sh \"$1\"' x \"$UNSET_NAME\"",
        &format!("{many} | sh"),
    ] {
        let command = format!("{command}; {ASKS}");
        let refused = grant(&hermes, &["--tool", "terminal", "--command", &command]);
        assert_eq!(refused.code, 3, "{command}: {}", refused.stdout);
        assert!(refused.stderr.contains("nobody can tell which files"), "{}", refused.stderr);
        let run = hermes.run_with(&["run"], &request(&[("terminal", json!({"command": command}))]));
        let hint = run.json()["denials"][0]["hint"].to_string();
        assert!(hint.contains("No grant can be stored"), "{command}: {hint}");
    }
    for command in ["find . -name '*.o' -exec rm {} +", "git commit -m \"$(date)\"", "ls | xargs rm -f"] {
        let command = format!("{command}; {ASKS}");
        let added = grant(&hermes, &["--tool", "terminal", "--command", &command]);
        assert_eq!(added.code, 0, "{command}: {}", added.stderr);
    }
}

#[test]
fn a_pattern_of_paths_takes_no_sensitive_file_that_it_does_not_name() {
    let hermes = Hermes::new();
    let code = |path: &str| {
        hermes.run_with(&["run"], &request(&[("write_file", json!({"path": path, "content": "x"}))])).code
    };
    assert_eq!(grant(&hermes, &["--tool", "write_file", "--path", "**"]).code, 0);
    assert_eq!(grant(&hermes, &["--tool", "write_file", "--path", ".en?"]).code, 0);
    for path in [".git/hooks/pre-commit", ".env", "sub/.env"] {
        assert_eq!(code(path), 4, "{path}");
    }
    assert_eq!(code("plain.txt"), 0);
    assert_eq!(grant(&hermes, &["--tool", "write_file", "--path", ".env"]).code, 0);
    assert_eq!(code(".env"), 0, "it is named");
    assert_eq!(code("sub/.env"), 4);
}

#[test]
fn a_prefix_needs_a_program_that_is_known_to_run_no_other() {
    let hermes = Hermes::new();
    for prefix in "capsh nix-shell pre-commit jupyter nc psql mysql gcc rg ag tcpdump vault".split(' ') {
        let refused = grant(&hermes, &["--tool", "terminal", "--prefix", prefix]);
        assert_eq!(refused.code, 3, "{prefix}: {}", refused.stdout);
    }
    let added = grant(&hermes, &["--tool", "terminal", "--prefix", "rm"]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    assert!(added.stderr.contains("does not cover") && added.stderr.contains("rm -rf"), "{}", added.stderr);
    assert!(
        !grant(&hermes, &["--tool", "terminal", "--prefix", "git status"]).stderr.contains("does not cover")
    );
}

#[test]
fn a_grant_that_could_never_apply_is_refused() {
    let hermes = Hermes::new();
    let own = format!("{}/**", hermes.home().display());
    for (arguments, reason) in [
        (&["--tool", "terminal", "--command", "ls", "--actor", ""][..], "who may use it"),
        (&["--tool", "*", "--command", "ls"], "one tool"),
        (&["--tool", "write_file", "--path", &own], "no approval overrides"),
        (&["--tool", "write_file", "--path", "/"], "not everything"),
    ] {
        let refused = grant(&hermes, arguments);
        assert_eq!(refused.code, 3, "{arguments:?}: {}", refused.stdout);
        assert!(refused.stderr.contains(reason), "{arguments:?}: {}", refused.stderr);
    }
    for command in ["approve", "deny", "show"] {
        assert_eq!(hermes.run(&["approvals", command, ""]).code, 2, "{command}");
    }
}

#[test]
fn explain_says_what_it_does_not_understand() {
    let hermes = Hermes::new();
    assert_eq!(hermes.run(&["explain", "path", "a", "--op", "bogus"]).code, 2);
    for (kind, subject) in [("command", "command"), ("path", "path"), ("url", "url")] {
        for (field, value) in [("home", json!(5)), ("cwd", json!(5)), ("root", json!([5]))] {
            let row = json!({ subject: "x", field: value }).to_string();
            let ran = hermes.run_with(&["explain", kind, "--jsonl"], &row);
            assert!(ran.stdout.contains(&format!("'{field}' is")), "{kind} {field}: {}", ran.stdout);
        }
    }
    let arguments =
        ["explain", "url", "http://127.1/", "--home", "/home/a", "--root", "/w", "-C", "/w", "--json"];
    assert_eq!(hermes.run(&arguments).json()["verdict"], "deny");
}

/// A name that a link was put at since leads a granted command elsewhere: that is another question.
#[test]
fn a_name_that_leads_elsewhere_is_asked_about() {
    for name in ["log2", "sub/log2"] {
        let hermes = Hermes::new();
        let started = hermes.home().with_file_name(".bashrc");
        std::fs::write(&started, "# mine\n").unwrap();
        let log = hermes.write(name, "");
        hermes.write("x", "");
        let command = format!("chmod 777 x; echo ESCAPED >> {name}");
        let grant = || {
            let added = grant(&hermes, &["--tool", "terminal", "--command", &command]);
            assert_eq!(added.code, 0, "{command}: {}", added.stderr);
        };
        grant();
        assert_eq!(call(&hermes, &command), 0, "{command}: the grant holds");
        std::fs::remove_file(&log).unwrap();
        std::os::unix::fs::symlink(&started, &log).unwrap();
        assert_eq!(call(&hermes, &command), 4, "{command}: it would write elsewhere");
        assert_eq!(std::fs::read_to_string(&started).unwrap(), "# mine\n");
        // Whoever grants it now has seen where it leads.
        grant();
        assert_eq!(call(&hermes, &command), 0, "{command}: granted as it is");
        assert_eq!(std::fs::read_to_string(&started).unwrap(), "# mine\nESCAPED\n");
    }
}
