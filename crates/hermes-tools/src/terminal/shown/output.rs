//! The output of a command as the model reads it.

use hermes_core::text;
use hermes_host::terminal::Captured;

/// Cleaned text with the middle left out where there was too much of it, and said so.
pub(in crate::terminal) fn shown(captured: &Captured) -> String {
    let head = clean(&captured.head);
    if captured.omitted == 0 {
        // Cut in the middle of a character or an escape sequence, the halves must meet again.
        return clean(&[&captured.head[..], &captured.tail].concat()).trim_end().to_owned();
    }
    let notice = format!(
        "\n\n[{} of {} bytes left out here: redirect the output to a file and read parts of it]\n\n",
        captured.omitted, captured.total
    );
    head + &notice + clean(&captured.tail).trim_end()
}

fn clean(bytes: &[u8]) -> String {
    text::printed(&String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_meet_and_gaps_are_named() {
        let whole = Captured { head: b"gr\xc3".to_vec(), tail: b"\xbcn\n".to_vec(), omitted: 0, total: 6 };
        assert_eq!(shown(&whole), "grün");
        let cut = Captured { head: b"a\n".to_vec(), tail: b"z\n".to_vec(), omitted: 5, total: 9 };
        assert!(shown(&cut).starts_with("a\n\n\n[5 of 9 bytes left out here"), "{}", shown(&cut));
        assert!(shown(&cut).ends_with("]\n\nz"));
    }
}
