//! Names of programs in letters outside ASCII. People write their words in them, and answer with these what a program
//! asks; a name that looks like that of a known program is none of those.

use super::ruleset::Rules;

/// What letters of the Latin script look like, from À, from Ā and from Ạ on.
const LATIN: &[(u32, &str)] = &[
    (0xc0, "aaaaaaaceeeeiiiidnooooo ouuuuypsaaaaaaaceeeeiiiidnooooo ouuuuypy"),
    (
        0x100,
        "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs",
    ),
    (0x1ea0, "aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy"),
];
/// Ơ and Ư.
const HORNED: &[(char, char)] = &[('\u{1a0}', 'o'), ('\u{1a1}', 'o'), ('\u{1af}', 'u'), ('\u{1b0}', 'u')];
/// Accents that stand behind their letter.
const MARKS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';
/// Letters that nobody takes for Latin ones: Cyrillic and Greek ones, Hebrew, Arabic, Devanagari, Thai, and those of Chinese,
/// Japanese and Korean.
const UNLIKE: &[(char, char)] = &[
    ('\u{5d0}', '\u{5ea}'),
    ('\u{620}', '\u{63f}'),
    ('\u{641}', '\u{64a}'),
    ('\u{904}', '\u{939}'),
    ('\u{e01}', '\u{e30}'),
    ('\u{3041}', '\u{3096}'),
    ('\u{30a1}', '\u{30fa}'),
    ('\u{3400}', '\u{4dbf}'),
    ('\u{4e00}', '\u{9fff}'),
    ('\u{ac00}', '\u{d7a3}'),
];
const UNLIKE_LETTERS: &str = "бджзилфцчшщъыэюяБДЖЗИЛФЦЧШЩЪЫЭЮЯδθλξπσφψωΔΘΛΞΠΣΦΨΩ";
/// Letters that some take for Latin ones, in words of these scripts.
const ALIKE: &[(char, char)] = &[('\u{388}', '\u{3ce}'), ('\u{400}', '\u{481}'), ('\u{48a}', '\u{52f}')];

/// Whether a name that is not all ASCII may be read as that of a program that is known.
pub(super) fn looks_like_another(name: &str, rules: &Rules) -> bool {
    let (mut folded, mut is_unlike) = (String::new(), false);
    for letter in name.chars() {
        match letter {
            letter if letter.is_ascii() => folded.push(letter.to_ascii_lowercase()),
            letter if MARKS.contains(&letter) => {}
            letter if is_in(letter, UNLIKE) || UNLIKE_LETTERS.contains(letter) => is_unlike = true,
            // Alone they may spell anything.
            letter if is_in(letter, ALIKE) => folded.push('?'),
            letter => match latin(letter) {
                Some(plain) => folded.push(plain),
                None => return true,
            },
        }
    }
    !is_unlike && (folded.contains('?') || rules.knows(&folded))
}

fn latin(letter: char) -> Option<char> {
    let horned = HORNED.iter().find(|(horned, _)| *horned == letter).map(|(_, plain)| *plain);
    let in_row = |(first, row): &(u32, &str)| {
        let place = usize::try_from(u32::from(letter).checked_sub(*first)?).ok()?;
        row.chars().nth(place).filter(|plain| *plain != ' ')
    };
    horned.or_else(|| LATIN.iter().find_map(in_row))
}

fn is_in(letter: char, ranges: &[(char, char)]) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_whole() {
        for (first, last, row) in [(0xc0, 0xff, 0), (0x100, 0x17f, 1), (0x1ea0, 0x1ef9, 2)] {
            assert_eq!(LATIN[row].1.chars().count(), last - first + 1, "{first:x}");
        }
        for (letter, plain) in [
            ('ä', 'a'),
            ('ß', 's'),
            ('Ø', 'o'),
            ('ÿ', 'y'),
            ('ł', 'l'),
            ('ž', 'z'),
            ('ŕ', 'r'),
            ('ữ', 'u'),
            ('ỹ', 'y'),
        ] {
            assert_eq!(latin(letter), Some(plain), "{letter}");
        }
    }
}
