//! What keys do to a text that is typed into a terminal.

/// A line that keys were pressed in, as it is judged: nobody but its reader knows what it became.
pub(super) const EDITED: &str = "$EDITED_BY_KEYS";

/// Keys that take back everything that was typed: Ctrl-C and Ctrl-\.
pub(super) const TAKES_BACK: [char; 2] = ['\u{3}', '\u{1c}'];

/// Whether there are only keys in it, which interrupt or move and say nothing.
pub(super) fn only_keys(text: &str) -> bool {
    pieces(text).all(|piece| matches!(piece, Piece::Key | Piece::TakesBack | Piece::Ends))
}

/// The text as its reader gets it: Enter ends a line, an interrupt takes back what was typed before it. A line that
/// was edited is one whose command is not known; so is one of `recalled` keys alone, where the reader has a memory.
pub(super) fn read_as(text: &str, recalled: bool) -> String {
    let (mut read, mut line, mut edited) = (String::new(), String::new(), false);
    let end = |read: &mut String, line: &mut String, edited: &mut bool| {
        if *edited && (recalled || !line.trim().is_empty()) {
            read.push_str(EDITED);
            read.push(' ');
        }
        read.push_str(line);
        line.clear();
        *edited = false;
    };
    for piece in pieces(text) {
        match piece {
            Piece::Letter(letter) => line.push(letter),
            Piece::Key => edited = true,
            Piece::Enter | Piece::Ends => {
                end(&mut read, &mut line, &mut edited);
                read.push('\n');
            }
            Piece::TakesBack => {
                read.clear();
                line.clear();
                edited = false;
            }
        }
    }
    edited = edited && !line.trim().is_empty();
    end(&mut read, &mut line, &mut edited);
    read
}

enum Piece {
    Letter(char),
    Enter,
    /// Ends what its reader gets, without a line: Ctrl-D and Ctrl-Z.
    Ends,
    TakesBack,
    /// Moves, deletes, completes or recalls.
    Key,
}

fn pieces(text: &str) -> impl Iterator<Item = Piece> {
    let mut letters = text.chars().peekable();
    std::iter::from_fn(move || {
        Some(match letters.next()? {
            '\r' | '\n' => Piece::Enter,
            '\u{4}' | '\u{1a}' => Piece::Ends,
            letter if TAKES_BACK.contains(&letter) => Piece::TakesBack,
            '\u{1b}' => {
                // Arrows and the like are several letters, up to one that is no digit and no `;`.
                if letters.next_if(|letter| matches!(letter, '[' | 'O')).is_some() {
                    while letters.next_if(|letter| letter.is_ascii_digit() || *letter == ';').is_some() {}
                    letters.next_if(|letter| letter.is_ascii_alphabetic() || *letter == '~');
                }
                Piece::Key
            }
            letter if letter.is_control() => Piece::Key,
            letter => Piece::Letter(letter),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_ends_lines_and_an_interrupt_takes_back() {
        assert_eq!(read_as("ls\rpwd\n", true), "ls\npwd\n");
        assert_eq!(read_as("cat <<E\rx\u{3}pwd", true), "pwd");
        assert_eq!(read_as("a\u{4}b", false), "a\nb");
    }

    #[test]
    fn what_keys_made_of_a_line_is_not_known() {
        assert_eq!(read_as("m x\u{1}r\r", false), "$EDITED_BY_KEYS m xr\n");
        assert_eq!(read_as("l\u{1b}[1;5Ds\n", false), "$EDITED_BY_KEYS ls\n");
        assert_eq!(read_as("\u{1b}[A\r", false), "\n");
        assert_eq!(read_as("\u{1b}[A\r", true), "$EDITED_BY_KEYS \n");
    }

    #[test]
    fn keys_alone_say_nothing() {
        for keys in ["\u{3}", "\u{4}", "\u{1b}", "\u{1b}[A\u{1b}OB", "\u{1b}[5~", "\t\u{7f}"] {
            assert!(only_keys(keys), "{keys:?}");
        }
        for text in ["x", "\r", "\u{1b}[Ax", "\u{1b}x"] {
            assert!(!only_keys(text), "{text:?}");
        }
    }
}
