//! Whatever the text is, the reader comes back; and what is quoted is read as it was.

use hermes_policy::shell::{glob_matches, pattern_of, static_output};
use proptest::prelude::*;

use super::read;

/// Text between single quotes, for any shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The same with double quotes.
fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// The same with a backslash before each character, newlines aside.
fn escaped(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    text.chars().map(|c| if c == '\n' { "'\n'".to_owned() } else { format!("\\{c}") }).collect()
}

/// The same as `$'…'` with codes.
fn coded(text: &str) -> String {
    let codes: String = text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
    format!("$'{codes}'")
}

fn soup() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        prop::sample::select(vec![
            "a",
            "rm",
            "x=1",
            "$x",
            "${x",
            "}",
            "{",
            "(",
            ")",
            "((",
            "))",
            "$(",
            "$((",
            "`",
            "'",
            "\"",
            "\\",
            "\n",
            " ",
            ";",
            ";;",
            "&",
            "&&",
            "|",
            "||",
            "|&",
            "<",
            ">",
            "<<",
            "<<E\n",
            "\nE\n",
            "<<<",
            "<(",
            ">(",
            "[[",
            "]]",
            "[",
            "]",
            "if",
            "then",
            "else",
            "fi",
            "for",
            "in",
            "do",
            "done",
            "while",
            "case",
            "esac",
            "function",
            "f()",
            "select",
            "coproc",
            "time",
            "!",
            "#",
            "~",
            "*",
            "?",
            "@(",
            "{a,b}",
            "{1..3}",
            ":-",
            ":=",
            "##",
            "%%",
            "//",
            "^^",
            "@Q",
            "eval",
            "source",
            "alias a=b",
            "export",
            "declare",
            "read",
            "set --",
            "$@",
            "$*",
            "$1",
            "$'",
            "\\x41",
            "=",
            "+=",
            "2>&1",
            "{fd}>",
            "\t",
            "\r",
            "é",
            "\u{202e}",
            "\0",
            "local",
            "echo",
            "printf",
            "base64 -d",
            "tr a b",
            "sed s/a/b/",
            "unset",
            "shift",
            "a=(",
            "a[1]=",
            "${a[@]}",
            "$((1+",
            "${!x}",
            "${x:1:2}",
        ])
        .prop_map(str::to_owned),
        ".",
    ];
    prop::collection::vec((token, prop::sample::select(vec!["", "", " ", "\n", ";"])), 0..60)
        .prop_map(|tokens| tokens.into_iter().map(|(token, after)| token + after).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read(text in "\\PC{0,200}|[\\x00-\\x7f]{0,200}") {
        let script = read(&text);
        for at in 0..script.commands.len() {
            static_output(&script, at);
        }
    }

    #[test]
    fn any_soup_of_tokens_is_read(text in soup()) {
        let script = read(&text);
        for (at, command) in script.commands.iter().enumerate() {
            static_output(&script, at);
            prop_assert!(command.span.start <= command.span.end && command.span.end <= text.len());
            prop_assert!(text.get(command.span.clone()).is_some(), "{:?}", command.span);
            prop_assert!(command.reads_from.is_none_or(|from| from < script.commands.len()));
            prop_assert!(command.feeds.is_none_or(|to| to < script.commands.len()));
            prop_assert!(command.in_function.is_none_or(|at| at < script.functions.len()));
        }
        for doubt in &script.doubts {
            prop_assert!(doubt.span.end <= text.len());
        }
        // The same text is read the same way twice.
        prop_assert_eq!(&script, &read(&text));
    }

    #[test]
    fn quoted_words_come_back(words in prop::collection::vec(("[^\\x00]{0,12}", 0..4usize), 1..8)) {
        let quote = [quoted, double_quoted, escaped, coded];
        let text: Vec<String> = words.iter().map(|(word, how)| quote[*how](word)).collect();
        let script = read(&format!("program {}", text.join(" ")));
        prop_assert_eq!(script.commands.len(), 1);
        let read: Vec<Option<String>> = script.commands[0].words.iter().skip(1).map(|word| word.literal()).collect();
        let expected: Vec<Option<String>> = words.into_iter().map(|(word, _)| Some(word)).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn values_come_back_through_variables(word in "[^\\x00]{0,20}") {
        let script = read(&format!("x={}; y=$x; a=(\"$y\"); program \"$x\" \"$y\" \"${{a[0]}}\"", quoted(&word)));
        let last = script.commands.last().unwrap();
        for read in &last.words[1..] {
            prop_assert_eq!(read.literal(), Some(word.clone()));
        }
    }

    #[test]
    fn texts_come_back_through_pipes(text in "[ -~]{0,40}") {
        let script = read(&format!("printf %s {} | base64 | base64 -d | rev | rev | cat | program", quoted(&text)));
        prop_assert_eq!(script.commands.last().unwrap().input.as_deref(), Some(text.as_str()));
    }

    #[test]
    fn a_pattern_of_plain_text_matches_only_itself(text in "[a-z*?\\[\\]()|!@+\\\\]{0,8}", other in "[a-z*?]{0,8}") {
        let word = hermes_policy::shell::Word::text(text.as_str());
        let pattern = pattern_of(&word).unwrap();
        prop_assert!(glob_matches(&pattern, &text));
        prop_assert_eq!(glob_matches(&pattern, &other), text == other);
    }
}

#[test]
fn patterns_match_like_the_shell() {
    for (pattern, text, expected) in [
        ("/bin/r?", "/bin/rm", true),
        ("/???/??m", "/bin/rm", false),
        ("/???/?m", "/bin/rm", true),
        ("/*/rm", "/bin/rm", true),
        ("*", "/bin/rm", false),
        ("/bin/r[m]", "/bin/rm", true),
        ("/bin/r[!m]", "/bin/rm", false),
        ("/bin/r[a-z]", "/bin/rm", true),
        ("[[:alpha:]]m", "rm", true),
        ("@(rm|ls)", "rm", true),
        ("?(r)m", "m", true),
        ("!(x)", "rm", true),
        ("r\\*", "rm", false),
        ("r\\*", "r*", true),
        ("[", "[", true),
        ("", "", true),
        ("*a*b*c*", "xxaxxbxxcxx", true),
        ("*a*b*c*", "xxaxxcxxbxx", false),
    ] {
        assert_eq!(glob_matches(pattern, text), expected, "{pattern} {text}");
    }
    let stars = "*a".repeat(200);
    assert!(!glob_matches(&stars, &"a".repeat(5_000).replace('a', "ab").replace("ba", "b")));
}
