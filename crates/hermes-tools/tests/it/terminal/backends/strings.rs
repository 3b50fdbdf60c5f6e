//! Ten thousand random strings as arguments, variables and names of files: each arrives as it was, and nothing in
//! one of them runs.

use std::collections::BTreeMap;

use hermes_testkit::TestRuntime;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::support::value;

const ROUNDS: usize = 20;
const EACH: usize = 500;

/// Any characters, and often those that mean something to a shell.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => any::<char>().prop_filter("a NUL ends every string", |c| *c != '\0').prop_map(String::from),
        2 => "[ -~\t\n\r]{1,6}",
        2 => prop::sample::select(vec![
            "$(touch RAN)", "`touch RAN`", "; touch RAN;", "' || touch RAN #", "\" && touch RAN \"", "\n touch RAN\n",
            "${x:=y}", "~", "*", "!!", "\\", "'", "\"", "-n", "--", "%s", "\\0", "=", "\u{202e}", "\u{feff}",
        ]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// What can be the name of a file and of no folder.
fn as_name(text: &str) -> String {
    let name: String = text.chars().filter(|c| *c != '/').collect();
    let short: String = name.chars().take(40).collect();
    format!("n{short}")
}

/// As one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) async fn strings_come_through(test: &TestRuntime) {
    let (strategy, mut runner) = (text(), TestRunner::deterministic());
    for round in 0..ROUNDS {
        let strings: Vec<String> =
            (0..EACH).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect();
        let words: Vec<String> = strings.iter().map(|text| quoted(text)).collect();
        let mut names: Vec<String> = strings.iter().map(|text| as_name(text)).collect();
        names.sort();
        names.dedup();
        let files: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let variables: String = (0..EACH).map(|number| format!(" \"$V{number}\"")).collect();
        let line = format!(
            "mkdir strings-$$ && cd strings-$$\n\
             show() {{ od -An -v -tx1 | tr -d ' \\n'; echo; }}\n\
             printf '%s\\0' {} | show\nprintf '%s\\0'{variables} | show\n\
             for name in {}; do : > \"$name\"; done\n\
             find . -type f -print0 | LC_ALL=C sort -z | show\ncd ..; rm -rf strings-$$",
            words.join(" "),
            files.join(" "),
        );
        let env: BTreeMap<String, &String> =
            strings.iter().enumerate().map(|(number, text)| (format!("V{number}"), text)).collect();
        let shown = value(test.call("terminal", json!({"command": line, "env": env})).await);
        let expected: Vec<u8> = strings.iter().flat_map(|text| [text.as_bytes(), b"\0"].concat()).collect();
        let made: Vec<u8> = names.iter().flat_map(|name| format!("./{name}\0").into_bytes()).collect();
        let output = shown["output"].as_str().unwrap();
        let mut lines = output.lines();
        assert!(lines.next() == Some(hex(&expected).as_str()), "arguments of round {round}");
        assert!(lines.next() == Some(hex(&expected).as_str()), "variables of round {round}");
        assert!(lines.next() == Some(hex(&made).as_str()), "files of round {round}");
        assert_eq!(lines.next(), None, "something else printed in round {round}");
    }
}
