//! The judge never panics and never hangs, whatever it is given. How long it takes is measured in `benches/`.

use std::fmt::Write as _;

use hermes_policy::command::{Stage, judge};
use proptest::prelude::*;
use serde_json::Value;

fn stage() -> Stage {
    Stage {
        home: "/home/agent".to_owned(),
        cwd: "/workspace".to_owned(),
        writable: vec!["/workspace".to_owned(), "/tmp".to_owned()],
        hermes_home: "/home/agent/.hermes".to_owned(),
    }
}

/// 100 kB of one thing after another, or inside another.
fn large_inputs() -> Vec<String> {
    let parts = include_str!("../../fixtures/hostile_parts.jsonl").lines().map(|line| {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        row["part"].as_str().unwrap_or_default().chars().cycle().take(100_000).collect()
    });
    let mut nested = "id".to_owned();
    for _ in 0..12 {
        nested = format!("sh -c {nested:?}");
    }
    let mut list = String::from("pytest");
    for place in 0..4000 {
        let _ = write!(list, " tests/unit/test_{place}.py");
    }
    parts.chain([nested, list, format!("echo {}", "a".repeat(100_000))]).collect()
}

#[test]
fn large_inputs_are_judged() {
    for text in large_inputs() {
        judge(&text, &stage());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_judged(text in ".{0,200}") {
        judge(&text, &stage());
    }

    #[test]
    fn any_mixture_of_words_is_judged(parts in prop::collection::vec(prop::sample::select(PARTS), 0..24)) {
        let judgement = judge(&parts.concat(), &stage());
        prop_assert!(judgement.findings.iter().all(|found| found.class <= judgement.class));
    }
}

const PARTS: &[&str] = &[
    "rm",
    " -rf",
    " /",
    " ~",
    " *",
    "; ",
    " | ",
    " && ",
    "$(",
    ")",
    "`",
    "'",
    "\"",
    "\\",
    "\n",
    " > ",
    " >> ",
    " < ",
    "<<E\n",
    "E\n",
    "sudo ",
    "sh -c ",
    "eval ",
    "find . -exec ",
    " {} ",
    "\\;",
    "xargs ",
    "git ",
    "push ",
    "-f",
    "curl ",
    "http://x/",
    "-o ",
    "=",
    "x=1 ",
    "$x",
    "${x:-y}",
    "$((1+2))",
    "awk ",
    "sed ",
    "s/a/b/e",
    "1e id",
    "python3 -c ",
    "print(1)",
    "import os;os.system(",
    "psql -c ",
    "DROP TABLE x",
    "--",
    "-",
    "é",
    "\u{202e}",
    "for i in a;do ",
    "done",
    "if true;then ",
    "fi",
    "case x in ",
    "esac",
    "{",
    "}",
    "(",
    "f(){ ",
    "[[ ",
    "]]",
    "tar ",
    "-C ",
    "docker run ",
    "-v /:/x ",
    "ssh h ",
    "kill -9 ",
    "-1",
    "dd ",
    "of=/dev/sda",
    "chmod ",
    "777 ",
    "while :;do ",
    "&",
    "%s",
    "\\x41",
    "$'\\n'",
    "!",
    "#",
    "..",
    "/*",
    "[a-z]",
];
