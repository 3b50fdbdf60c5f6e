//! What holds for every text: no known secret is left, and once is enough.

use hermes_core::redact::Redactor;
use proptest::prelude::*;

/// Secrets with everything that could trip the markers, the forms or each other.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9+/_-]{8,24}",
        "[ab\\[\\]RED:]{8,12}",
        "[ -~é]{8,16}",
        Just("[REDACTED:S0]".to_owned()),
        Just("REDACTED".to_owned()),
        Just("abcdefg[RED".to_owned())
    ]
}

fn piece(secrets: Vec<String>) -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(secrets),
        "[ -~é\n]{0,12}",
        "[ab\\[\\]RED:]{0,6}",
        prop::sample::select(vec![
            "password=",
            "Bearer ",
            "sk-",
            "://u:",
            "@",
            "[REDACTED]",
            "\"",
            "token: ",
            "&amp;",
            "&#91;",
            "\\u0041",
            "%52",
            "\\",
            "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
        ])
        .prop_map(str::to_owned),
    ]
}

fn case() -> impl Strategy<Value = (Vec<String>, String)> {
    prop::collection::vec(secret(), 1..4).prop_flat_map(|secrets| {
        let text = prop::collection::vec(piece(secrets.clone()), 0..8).prop_map(|pieces| pieces.concat());
        (Just(secrets), text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn redacting_twice_is_redacting_once((secrets, text) in case()) {
        let named = secrets.iter().enumerate().map(|(index, value)| (format!("S{index}"), value.clone()));
        let redactor = Redactor::new(named);
        let once = redactor.redact_text(&text).into_owned();
        let twice = redactor.redact_text(&once).into_owned();
        prop_assert_eq!(&once, &twice, "{:?}", text);
    }

    #[test]
    fn no_known_secret_is_left(
        secrets in prop::collection::vec("[ab]{4,24}|[a-z0-9]{4,40}", 1..5),
        pieces in prop::collection::vec(("[ -~é]{0,9}|[ab]{0,30}", 0_usize..5), 1..6),
    ) {
        let redactor = Redactor::new(secrets.iter().map(|value| ("S".to_owned(), value.clone())));
        let text: String = pieces
            .iter()
            .flat_map(|(noise, index)| [noise.as_str(), secrets.get(*index).map_or("", String::as_str)])
            .collect();
        let clean = redactor.redact_text(&text).into_owned();
        for secret in &secrets {
            prop_assert!(!clean.replace("[REDACTED:S]", " ").contains(secret), "{secret} in {clean}");
        }
    }
}
