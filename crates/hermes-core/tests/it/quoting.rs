//! What is quoted of a text holds no part of a secret, wherever the cut falls.

use std::sync::LazyLock;

use hermes_core::arguments::{coerce, parse};
use hermes_core::redact::Redactor;
use proptest::prelude::*;
use serde_json::{Value, json};

const SECRET: &str = "Zq7-canary_9f/3k~LmP2xW8";
/// So much of it in a row is a leak.
const PART: usize = 4;

fn redactor() -> &'static Redactor {
    static REDACTOR: LazyLock<Redactor> =
        LazyLock::new(|| Redactor::new([("MY_API_KEY".to_owned(), SECRET.to_owned())]));
    &REDACTOR
}

/// Whether any part of the secret stands in the text, as it is or as a pointer spells it.
fn leaks(text: &str) -> bool {
    let bytes = SECRET.as_bytes();
    bytes
        .windows(PART)
        .filter_map(|part| std::str::from_utf8(part).ok())
        .any(|part| text.contains(part) || text.contains(&part.replace('~', "~0").replace('/', "~1")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_cut_leaves_a_part_of_a_secret(
        before in "[ à-é\"\\\\,:{}]{0,90}", after in "[ à-é\"\\\\,:{}]{0,90}", most in 0_usize..120,
    ) {
        let (redactor, text) = (redactor(), format!("{before}{SECRET}{after}"));
        let pointer = format!("/{}", text.replace('~', "~0").replace('/', "~1"));
        let nested = json!({"a": [text], (text.as_str()): 1});
        let mut shown = vec![
            redactor.shortened(&text, most),
            redactor.shortened_value(&nested, most),
            redactor.shortened_pointer(&pointer, most),
        ];
        let places = text.char_indices().map(|(at, _)| at).step_by(5).chain([text.len()]);
        shown.extend(places.map(|at| redactor.shortened_from(&text, at, most)));
        for shown in shown {
            prop_assert!(!leaks(&shown), "{}", shown);
            prop_assert!(shown.chars().count() <= most + 1 + "[REDACTED:MY_API_KEY]".len(), "{}", shown);
            prop_assert_eq!(shown.matches("[REDACTED").count(), shown.matches("[REDACTED:MY_API_KEY]").count());
        }
    }

    #[test]
    fn errors_and_notes_quote_no_part_of_a_secret(before in "[a-e \"{}\\[\\],:1-9]{0,90}", after in "[a-e \"}\\],]{0,40}") {
        let redactor = redactor();
        let text = format!("{before}{SECRET}{after}");
        for raw in [text.clone(), format!("{{\"key\": {text}}}"), format!("{{\"a\": 1, \"a{SECRET}\": 1, \"a{SECRET}\": 2, {text}")] {
            if let Err(error) = parse(&Value::String(raw), redactor) {
                prop_assert!(!leaks(&error.message), "{}", error);
            }
        }
        let mut arguments = json!({(text.as_str()): format!("[\"{SECRET}\"]"), "b": text});
        let schema = json!({"additionalProperties": {"type": "array"}});
        for repair in coerce(&schema, arguments.as_object_mut().unwrap()) {
            prop_assert!(!leaks(&repair.note(redactor)), "{}", repair.note(redactor));
        }
    }
}

#[test]
fn what_was_found_is_told_from_its_place_on() {
    let plain = Redactor::none();
    assert_eq!(plain.shortened_from("abcdef", 2, 3), "cde…");
    assert_eq!(plain.shortened_from("abcdef", 6, 3), "");
    assert_eq!(plain.shortened("a[REDACTED without an end", 5), "a[RED…");
    let text = format!("{{\"key\": {SECRET}}}");
    assert_eq!(redactor().shortened(&text, 12), "{\"key\": [REDACTED:MY_API_KEY]…");
    assert_eq!(redactor().shortened_from(&text, 8, 40), "[REDACTED:MY_API_KEY]}");
    assert_eq!(redactor().shortened_from(&text, 14, 40), "[REDACTED:MY_API_KEY]}");
}
