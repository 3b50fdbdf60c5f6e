//! Values that are known to be secret, however they are written.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use hermes_core::redact::Redactor;

const SECRET: &str = "hunter2/Correct+Horse?é";

fn redactor() -> Redactor {
    Redactor::new([("DB_PASSWORD".to_owned(), SECRET.to_owned())])
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_written_form_goes_by_its_name() {
    let json = serde_json::to_string(&format!("say \"{SECRET}\"")).unwrap();
    let forms = [
        SECRET.to_owned(),
        format!("postgres: password {SECRET} rejected"),
        json.clone(),
        serde_json::to_string(&json).unwrap(),
        "x hunter2\\/Correct+Horse?\\u00e9 y".to_owned(),
        "?p=hunter2%2FCorrect%2BHorse%3F%C3%A9&x=1".to_owned(),
        "?p=hunter2%2fCorrect%2bHorse%3f%c3%a9&x=1".to_owned(),
        "?p=hunter2/Correct%2BHorse%3F%C3%A9&x=1".to_owned(),
        hex(SECRET),
        hex(SECRET).to_uppercase(),
    ];
    for form in forms {
        let clean = redactor().redact_text(&form).into_owned();
        assert!(clean.contains("[REDACTED:DB_PASSWORD]"), "{form} -> {clean}");
        assert!(!clean.contains("Correct") && !clean.contains("436f7272"), "{form} -> {clean}");
    }
}

#[test]
fn percent_encoding_goes_whatever_it_encodes() {
    let all = |upper: bool| {
        let hex = |byte: u8| if upper { format!("%{byte:02X}") } else { format!("%{byte:02x}") };
        SECRET.bytes().map(hex).collect::<String>()
    };
    let some: String = SECRET
        .bytes()
        .enumerate()
        .map(|(at, byte)| match byte.is_ascii_alphanumeric() && at % 2 == 0 {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect();
    for form in [all(true), all(false), some] {
        for text in [form.clone(), format!("100% of http://x/?a=%FF&p={form}&q=%20 %zz")] {
            let clean = redactor().redact_text(&text).into_owned();
            assert_eq!(clean, text.replace(&form, "[REDACTED:DB_PASSWORD]"));
        }
    }
    assert_eq!(redactor().redact_text("a%20b 50% %41%42"), "a%20b 50% %41%42");
}

/// What a tool left of a secret where it cut is no form of it, and still most of it.
#[test]
fn halves_beside_a_cut_go_too() {
    let known = redactor();
    for at in (4..SECRET.len()).filter(|at| SECRET.is_char_boundary(*at)) {
        let (start, end) = SECRET.split_at(at);
        let (first, last) = (at >= 8, end.len() >= 8);
        let fits = |shown: &str, half: &str, expected: bool| {
            let clean = known.redact_text(shown).into_owned();
            assert_eq!(!clean.contains(half), expected, "{shown} -> {clean}");
            assert_eq!(known.redact_text(&clean), clean);
        };
        fits(&format!("x {start} … [cut here: the line has 9 bytes]"), start, first);
        fits(&format!("x {start}\n\n[5 of 9 bytes left out here]\n\nrest"), start, first);
        fits(&format!("x\n\n[5 of 9 bytes left out here: go on]\n\n{end} rest"), end, last);
        fits(&format!("…{end} rest"), end, last);
        fits(&format!("{}{start}", "x".repeat(400)), start, first);
        fits(&format!("{end}{}", " x".repeat(400)), end, last);
        fits(&format!("x {start} y … {end}"), start, false);
    }
}

/// Every base64 text around the secret, with no piece of it left that gives away a character.
#[test]
fn base64_goes_at_every_alignment_with_its_borders() {
    for before in ["", "a", "ab", "abc", "user:", "some longer text "] {
        for after in ["", "x", "xy", "xyz", "\n", " and more"] {
            let plain = format!("{before}{SECRET}{after}");
            for encoded in [STANDARD.encode(&plain), STANDARD_NO_PAD.encode(&plain), URL_SAFE.encode(&plain)]
            {
                let text = format!("data:{encoded};");
                let clean = redactor().redact_text(&text).into_owned();
                let (start, rest) =
                    clean.split_once("[REDACTED:DB_PASSWORD]").unwrap_or_else(|| panic!("{text}"));
                // What is left decodes to what stood around the secret and nothing more.
                let start = start.strip_prefix("data:").unwrap();
                let whole_groups = before.len() / 3 * 4;
                assert!(start.len() <= whole_groups + before.len() % 3, "{text} -> {clean}");
                let end = rest.strip_suffix(';').unwrap().trim_end_matches('=');
                assert!(end.len() <= (after.len() * 8).div_ceil(6), "{text} -> {clean}");
            }
        }
    }
}

#[test]
fn encoded_text_broken_into_lines_is_read_as_one() {
    let plain = format!(
        "PATH=/usr/bin:/bin\nHOME=/home/ada\nSHELL=/bin/bash\nDB_PASSWORD={SECRET}\nLANG=C\nTERM=xterm-256color\n"
    );
    for pad in 0..90 {
        let encoded = STANDARD.encode(format!("{}{plain}", "p".repeat(pad)));
        for (width, newline) in [(76, "\n"), (64, "\r\n"), (60, "\n")] {
            let lines: Vec<_> =
                encoded.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
            let text = format!("$ env | base64\n{}\n$", lines.join(newline));
            let clean = redactor().redact_text(&text).into_owned();
            assert!(clean.contains("[REDACTED:DB_PASSWORD]"), "{pad} {width}: {clean}");
            assert!(clean.starts_with("$ env | base64\n") && clean.ends_with("\n$"));
            assert_eq!(redactor().redact_text(&clean), clean);
            // As read_file shows them.
            let numbered = lines.iter().zip(98..).map(|(line, number)| format!("{number}|{line}\n"));
            let clean = redactor().redact_text(&numbered.collect::<String>()).into_owned();
            assert!(clean.contains("[REDACTED:DB_PASSWORD]"), "{pad} {width}: {clean}");
            assert_eq!(redactor().redact_text(&clean), clean);
        }
    }
}

#[test]
fn the_longest_secret_wins_and_neighbours_do_not_hide_each_other() {
    let secrets = [("SHORT", "abcdefgh"), ("LONG", "abcdefgh-12345678"), ("OTHER", "5678zyxw")];
    let redactor = Redactor::new(secrets.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let cases = [
        ("abcdefgh-12345678", "[REDACTED:LONG]"),
        ("abcdefgh-1234567", "[REDACTED:SHORT]-1234567"),
        ("abcdefghabcdefgh", "[REDACTED:SHORT][REDACTED:SHORT]"),
        ("abcdefgh-12345678zyxw", "[REDACTED:LONG]zyxw"),
        ("abcdefg abcdefgh", "abcdefg [REDACTED:SHORT]"),
    ];
    for (text, expected) in cases {
        assert_eq!(redactor.redact_text(text), expected);
    }
}

#[test]
fn names_cannot_break_the_marker_and_short_values_are_left_alone() {
    let secrets = [("A]\n[B", "abcdefgh"), ("", "ijklmnop"), ("TINY", "abc"), ("EMPTY", "")];
    let redactor = Redactor::new(secrets.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(redactor.redact_text("abcdefgh ijklmnop abc"), "[REDACTED:AB] [REDACTED] abc");
}

#[test]
fn nothing_is_copied_or_changed_where_there_is_nothing_to_hide() {
    let text = "the quick brown fox, 日本, \u{1f600}";
    assert!(matches!(redactor().redact_text(text), std::borrow::Cow::Borrowed(_)));
    let off = Redactor::none();
    let key = format!("{SECRET} sk-{}", "a1B2c3D4e5F6g7H8i9J0");
    assert_eq!(off.redact_text(&key), key);
    assert_eq!(format!("{:?}", redactor()), "Redactor");
}
