//! Which calls a grant covers.

use std::collections::BTreeMap;

use hermes_core::grant::{Grant, NamedFile, Pattern, Scope};
use hermes_core::{Access, CommandEffect, Permission, Target, Verdict};
use serde_json::json;

use super::support::{Call, command, grant, prefix, touching};

#[test]
fn scope_actor_permission_count_and_time_all_count() {
    let call = command("npm test");
    let base = grant(Pattern::Command("npm test".into()));
    assert!(call.covered_by(&base));
    let project = |folder: &str| Scope::Project(folder.into());
    for (grant, covers) in [
        (Grant { tool: "process".into(), ..base.clone() }, false),
        (Grant { scope: Scope::Session("s".into()), ..base.clone() }, true),
        (Grant { scope: Scope::Session("t".into()), ..base.clone() }, false),
        (Grant { scope: project("/w"), ..base.clone() }, true),
        (Grant { scope: project("/w/sub"), ..base.clone() }, false),
        (Grant { scope: project("/"), ..base.clone() }, false),
        (Grant { actor: Some("user".into()), ..base.clone() }, true),
        (Grant { actor: Some("cron".into()), ..base.clone() }, false),
        (Grant { permission: Some(Permission::TERMINAL_EXECUTE), ..base.clone() }, true),
        (Grant { permission: Some(Permission::FILE_READ), ..base.clone() }, false),
        (Grant { uses_left: Some(1), ..base.clone() }, true),
        (Grant { uses_left: Some(0), ..base.clone() }, false),
        (Grant { expires_ms: Some(101), ..base.clone() }, true),
        (Grant { expires_ms: Some(100), ..base.clone() }, false),
        (Grant { revoked_ms: Some(1), ..base.clone() }, false),
    ] {
        assert_eq!(call.covered_by(&grant), covers, "{grant:?}");
    }
}

#[test]
fn commands_are_covered_letter_for_letter_or_word_for_word() {
    let status = prefix(&["git", "status"]);
    for text in ["git status", "git  status -s", "git status 'a;b'", "\"git\" status"] {
        assert!(command(text).covered_by(&status), "{text}");
    }
    for text in [
        "git",
        "git statusx",
        "git -c a=b status",
        "git status; id",
        "git status && id",
        "git status | sh",
        "git status > f",
        "git status $(id)",
        "git status `id`",
        "git status \"$(id)\"",
        "git status\nid",
        "git status & id",
        "A=b git status",
        "/tmp/git status",
        "git status *",
        "git 'status; id'",
        "env git status",
    ] {
        assert!(!command(text).covered_by(&status), "{text}");
    }
    let exact = grant(Pattern::Command("sh -c 'a && b'".into()));
    assert!(command("sh -c 'a && b'").covered_by(&exact));
    for text in ["sh -c 'a && c'", "sh -c 'a && b' ", " sh -c 'a && b'", "sh -c \"a && b\""] {
        assert!(!command(text).covered_by(&exact), "{text}");
    }
}

#[test]
fn arguments_beside_the_command_are_not_covered_unless_they_are_harmless() {
    let exact = grant(Pattern::Command("make".into()));
    for (extra, covers) in [
        (json!({"timeout": 5, "description": "build", "background": false, "workdir": null}), true),
        (json!({"workdir": "/w"}), true),
        (json!({"workdir": "/tmp/evil"}), false),
        (json!({"background": true}), false),
        (json!({"env": {"PATH": "/tmp"}}), false),
        (json!({"stdin": "y"}), false),
    ] {
        let mut call = command("make");
        call.arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        assert_eq!(call.covered_by(&exact), covers, "{extra}");
    }
    let two = Call {
        access: vec![command("make").access.remove(0), Access::any(Permission::NETWORK_FETCH)],
        ..command("make")
    };
    assert!(!two.covered_by(&exact), "everything a call touches must be covered");
}

#[test]
fn a_script_that_changed_is_another_script() {
    let file = |word: &str, content: &str| NamedFile { word: word.into(), content: content.into() };
    let mut exact = grant(Pattern::Command("./run.sh a.py".into()));
    exact.files = vec![file("./run.sh", "1"), file("a.py", "2")];
    let call = |files: Vec<NamedFile>| Call { files, ..command("./run.sh a.py") };
    assert!(call(exact.files.clone()).covered_by(&exact));
    assert!(!call(vec![file("./run.sh", "9"), file("a.py", "2")]).covered_by(&exact), "changed");
    assert!(!call(vec![file("./run.sh", "1")]).covered_by(&exact), "gone");
    let before_it_existed = Grant { files: Vec::new(), ..exact.clone() };
    assert!(!call(exact.files.clone()).covered_by(&before_it_existed), "added");
    let mut runs = prefix(&["./run.sh"]);
    runs.files = vec![file("./run.sh", "1")];
    assert!(call(exact.files.clone()).covered_by(&runs), "a prefix speaks of its own words");
    assert!(!call(vec![file("./run.sh", "9")]).covered_by(&runs));
}

#[test]
fn a_place_that_a_link_leads_to_is_part_of_what_was_granted() {
    let led = |path: &str, verdict| {
        let access = Access::new(Permission::FILE_WRITE, Target::Resolved(path.into()));
        NamedFile::of_places(&[CommandEffect { access, led: Some(verdict) }])
    };
    let (asked, open) = (led("/home/u/.bashrc", Verdict::Ask), led("/w/other", Verdict::Allow));
    let call = |files: &[NamedFile]| Call { files: files.to_vec(), ..command("./run.sh a.py") };
    let exact = grant(Pattern::Command("./run.sh a.py".into()));
    assert!(call(&[]).covered_by(&exact));
    assert!(!call(&asked).covered_by(&exact) && !call(&open).covered_by(&exact), "added");
    let known = Grant { files: asked.clone(), ..exact };
    assert!(call(&asked).covered_by(&known));
    assert!(!call(&led("/home/u/.zshrc", Verdict::Ask)).covered_by(&known), "elsewhere");
    let words = prefix(&["./run.sh"]);
    assert!(call(&open).covered_by(&words), "the words after a prefix name any place");
    assert!(!call(&asked).covered_by(&words), "but none that is asked about by itself");
    let not_led = CommandEffect { access: Access::any(Permission::FILE_WRITE), led: None };
    assert!(NamedFile::of_places(&[not_led]).is_empty());
}

#[test]
fn paths_and_hosts() {
    let path = |text: &str| Access::new(Permission::FILE_WRITE, Target::Resolved(text.into()));
    let src = Grant { tool: "write_file".into(), ..grant(Pattern::Path("/w/src/**".into())) };
    assert!(touching(vec![path("/w/src/a/b.rs")]).covered_by(&src));
    assert!(!touching(vec![path("/w/src/a"), path("/w/Cargo.toml")]).covered_by(&src), "all of them");
    assert!(
        !touching(vec![Access::write_path("/w/src/a")]).covered_by(&src),
        "an unresolved path is no path"
    );
    assert!(!touching(Vec::new()).covered_by(&src), "nothing known, nothing covered");
    let host = |text: &str| touching(vec![Access::new(Permission::NETWORK_FETCH, Target::Host(text.into()))]);
    let example = Grant { tool: "write_file".into(), ..grant(Pattern::Host("example.com".into())) };
    assert!(host("Example.com.").covered_by(&example));
    for other in ["evil-example.com", "example.com.evil", "a.example.com", "example.com:8080"] {
        assert!(!host(other).covered_by(&example), "{other}");
    }
}

#[test]
fn variables_are_part_of_what_a_command_depends_on() {
    let overlay = |value: &str| BTreeMap::from([("PATH".to_owned(), Some(value.to_owned()))]);
    let variables =
        |value: &str| NamedFile::of_variables(&overlay(value), |text| format!("digest of {text}"));
    assert_eq!(NamedFile::of_variables(&BTreeMap::new(), |text| text), None);
    for (grant, text) in [
        (grant(Pattern::Command("npm test".into())), "npm test"),
        (prefix(&["npm", "test"]), "npm test -w a"),
    ] {
        let call = |value: &str| Call { files: variables(value).into_iter().collect(), ..command(text) };
        let given = Grant { files: variables("/a").into_iter().collect(), ..grant.clone() };
        assert!(command(text).covered_by(&grant) && !call("/a").covered_by(&grant), "{text}");
        assert!(call("/a").covered_by(&given), "{text}");
        assert!(!call("/b").covered_by(&given) && !command(text).covered_by(&given), "{text}");
    }
}
