//! Rules about single files: length, head, name, words that promise work, and ways around the other rules.

use super::code::{has_word, words_at};
use super::finding::Finding;
use super::source::Source;

/// Lines that ask for a split by idea.
const LONG: usize = 300;
/// Lines that no file may have.
const TOO_LONG: usize = 500;
/// The one crate that may need what the compiler cannot check.
const UNCHECKED: &str = "crates/hermes-host/";
/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["common", "helpers", "implementation", "misc", "util", "utils"];
/// Words that promise work instead of doing it; the small ones in any case.
const PROMISES: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];
const SMALL_PROMISES: &[&str] =
    &["stub", "stubs", "stubbed", "coming soon", "not implemented", "not yet implemented"];
/// Where one of them is the name of a setting's value that users write.
const NAMED_SO: &[(&str, &str)] = &[("crates/hermes-runtime/src/config/model/tool_search.rs", "stub")];
/// Holds the words above.
const OWN_FILE: &str = "xtask/src/tidy/files.rs";

pub(super) fn check(source: &Source) -> Vec<Finding> {
    if source.is_fixture() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    findings.extend(length(source));
    findings.extend(head(source));
    findings.extend(name(source));
    findings.extend(promises(source));
    findings.extend(included(source));
    findings.extend(unchecked(source));
    findings
}

fn length(source: &Source) -> Option<Finding> {
    let lines = source.text.lines().count();
    let text = format!("{lines} lines; split it by idea, each half with a name of its own");
    if lines > TOO_LONG {
        Some(Finding::failure(&source.path, text))
    } else {
        (lines > LONG).then(|| Finding::warning(&source.path, text))
    }
}

fn head(source: &Source) -> Option<Finding> {
    let begins_with_one = source.text.starts_with("//!");
    (source.is_src() && !begins_with_one)
        .then(|| Finding::failure(&source.path, "begins without a //! line that says what it is for"))
}

fn name(source: &Source) -> Option<Finding> {
    let stem = source.file_name().trim_end_matches(".rs");
    let numbered =
        stem.strip_prefix("part").is_some_and(|rest| rest.trim_start_matches('_').parse::<u32>().is_ok());
    (numbered || EMPTY_NAMES.contains(&stem))
        .then(|| Finding::failure(&source.path, "the name does not say what is inside"))
}

fn promises(source: &Source) -> Vec<Finding> {
    if source.path == OWN_FILE {
        return Vec::new();
    }
    let small = source.text.to_lowercase();
    let loud = PROMISES.iter().flat_map(|word| words_at(&source.text, word).map(move |line| (word, line)));
    let quiet = SMALL_PROMISES.iter().flat_map(|word| words_at(&small, word).map(move |line| (word, line)));
    loud.chain(quiet)
        .filter(|(word, _)| !NAMED_SO.contains(&(source.path.as_str(), **word)))
        .map(|(word, line)| {
            Finding::failure(format!("{}:{line}", source.path), format!("'{word}': do it or leave it out"))
        })
        .collect()
}

fn included(source: &Source) -> Option<Finding> {
    let line = words_at(&source.code, "include!").next()?;
    let text = "include! hides how long a file is; use mod";
    Some(Finding::failure(format!("{}:{line}", source.path), text))
}

fn unchecked(source: &Source) -> Option<Finding> {
    let uses = has_word(&source.code, "unsafe") || has_word(&source.code, "unsafe_code");
    (uses && !source.path.starts_with(UNCHECKED))
        .then(|| Finding::failure(&source.path, "unsafe code lives in hermes-host only"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        check(&Source::new(path, text)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_plain_file_passes() {
        assert!(findings("crates/a/src/b.rs", "//! B.\n\nfn todo() { \"unsafe\"; }\n").is_empty());
        assert!(findings("crates/a/tests/it/b.rs", "fn b() {}\n").is_empty());
        assert!(findings("crates/a/tests/fixtures/b.rs", "// TODO\n").is_empty());
    }

    #[test]
    fn each_rule_speaks() {
        let of = |lines: usize| format!("//! Long.\n{}", "\n".repeat(lines - 1));
        assert!(findings("crates/a/src/b.rs", &of(300)).is_empty());
        assert!(findings("crates/a/src/b.rs", &of(301)).concat().starts_with("warning"));
        assert!(findings("crates/a/src/b.rs", &of(501)).concat().starts_with("failure"));
        let breaches = [
            ("crates/a/src/b.rs", "fn b() {}\n"),
            ("crates/a/src/part2.rs", "//! Second.\n"),
            ("crates/a/src/utils.rs", "//! Things.\n"),
            ("crates/a/src/b.rs", "//! B.\n// TODO: more\n"),
            ("crates/a/src/b.rs", "//! A stub.\n"),
            ("crates/a/src/b.rs", "//! B.\ninclude!(\"c.rs\");\n"),
            ("crates/a/src/b.rs", "//! B.\nfn b() { unsafe { c() } }\n"),
            ("crates/a/src/b.rs", "//! B.\n#[allow(unsafe_code)]\nfn b() {}\n"),
        ];
        for (path, text) in breaches {
            assert_eq!(findings(path, text).len(), 1, "{path}: {text}");
        }
        assert!(findings("crates/hermes-host/src/b.rs", "//! B.\nfn b() { unsafe { c() } }\n").is_empty());
    }
}
