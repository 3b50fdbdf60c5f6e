//! The `.env` file: what is set is read back, and nothing else changes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use hermes_core::ErrorCode;
use hermes_host::env_file::{EnvDocument, EnvFile};
use hermes_host::home::Home;
use proptest::prelude::*;

const FILE: &str = "\
# keys of ada
export API_KEY=abc123  # from the console

SINGLE='a # b $HOME'
DOUBLE=\"line one\\nline \\\"two\\\" \\$x \\q\"
MULTI=\"first
second\"
  INDENTED = padded value\t
EMPTY=
HASH=a#b
HASHED=#red
COMMENTED= # nothing
this line is no assignment
1BAD=x
API_KEY=later wins
LAST=no newline";

#[test]
fn hand_written_files_are_understood_and_kept_to_the_byte() {
    let document = EnvDocument::parse(FILE);
    assert_eq!(document.to_text(), FILE);
    let expected = BTreeMap::from([
        ("API_KEY", "later wins"),
        ("SINGLE", "a # b $HOME"),
        ("DOUBLE", "line one\nline \"two\" $x \\q"),
        ("MULTI", "first\nsecond"),
        ("INDENTED", "padded value"),
        ("EMPTY", ""),
        ("HASH", "a#b"),
        ("HASHED", "#red"),
        ("COMMENTED", ""),
        ("LAST", "no newline"),
    ]);
    assert_eq!(document.variables(), expected);
}

#[test]
fn an_edit_changes_one_value_and_nothing_around_it() {
    let mut document = EnvDocument::parse("# a\nexport X='1'# why\r\n\nY=2\n");
    document.set("X", "it's # 1").unwrap();
    document.set("Z", "").unwrap();
    assert!(document.unset("Y"));
    assert!(!document.unset("Y"));
    assert_eq!(document.to_text(), "# a\nexport X=\"it's # 1\" # why\r\n\nZ=\n");

    let mut document = EnvDocument::parse("A=1");
    document.set("B", "2").unwrap();
    assert_eq!(document.to_text(), "A=1\nB=2\n");
}

#[test]
fn impossible_names_and_values_are_refused() {
    let mut document = EnvDocument::default();
    for name in ["", "A B", "A=B", "1A", "Ä", "A\n"] {
        assert_eq!(document.set(name, "x").unwrap_err().code, ErrorCode::InvalidArgument, "{name:?}");
    }
    assert_eq!(document.set("A", "x\0y").unwrap_err().code, ErrorCode::InvalidArgument);
    assert_eq!(document, EnvDocument::default());
}

#[test]
fn an_open_quote_is_never_made_to_swallow_other_lines() {
    let text = "A='never closed\nB=1\n";
    let mut document = EnvDocument::parse(text);
    let error = document.set("C", "#red").unwrap_err();
    assert_eq!((error.code, document.to_text().as_str()), (ErrorCode::Conflict, text));
    document.set("C", "harmless").unwrap();
    assert_eq!(document.get("B"), Some("1"));
}

#[test]
fn the_file_is_replaced_as_a_whole_and_private() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("home"));
    let file = EnvFile::new(home.clone());
    assert_eq!(file.get("A").unwrap(), None);
    assert!(!file.unset("A").unwrap());
    assert!(!home.env_file().exists(), "an edit that changes nothing writes nothing");
    file.set("A", "one\ntwo").unwrap();
    assert_eq!(file.get("A").unwrap().as_deref(), Some("one\ntwo"));
    assert_eq!(home.env_file().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let names: Vec<_> = fs::read_dir(home.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "the file, its lock, no leftovers: {names:?}");
}

#[test]
fn a_linked_file_stays_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("home"));
    home.ensure().unwrap();
    let real = folder.path().join("dotfiles-env");
    fs::write(&real, "A=1\n").unwrap();
    std::os::unix::fs::symlink(&real, home.env_file()).unwrap();
    EnvFile::new(home.clone()).set("B", "2").unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "A=1\nB=2\n");
    assert!(home.env_file().is_symlink());
}

#[test]
fn two_writers_lose_no_edit() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let file = EnvFile::new(home.clone());
            scope.spawn(move || {
                for number in 0..10 {
                    file.set(&format!("V_{writer}_{number}"), "x").unwrap();
                }
            });
        }
    });
    assert_eq!(EnvFile::new(home).read().unwrap().variables().len(), 40);
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof!["[^\0]*", "[ '\"#\\\\$`\n\r\ta=]*"].prop_map(|text: String| text.replace('\0', ""))
}

proptest! {
    #[test]
    fn any_text_survives_parsing(text in "[ -~\n\r\té'\"#=]*") {
        prop_assert_eq!(EnvDocument::parse(&text).to_text(), text);
    }

    #[test]
    fn any_value_round_trips(pairs in prop::collection::vec(("[A-Za-z_][A-Za-z0-9_]{0,6}", value()), 1..8)) {
        let mut document = EnvDocument::parse("# head\nOLD=\"v\" # note\n");
        let mut expected = BTreeMap::from([("OLD".to_owned(), "v".to_owned())]);
        for (name, value) in pairs {
            document.set(&name, &value).unwrap();
            expected.insert(name, value);
        }
        let read = EnvDocument::parse(&document.to_text());
        let found: BTreeMap<String, String> =
            read.variables().into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        prop_assert_eq!(found, expected);
        prop_assert!(read.to_text().starts_with("# head\nOLD="));
    }
}
