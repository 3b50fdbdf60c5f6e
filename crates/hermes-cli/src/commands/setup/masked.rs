//! A line that is typed unseen, key by key.

/// What a key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Nothing,
    Letter,
    /// So many letters are gone.
    Erased(usize),
    Done,
    Interrupt,
}

/// The line so far.
#[derive(Debug, Default)]
pub(super) struct Masked {
    bytes: Vec<u8>,
    escape: Escape,
}

/// Arrows and their like send an escape, a bracket and more, none of which is typed text.
#[derive(Clone, Copy, Debug, Default)]
enum Escape {
    #[default]
    None,
    Begun,
    Within,
}

impl Masked {
    pub(super) fn press(&mut self, byte: u8) -> Key {
        match (self.escape, byte) {
            (Escape::Begun, b'[' | b'O') => self.escape = Escape::Within,
            (Escape::Within, 0x20..0x40) => {}
            (Escape::Begun | Escape::Within, _) => self.escape = Escape::None,
            (Escape::None, 0x1b) => self.escape = Escape::Begun,
            (Escape::None, b'\r' | b'\n' | 0x04) => return Key::Done,
            (Escape::None, 0x03) => return Key::Interrupt,
            (Escape::None, 0x08 | 0x7f) => return Key::Erased(self.erase()),
            (Escape::None, 0x15) => return Key::Erased(std::iter::from_fn(|| self.erased()).count()),
            (Escape::None, 0..0x20) => {}
            (Escape::None, letter) => {
                self.bytes.push(letter);
                // Only the first byte of a letter shows.
                return if is_within(letter) { Key::Nothing } else { Key::Letter };
            }
        }
        Key::Nothing
    }

    fn erase(&mut self) -> usize {
        usize::from(self.erased().is_some())
    }

    /// Takes the last letter away, if there is one.
    fn erased(&mut self) -> Option<()> {
        while is_within(self.bytes.pop()?) {}
        Some(())
    }

    pub(super) fn text(self) -> Option<String> {
        String::from_utf8(self.bytes).ok()
    }
}

/// Whether a byte goes on with a letter that began before it.
fn is_within(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> (Vec<Key>, Option<String>) {
        let mut line = Masked::default();
        let seen = keys.bytes().map(|byte| line.press(byte)).filter(|key| *key != Key::Nothing).collect();
        (seen, line.text())
    }

    #[test]
    fn keys_become_a_line() {
        for (keys, line) in [
            ("abc\r", "abc"),
            ("äb\u{7f}\u{8}c", "c"),
            ("\u{7f}\u{7f}x", "x"),
            ("wrong\u{15}right", "right"),
            ("a\u{1b}[Db\u{1b}OCc\u{1b}[1;5Dd", "abcd"),
            ("a\u{1}\tb", "ab"),
        ] {
            assert_eq!(typed(keys).1.as_deref(), Some(line), "{keys:?}");
        }
    }

    #[test]
    fn a_star_for_every_letter_and_an_end_for_every_line() {
        use Key::{Done, Erased, Interrupt, Letter};
        assert_eq!(typed("ä\u{7f}\u{7f}").0, [Letter, Erased(1), Erased(0)]);
        assert_eq!(typed("ab\u{15}\n").0, [Letter, Letter, Erased(2), Done]);
        assert_eq!(typed("a\u{3}").0, [Letter, Interrupt]);
    }
}
