//! Whatever text comes: a prefix covers words, never more than words.

use hermes_core::grant::{Pattern, quoted, simple_words};
use proptest::prelude::*;

use super::support::{command, grant, prefix};

/// Text that a shell makes something of.
fn tricky() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "git", "status", " ", "  ", "\t", "\n", ";", "&&", "||", "|", "&", ">", "<", "$(", ")", "`", "$x",
        "'", "\"", "\\", "*", "~", "#", "{a,b}", "=", "A=b ", "!", "é", "\u{200b}", "\r", "-c", "id", "\0",
    ]);
    prop::collection::vec(parts, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    /// Whatever is glued to granted words, a covered command is those words and more words: nothing that
    /// could start a second program, open a file or expand is ever left outside of quotes.
    #[test]
    fn a_prefix_never_covers_a_command_that_does_more(before in tricky(), after in tricky()) {
        let text = format!("{before}git status{after}");
        if command(&text).covered_by(&prefix(&["git", "status"])) {
            let words = simple_words(&text).unwrap();
            prop_assert_eq!(&words[..2], ["git", "status"]);
            let mut quote = None;
            for letter in text.chars() {
                match (quote, letter) {
                    (None, '\'' | '"') => quote = Some(letter),
                    (Some(open), letter) if open == letter => quote = None,
                    (None, letter) => prop_assert!(letter.is_ascii_alphanumeric() || " \t_-./:=,@%+".contains(letter)),
                    (Some('"'), letter) => prop_assert!(!"$`\\!".contains(letter)),
                    (Some(_), _) => {}
                }
            }
            prop_assert_eq!(quote, None);
        }
    }

    #[test]
    fn a_separator_outside_of_quotes_ends_it(
        words in prop::collection::vec("[ -~]{0,6}", 0..4),
        separator in prop::sample::select(vec![";", "|", "&", "\n", ">", "<", "$(id)", "`id`", "(", ")"]),
        rest in "[ -~]{0,8}",
    ) {
        let mut all = vec!["git".to_owned(), "status".to_owned()];
        all.extend(words);
        let grant = prefix(&["git", "status"]);
        prop_assert!(command(&quoted(&all)).covered_by(&grant));
        let stretched = format!("{}{separator}{rest}", quoted(&all));
        prop_assert!(!command(&stretched).covered_by(&grant), "{}", stretched);
    }

    #[test]
    fn no_text_can_make_it_fall_over(text in "\\PC{0,60}|[ -~\\n\\t]{0,60}") {
        let _ = simple_words(&text).map(|words| prop_assert_eq_words(&words));
        command(&text).covered_by(&grant(Pattern::Path(text.clone())));
    }
}

/// Quoting and reading are inverse.
fn prop_assert_eq_words(words: &[String]) {
    assert_eq!(simple_words(&quoted(words)).as_deref(), Ok(words));
}
