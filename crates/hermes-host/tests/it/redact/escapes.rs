//! Secrets in texts of programs that escape some of what they print, each in its own way.

use hermes_core::redact::Redactor;

const SECRET: &str = r#"tu&lip<Har/bour=41+x"Q'z$w"#;

/// Every character of which the rule says so, by what it is written as.
fn with(escaped: impl Fn(char) -> Option<String>) -> String {
    SECRET.chars().map(|character| escaped(character).unwrap_or_else(|| character.to_string())).collect()
}

fn among(set: &'static str, written: impl Fn(u32) -> String) -> String {
    with(|character| set.contains(character).then(|| written(u32::from(character))))
}

fn named(character: char) -> Option<String> {
    let name = match character {
        '&' => "&amp;",
        '<' => "&lt;",
        '"' => "&quot;",
        _ => return None,
    };
    Some(name.to_owned())
}

#[test]
fn escaped_secrets_go_whatever_was_escaped() {
    let json = serde_json::to_string(SECRET).unwrap().trim_matches('"').to_owned();
    let unicode = json.replace('&', "\\u0026").replace('<', "\\u003c");
    let forms = [
        // Encoders of JSON that think of HTML, once and inside themselves.
        unicode.clone(),
        json.replace('&', "\\u0026").replace('<', "\\u003C").replace('/', "\\/").replace('\'', "\\u0027"),
        serde_json::to_string(&unicode).unwrap().trim_matches('"').to_owned(),
        among("&<\"'", |code| format!("\\u{code:04x}")),
        // Templates.
        with(named),
        with(|character| (character == '\'').then(|| "&#x27;".to_owned()).or_else(|| named(character))),
        with(|character| (character == '\'').then(|| "&apos;".to_owned()).or_else(|| named(character))),
        among("&<\"'/=+", |code| format!("&#{code};")),
        among("&<\"'/=+$", |code| format!("&#x{code:X};")),
        // Programming languages and shells.
        SECRET.replace('\'', "\\'"),
        SECRET.replace('"', "\\\"").replace('$', "\\$"),
        with(|character| (!character.is_alphanumeric()).then(|| format!("\\{character}"))),
        among("&<+", |code| format!("\\x{code:02x}")),
        SECRET.replace('\'', "'\"'\"'"),
        SECRET.replace('\'', "'\\''"),
        // Tables.
        SECRET.replace('\'', "''"),
        SECRET.replace('"', "\"\""),
        // A URL in a page.
        among("&<\"'/=+$", |code| format!("%{code:02X}")).replace('%', "&#37;"),
    ];
    let redactor = Redactor::new([("KEY".to_owned(), SECRET.to_owned())]);
    for form in forms {
        for (before, after) in [("", ""), ("a &amp; b\\n\"", "\"\\u003c %41 x"), ("<p>\\\\", "&lt;</p>\n")] {
            let clean = redactor.redact_text(&format!("{before}{form}{after}")).into_owned();
            assert_eq!(clean, format!("{before}[REDACTED:KEY]{after}"), "{form}");
            assert_eq!(redactor.redact_text(&clean), clean);
        }
    }
}

#[test]
fn escapes_of_other_texts_stay() {
    let redactor = Redactor::new([("KEY".to_owned(), SECRET.to_owned())]);
    let long =
        "\\\\".repeat(50_000) + "%41&#x41;\\u0041\\ud83d\\ude00\\ud83d &#99999999; &nope; &#; \\u12 %é";
    for text in ["a &amp; b \\u0041 \\\"x\\\" %41", long.as_str()] {
        assert_eq!(redactor.redact_text(text), text);
    }
}

#[test]
fn a_secret_with_blanks_goes_too() {
    let secret = "correct horse & battery <staple>";
    let redactor = Redactor::new([("PHRASE".to_owned(), secret.to_owned())]);
    for form in [
        secret.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e"),
        secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
        secret.replace(' ', "%20").replace('&', "%26"),
    ] {
        let text = format!("it is {form} &amp; no more");
        assert_eq!(redactor.redact_text(&text), "it is [REDACTED:PHRASE] &amp; no more", "{form}");
    }
}

/// Long texts are decoded in pieces, and a secret may stand across two of them.
#[test]
fn a_secret_goes_wherever_it_stands_in_a_long_text() {
    let redactor = Redactor::new([("KEY".to_owned(), SECRET.to_owned())]);
    let form = with(|character| Some(format!("&#x00000{:02X};", u32::from(character))));
    let (unit, piece) = ("&#65;", 64 << 10);
    for before in piece - 40..piece + 10 {
        let text = format!("{}{form}{}", unit.repeat(before), unit.repeat(1_000));
        let clean = redactor.redact_text(&text);
        assert!(clean.contains("[REDACTED:KEY]") && clean.len() < text.len() - form.len() + 20, "{before}");
    }
}
