//! The only places that write to standard output and error. A reader that went away is no failure.

use std::io::{self, Write};

use hermes_core::text::visible;
use serde::Serialize;

use super::style::Style;
use crate::failure::Failure;

/// Writes text as it is.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    finish(io::stdout().lock().write_all(text.as_bytes()))
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
    let mut line = serde_json::to_vec(value).map_err(|error| Failure::usage(error.to_string()))?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    finish(out.write_all(&line).and_then(|()| out.flush()))
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
        other => other.map_err(Failure::io("standard output")),
    }
}
