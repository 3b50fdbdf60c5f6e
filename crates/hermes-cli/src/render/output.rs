//! The only places that write to standard output and error. A reader that went away is no failure.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use hermes_core::text::visible;
use serde::Serialize;

use super::style::{self, Style};
use crate::failure::Failure;

/// Writes text. What a terminal would obey stands there as an escape, except the colours of [`Style`].
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    PRINTED.store(true, Ordering::Relaxed);
    finish(io::stdout().lock().write_all(harmless(text).as_bytes()))
}

/// Whether anything went to standard output.
pub(crate) fn has_printed() -> bool {
    PRINTED.load(Ordering::Relaxed)
}

static PRINTED: AtomicBool = AtomicBool::new(false);

/// Foreign text should be made visible where it is put together; this holds where that was forgotten. The
/// escapes are those of JSON, because some of the texts are.
fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let plain = match style::paint_at(rest) {
            0 => letter.len_utf8(),
            paint => paint,
        };
        let (piece, after) = rest.split_at(plain);
        match obeyed(letter) && plain == letter.len_utf8() {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(letter))),
            false => shown.push_str(piece),
        }
        rest = after;
    }
    Cow::Owned(shown)
}

/// Foreign text as a part of one line.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).replace('\n', "⏎")
}

/// Writes indented JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::usage(error.to_string()))?;
    print_text(&format!("{}\n", escaped(&text)))
}

/// The same JSON, with escapes for characters that a terminal would obey or hide; they only stand inside strings.
fn escaped(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for letter in json.chars() {
        let plain = matches!(letter, '\n' | ' '..='~')
            || visible(letter.encode_utf8(&mut [0; 4])).chars().eq([letter]);
        match plain {
            true => shown.push(letter),
            false => letter
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| shown.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    shown
}

/// Writes one line of JSON and sends it off at once.
pub(crate) fn print_json_line(value: &impl Serialize) -> Result<(), Failure> {
    print_line(serde_json::to_string(value).map_err(|error| Failure::usage(error.to_string()))?)
}

/// Writes a line of JSON that was made before.
pub(crate) fn print_line(mut line: String) -> Result<(), Failure> {
    line.push('\n');
    PRINTED.store(true, Ordering::Relaxed);
    let mut out = io::stdout().lock();
    finish(out.write_all(line.as_bytes()).and_then(|()| out.flush()))
}

/// Tells the operator something on standard error; control characters are made visible.
pub(crate) fn warn(style: Style, label: &str, text: &str) {
    let mut err = io::stderr().lock();
    for (index, line) in text.lines().enumerate() {
        let label = if index == 0 { style.warning(label) } else { " ".repeat(label.chars().count()) };
        let _ = writeln!(err, "{label} {}", visible(line));
    }
}

fn finish(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        other => other.map_err(|error| Failure::unwritten(&error)),
    }
}
