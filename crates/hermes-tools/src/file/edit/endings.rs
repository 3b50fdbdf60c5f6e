//! Line endings: an edit keeps those the file has, line by line.

use super::view::View;

/// The text with every CRLF seen as LF. A lone CR is data.
pub(super) fn without_carriage_returns(text: &str) -> View {
    View::new(text, |rest| if rest.starts_with("\r\n") { (2, "\n".into()) } else { (0, "".into()) })
}

/// `new` with the line endings of the text it replaces: line by line as far as that goes, then as the
/// last one, else as the file mostly does it.
pub(super) fn keep_endings(new: &str, replaced: &str, mostly: impl FnOnce() -> &'static str) -> String {
    let plain = new.replace("\r\n", "\n");
    if !plain.contains('\n') {
        return plain;
    }
    let own: Vec<&str> = endings(replaced).collect();
    let usual = own.last().copied().unwrap_or_else(mostly);
    let mut kept = String::with_capacity(plain.len());
    for (index, line) in plain.split('\n').enumerate() {
        if index > 0 {
            kept.push_str(own.get(index - 1).copied().unwrap_or(usual));
        }
        kept.push_str(line);
    }
    kept
}

fn endings(text: &str) -> impl Iterator<Item = &'static str> {
    text.match_indices('\n').map(|(at, _)| {
        let after_return = text.get(..at).is_some_and(|before| before.ends_with('\r'));
        if after_return { "\r\n" } else { "\n" }
    })
}

/// The ending most lines of the file have.
pub(super) fn dominant(file: &str) -> &'static str {
    let (windows, all) = endings(file)
        .fold((0usize, 0usize), |(windows, all), ending| (windows + usize::from(ending == "\r\n"), all + 1));
    if windows * 2 > all { "\r\n" } else { "\n" }
}
