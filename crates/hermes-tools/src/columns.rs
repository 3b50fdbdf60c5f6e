//! A part of one line, for lines that are longer than a page.

use hermes_core::text::json_chars;

/// What of a line fits a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    /// The first character that is not in it, counted from 1.
    pub(crate) next_column: Option<u64>,
}

/// Line `number` of the text from `column` on, both counted from 1, as far as there is room, counted as JSON text; one
/// character in any case.
pub(crate) fn from_column(text: &str, number: u64, column: u64, mut room: usize) -> Piece {
    let place = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = text.lines().nth(place(number)).unwrap_or_default();
    let mut piece = Piece { text: String::new(), next_column: None };
    let mut buffer = [0; 4];
    for (character, position) in line.chars().zip(1..).skip(place(column)) {
        let size = json_chars(character.encode_utf8(&mut buffer));
        if size > room && !piece.text.is_empty() {
            piece.next_column = Some(position);
            break;
        }
        room = room.saturating_sub(size);
        piece.text.push(character);
    }
    piece
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_pieces_of_a_line_make_the_line(lines in prop::collection::vec("[^\r\n]{0,40}", 1..4), room in 0usize..9) {
            let text = lines.join("\n");
            for (line, number) in lines.iter().zip(1..) {
                let (mut together, mut column) = (String::new(), Some(1));
                while let Some(from) = column {
                    let piece = from_column(&text, number, from, room);
                    together.push_str(&piece.text);
                    prop_assert!(piece.next_column.is_none_or(|next| next > from));
                    column = piece.next_column;
                }
                prop_assert_eq!(&together, line);
            }
        }
    }
}
