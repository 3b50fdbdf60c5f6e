//! What the reader is not sure of is told, and the commands it found are kept.

use hermes_policy::shell::{DYNAMIC_EVAL, Reader, Surroundings, Word};

use super::{read, render};

/// Text that bash would refuse, the first doubt, and what is found all the same.
#[test]
fn broken_syntax_is_told() {
    let rows: &[(&str, &str, &[&str])] = &[
        ("\"a", "a double quote is not closed", &["a"]),
        ("'a", "a single quote is not closed", &["a"]),
        ("$'a", "a single quote is not closed", &["a"]),
        ("`a", "a backquote is not closed", &["a", "‹?`a›"]),
        ("$(a", "a substitution is not closed", &["a", "‹?$(a›"]),
        ("( a; b", "a parenthesis is not closed", &["a", "b"]),
        ("{ a; b", "} is missing", &["a", "b"]),
        ("a; b )", "a closing parenthesis that nothing opened", &["a", "b"]),
        ("if a; then b", "fi is missing", &["a", "b"]),
        ("if a; b; fi", "then is missing", &["a", "b"]),
        ("while a; b; done", "do is missing", &["a", "b"]),
        ("for x in a; do b", "done is missing", &["b"]),
        ("case a in b) c", "a case pattern is not closed", &["c"]),
        ("fi; a", "an unexpected fi", &["a"]),
        ("a; }; b", "an unexpected }", &["a", "b"]),
        ("a ; ; b", "an empty command", &["a", "b"]),
        ("a;; b", "an end of a case arm outside of one", &["a", "b"]),
        ("a &&", "an operator with nothing behind it", &["a"]),
        ("a | ; b", "a pipe with nothing behind it", &["a", "b"]),
        ("a <<E\nb", "the here-document E has no end", &["a <<b"]),
        ("a >", "a redirection without a target", &["a >«»"]),
        ("a b (c)", "an unexpected token", &["a b", "c"]),
        ("{ a; } b", "an unexpected token", &["a", "b"]),
        ("[[ a", "]] is missing", &[]),
        ("x=(a", "an array is not closed", &["x=a"]),
        ("a ${x y}", "a parameter expansion that is none", &["a ‹?${x y}›"]),
        ("echo $(if a; then b) c", "fi is missing", &["a", "b", "echo ‹?$(if a; then b)› c"]),
        ("a &\\\n& b", "a line is continued in the middle of an operator", &["a", "b"]),
        (
            "$(cat <<E) a\nb\nE\nc",
            "a here-document begins in a substitution that ends on the same line",
            &["cat <<«b\\n»", "b a", "c"],
        ),
    ];
    for (text, doubt, expected) in rows {
        let script = read(text);
        assert_eq!(render::script(&script), *expected, "{text}");
        assert!(script.doubts.iter().any(|found| found.reason == *doubt), "{text}: {:?}", script.doubts);
    }
}

/// What only ends too early can be completed by whoever wrote it; what is wrong in the middle cannot.
#[test]
fn a_text_that_ends_too_early_is_told_from_one_that_is_wrong() {
    for text in [
        "\"a",
        "'a",
        "$'a",
        "`a",
        "$(a",
        "( a; b",
        "{ a; b",
        "if a; then b",
        "a &&",
        "a | ",
        "a >",
        "[[ a",
        "a <<E\nb",
    ] {
        let doubts = read(text).doubts;
        assert!(!doubts.is_empty() && doubts.iter().all(|doubt| doubt.unfinished), "{text}: {doubts:?}");
    }
    for text in ["a; b )", "if a; b; fi", "fi; a", "a | ; b", "a b (c)", "a ${x y}", "a\u{a0}b"] {
        let doubts = read(text).doubts;
        assert!(doubts.iter().any(|doubt| !doubt.unfinished), "{text}: {doubts:?}");
    }
}

#[test]
fn characters_that_deceive_are_told() {
    let rows = [
        ("a\u{a0}b", "a blank that the shell takes for a letter (U+00A0)"),
        ("a\u{3000}b", "a blank that the shell takes for a letter (U+3000)"),
        ("r\u{200b}m x", "an invisible character (U+200B)"),
        ("r\u{ad}m x", "an invisible character (U+00AD)"),
        ("\u{ff52}\u{ff4d} x", "a letter that only looks like another (U+FF52)"),
        ("a\rb", "a carriage return (U+000D)"),
        ("a\r\nb", "a carriage return (U+000D)"),
        ("a\0b", "a NUL character (U+0000)"),
        ("a \u{1b}[0m", "an escape character (U+001B)"),
        ("a '\u{1b}]0;x'", "an escape character (U+001B)"),
        ("a\u{7}", "a control character (U+0007)"),
        ("a\u{9d}", "a control character (U+009D)"),
        ("a # \u{9d}", "a control character (U+009D)"),
        ("a \u{202e}b", "a character that turns the direction of text (U+202E)"),
        ("a \"\u{2066}b\"", "a character that turns the direction of text (U+2066)"),
        ("a <<E\n\u{1b}\nE", "an escape character (U+001B)"),
        ("a $'\u{1b}'", "an escape character (U+001B)"),
        ("a\\\u{1b}", "an escape character (U+001B)"),
        ("\u{1b}() { a; }", "an escape character (U+001B)"),
    ];
    for (text, expected) in rows {
        let doubts = read(text).doubts;
        let found = doubts.iter().find(|doubt| doubt.reason.starts_with(expected));
        let span = found.unwrap_or_else(|| panic!("{text:?}: {doubts:?}")).span.clone();
        assert_eq!(text.get(span).map(|part| part.chars().count()), Some(1), "{text:?}");
    }
    for text in ["a é 中文 ✅ ⚠\u{fe0f}", "a 'b\u{a0}c\u{200d}d'", "a \"x\r\ny\"", "a\tb\nc"] {
        assert!(read(text).doubts.is_empty(), "{text:?}");
    }
}

#[test]
fn texts_that_only_running_would_tell_are_told() {
    for text in [
        "eval \"$(a)\"",
        "eval $x",
        "eval \"b $x\"",
        ". <(a)",
        "source /dev/stdin <<< \"$(a)\"",
        "a | . /dev/stdin",
    ] {
        let doubts = read(text).doubts;
        assert!(doubts.iter().all(|doubt| doubt.reason == DYNAMIC_EVAL) && !doubts.is_empty(), "{text}");
    }
    // What is certain of it is read all the same.
    assert_eq!(render::script(&read("eval \"b $x; c\"")), ["eval b ‹?$x›; c", "b ‹?$x›", "c"]);
}

#[test]
fn texts_inside_texts_end_somewhere() {
    let surroundings = Surroundings::default();
    let script = Reader::new(&surroundings).depth(100).read("a");
    assert!(script.commands.is_empty());
    assert_eq!(script.doubts[0].reason, "too many texts inside texts");
    let mut text = "a".to_owned();
    for _ in 0..14 {
        text = format!("eval {}", super::properties::quoted(&text));
    }
    assert_eq!(read(&text).doubts[0].reason, "too many texts inside texts");
    let recursive = read("f() { eval 'f'; }; f");
    assert!(recursive.doubts.is_empty(), "{:?}", recursive.doubts);
}

#[test]
fn arguments_are_none_given_or_unknown() {
    let surroundings = Surroundings::default();
    let text = "a $1 \"$@\" $#";
    let none = Reader::new(&surroundings).arguments(&[]).read(text);
    assert_eq!(render::script(&none), ["a 0"]);
    let given = [Word::text("x y"), Word::text("z")];
    let given = Reader::new(&surroundings).arguments(&given).read(text);
    assert_eq!(render::script(&given), ["a x y «x y» z 2"]);
    let unknown = Reader::new(&surroundings).read(text);
    assert_eq!(render::script(&unknown), ["a ‹?$1› ‹?$@› ‹?$#›"]);
}
