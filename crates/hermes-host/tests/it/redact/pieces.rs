//! Encoded secrets in the pieces in which ordinary programs print them.

use std::cell::Cell;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hermes_core::redact::Redactor;
use hermes_testkit::grows_in_proportion;

const SECRETS: [&str; 3] =
    ["sk-live-4f9A8b7C6d5E4f3A2b1C0d9E8f7A6b5C", "0123456789abcdef0123", "hunter2-plus"];

fn redactor(secret: &str) -> Redactor {
    Redactor::new([("KEY".to_owned(), secret.to_owned()), ("OTHER".to_owned(), "quite-another-0".to_owned())])
}

/// Lines of so many bytes: an offset, groups of so many bytes, and perhaps the bytes as letters.
fn dump(bytes: &[u8], width: usize, group: usize, swapped: bool, offset: &str, column: &str) -> String {
    let mut text = String::new();
    for (line, bytes) in bytes.chunks(width).enumerate() {
        let groups: Vec<String> = bytes
            .chunks(group)
            .map(|group| {
                let ordered: Vec<u8> =
                    if swapped { group.iter().rev().copied().collect() } else { group.to_vec() };
                ordered.iter().map(|byte| format!("{byte:02x}")).collect()
            })
            .collect();
        let offset = match offset {
            "" => " ".to_owned(),
            ending => format!("{:08x}{ending}", line * width),
        };
        let letters: String = bytes
            .iter()
            .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { char::from(*byte) } else { '.' })
            .collect();
        let full = width / group * (2 * group + 1);
        let shown = match column {
            "" => String::new(),
            "|" => format!("  |{letters}|"),
            _ => format!("  {letters}"),
        };
        let hex = groups.join(" ");
        let _ = match column {
            "" => writeln!(text, "{offset}{hex}"),
            _ => writeln!(text, "{offset}{hex:full$}{shown}", full = full - 1),
        };
    }
    text
}

fn wrap(text: &str, width: usize, before: impl Fn(usize) -> String, behind: &str) -> String {
    let lines = text.as_bytes().chunks(width).enumerate();
    lines.fold(String::new(), |mut all, (line, part)| {
        let _ = writeln!(all, "{}{}{behind}", before(line), String::from_utf8_lossy(part));
        all
    })
}

fn shapes(content: &str) -> Vec<(String, String)> {
    let bytes = content.as_bytes();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut shapes = vec![
        ("xxd".to_owned(), dump(bytes, 16, 2, false, ": ", " ")),
        ("xxd -g1".to_owned(), dump(bytes, 16, 1, false, ": ", " ")),
        ("xxd -e".to_owned(), dump(bytes, 16, 4, true, ": ", " ")),
        ("xxd -c 24".to_owned(), dump(bytes, 24, 2, false, ": ", " ")),
        ("od -An -tx1".to_owned(), dump(bytes, 16, 1, false, "", "")),
        ("od -tx1".to_owned(), dump(bytes, 16, 1, false, " ", "")),
        ("hexdump".to_owned(), dump(bytes, 16, 2, true, " ", "")),
        ("od -An -tx8 -w8".to_owned(), dump(bytes, 8, 8, true, "", "")),
        ("od -An -tx4 -w4".to_owned(), dump(bytes, 4, 4, true, "", "")),
        ("words in lines".to_owned(), dump(bytes, 8, 8, true, "", "").replace(' ', "")),
        ("hexdump -C".to_owned(), dump(bytes, 16, 1, false, "  ", "|")),
    ];
    for between in [" ", ":", "-", ", ", "\\x", ", 0x", "', '\\x"] {
        let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        shapes.push((format!("between {between:?}"), format!("key = {} and so on", pairs.join(between))));
        shapes.push((format!("upper, between {between:?}"), pairs.join(between).to_uppercase()));
        let lines: Vec<String> = pairs.chunks(12).map(|line| format!("    {}", line.join(between))).collect();
        shapes.push((format!("in lines, between {between:?}"), lines.join(",\n")));
    }
    for width in [16, 20, 30, 32, 40, 48, 60, 76] {
        for (kind, text) in
            [("base64", STANDARD.encode(bytes)), ("url", URL_SAFE_NO_PAD.encode(bytes)), ("hex", hex.clone())]
        {
            let mut add = |what: &str, text: String| shapes.push((format!("{kind} {width} {what}"), text));
            add("plain", wrap(&text, width, |_| String::new(), ""));
            add("windows", wrap(&text, width, |_| String::new(), "\r"));
            add("indented", wrap(&text, width, |_| "    ".to_owned(), ""));
            add("quoted", wrap(&text, width, |_| "> ".to_owned(), ""));
            add("labelled", wrap(&text, width, |line| ["data: ", ""][line.min(1)].to_owned(), ""));
            add("numbered", wrap(&text, width, |line| format!("{:6}\t", line + 8), ""));
            add("found", wrap(&text, width, |line| format!("{}:", line + 8), ""));
            add("as a list", wrap(&text, width, |_| "    \"".to_owned(), "\","));
            if width >= 30 {
                add("in one line", wrap(&text, width, |_| String::new(), "").trim().replace('\n', " "));
            }
            add("continued", wrap(&text, width, |_| "'".to_owned(), "' \\"));
        }
    }
    shapes
}

#[test]
fn what_ordinary_programs_print_gives_nothing_away() {
    for secret in SECRETS {
        let redactor = redactor(secret);
        for pad in [0, 1, 2, 6, 7, 13, 16, 23] {
            let filler: String = "some: value\nof the file ".chars().cycle().take(pad).collect();
            for after in ["\n", "\nmore: of what is no secret at all\nand a last line\n"] {
                let content = format!("{filler}k: {secret}{after}");
                for (name, text) in shapes(&content) {
                    let text = format!("$ show it:\n{text}\n$ done");
                    let clean = redactor.redact_text(&text).into_owned();
                    assert!(clean.contains("[REDACTED:KEY]"), "{name}, {pad} before:\n{text}\n{clean}");
                    assert!(
                        clean.starts_with("$ show it:\n") && clean.ends_with("\n$ done"),
                        "{name}: {clean}"
                    );
                    assert_eq!(redactor.redact_text(&clean), clean, "{name}");
                    let tail = &secret[secret.len() - 6..];
                    assert!(!clean.contains(tail), "{name}: the letters beside it go too: {clean}");
                }
            }
        }
    }
}

#[test]
fn dumps_and_lines_without_secrets_stay() {
    let redactor = redactor(SECRETS[0]);
    let content = "k: sk-live-of another kind, with nothing to hide; and the same once more\n".repeat(20);
    for (name, text) in shapes(&content) {
        assert_eq!(redactor.redact_text(&text), text, "{name}");
    }
    let log = "2024-01-01 12:00:01,123 6b:3a:20:73 GET /a/b 200 0x73 0x6b\n".repeat(100);
    assert_eq!(redactor.redact_text(&log), log);
}

/// A search that looked at everything anew from every place would take minutes.
#[test]
fn pieces_without_end_cost_no_more_each_than_few() {
    let near = &SECRETS[0][..SECRETS[0].len() - 1];
    type Shape = fn(&str, usize) -> String;
    let shapes: [(&str, Shape); 5] = [
        ("a dump", |near, count| dump(near.repeat(count).as_bytes(), 16, 2, false, ": ", " ")),
        ("short lines", |near, count| wrap(&STANDARD.encode(near.repeat(count)), 8, |_| String::new(), "")),
        ("hex in a line", |_, count| "73 6b ".repeat(10 * count)),
        ("hex in lines", |_, count| "73 6b\n".repeat(10 * count)),
        ("base64 in lines", |_, count| "c2st\n".repeat(10 * count)),
    ];
    for (name, shape) in shapes {
        let look = |count| {
            let (redactor, text, turn) = (redactor(SECRETS[0]), shape(near, count), Cell::new(0));
            move || {
                // Another text each time: one that was clean before is not searched again.
                turn.set(turn.get() + 1);
                drop(redactor.redact_text(&format!("{} {text}", turn.get())));
            }
        };
        grows_in_proportion(name, look(25), look(100));
    }
}
