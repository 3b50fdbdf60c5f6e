//! The judge never panics, never hangs, and grows no faster than its input.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use hermes_policy::command::{Stage, judge};
use proptest::prelude::*;

fn stage() -> Stage {
    Stage {
        home: "/home/agent".to_owned(),
        cwd: "/workspace".to_owned(),
        writable: vec!["/workspace".to_owned(), "/tmp".to_owned()],
        hermes_home: "/home/agent/.hermes".to_owned(),
    }
}

/// Without optimisation everything takes about ten times as long.
fn limit() -> Duration {
    if cfg!(debug_assertions) { Duration::from_secs(4) } else { Duration::from_millis(50) }
}

fn time(text: &str) -> Duration {
    let start = Instant::now();
    judge(text, &stage());
    start.elapsed()
}

fn repeated(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len() + 1)
}

#[test]
fn large_inputs_stay_within_the_limit() {
    judge("true", &stage());
    let mut cases: Vec<(&str, String)> = [
        ("echo a;", "plain commands"),
        ("tee x\n", "writes"),
        ("cp a b\n", "copies"),
        ("$(", "open substitutions"),
        ("rm -rf /; ", "findings"),
        ("sudo ", "launchers"),
        ("a|", "pipes"),
        ("echo x | sh | ", "shells in pipes"),
        ("x=$x$x;", "growing variables"),
        ("{a,b}", "braces"),
        ("sh -c '", "open quotes"),
        ("((((", "parentheses"),
        ("env A=1 ", "variables"),
        ("f(){ f;};", "functions"),
        ("curl \"http://x/$(cat a)\" ; ", "substitutions in addresses"),
        ("find . -exec ", "nested finds"),
        ("xargs ", "nested xargs"),
        ("eval ", "evals"),
        ("git -c a=b ", "settings"),
        ("<<E\n", "here-documents"),
        ("echo a > f; sh f; ", "files that run"),
        ("'\"`\\", "quotes"),
        ("awk '{print | \"sort\"}' a; ", "awk programs"),
        ("python3 -c 'print(1)' | sh; ", "generated text"),
    ]
    .into_iter()
    .map(|(part, name)| (name, repeated(part, 100_000)))
    .collect();
    let mut nested = "id".to_owned();
    for _ in 0..12 {
        nested = format!("sh -c {nested:?}");
        if nested.len() > 100_000 {
            break;
        }
    }
    cases.push(("nested shells", nested));
    cases.push(("one long word", format!("echo {}", "a".repeat(100_000))));
    let mut list = String::from("pytest");
    for place in 0..4000 {
        let _ = write!(list, " tests/unit/test_{place}.py");
    }
    cases.push(("a long list", list));
    let mut slow = Vec::new();
    for (name, text) in &cases {
        let start = Instant::now();
        let script = hermes_policy::shell::read(text);
        let reading = start.elapsed();
        let took = (0..3).map(|_| time(text)).min().unwrap_or_default();
        println!(
            "{name:<28} {:>7} bytes {:>6} commands, reading {reading:>10.2?}, all {took:>10.2?}",
            text.len(),
            script.commands.len()
        );
        if took > limit() {
            slow.push(format!("{name}: {took:?} for {} bytes", text.len()));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

#[test]
fn ordinary_commands_take_microseconds() {
    judge("true", &stage());
    let text = include_str!("../../fixtures/developer_day.txt");
    let mut times: Vec<Duration> = Vec::new();
    for command in text.lines().filter(|line| !line.starts_with('#')) {
        let best = (0..5).map(|_| {
            let start = Instant::now();
            judge(command, &stage());
            start.elapsed()
        });
        times.extend(best.min());
    }
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default();
    println!("median {:?}, 90 % {:?}, 99 % {:?}", at(50), at(90), at(99));
    let median = if cfg!(debug_assertions) { Duration::from_millis(2) } else { Duration::from_micros(50) };
    assert!(at(50) < median, "median {:?}", at(50));
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
