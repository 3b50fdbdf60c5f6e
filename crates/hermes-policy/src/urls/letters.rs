//! Host labels outside ASCII. Only letters that every mapping leaves alone are taken, of one script at a
//! time; wide, circled, superscript and other letters that some program reads as an ASCII letter, digit or
//! dot are refused, and so are labels that mix scripts to look like another.

use super::punycode::{decode, encode};

/// A script's letters, without those that Unicode calls compatible to something else.
struct Script {
    letters: &'static [(u32, u32)],
    /// Vowel signs and the like, which begin no label.
    marks: &'static [(u32, u32)],
    beside: Beside,
}

/// What a script's letters may stand beside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Ascii,
    /// The letters look like Latin ones.
    Digits,
    /// Written from right to left, where digits turn the order round.
    Nothing,
}

const fn script(beside: Beside, letters: &'static [(u32, u32)]) -> Script {
    Script { letters, marks: &[], beside }
}

const SCRIPTS: &[Script] = &[
    // Latin, with what Vietnamese needs.
    script(
        Beside::Ascii,
        &[
            (0x00c0, 0x00d6),
            (0x00d8, 0x00f6),
            (0x00f8, 0x012f),
            (0x0131, 0x0131),
            (0x0134, 0x013e),
            (0x0141, 0x0148),
            (0x014a, 0x017e),
            (0x0180, 0x01c3),
            (0x01cd, 0x01f0),
            (0x01f4, 0x024f),
            (0x1e00, 0x1e99),
            (0x1ea0, 0x1ef9),
        ],
    ),
    script(Beside::Digits, &[(0x0388, 0x03ce)]),
    script(Beside::Digits, &[(0x0400, 0x0481), (0x048a, 0x052f)]),
    script(Beside::Digits, &[(0x0531, 0x0556), (0x0561, 0x0586)]),
    script(Beside::Nothing, &[(0x05d0, 0x05ea)]),
    script(Beside::Nothing, &[(0x0620, 0x063f), (0x0641, 0x064a), (0x0671, 0x0674), (0x0679, 0x06d3)]),
    Script { marks: &[(0x093e, 0x094d)], ..script(Beside::Digits, &[(0x0904, 0x0939)]) },
    Script {
        marks: &[(0x0e31, 0x0e31), (0x0e34, 0x0e3a), (0x0e47, 0x0e4e)],
        ..script(Beside::Digits, &[(0x0e01, 0x0e30), (0x0e32, 0x0e32), (0x0e40, 0x0e46)])
    },
    script(Beside::Digits, &[(0x10d0, 0x10fa)]),
    // Chinese, Japanese and Korean.
    script(
        Beside::Ascii,
        &[
            (0x3041, 0x3096),
            (0x30a1, 0x30fa),
            (0x30fc, 0x30fc),
            (0x3400, 0x4dbf),
            (0x4e00, 0x9fff),
            (0xac00, 0xd7a3),
        ],
    ),
];

/// The label as it goes to a resolver: small letters, or `xn--`.
pub(super) fn to_ascii(label: &str) -> Option<String> {
    if label.is_ascii() {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let small = label.to_ascii_lowercase();
        let stands_for_itself = small.strip_prefix("xn--").is_none_or(is_international);
        return (label.bytes().all(plain) && stands_for_itself).then_some(small);
    }
    let small: String = label.chars().flat_map(char::to_lowercase).collect();
    // A capital must not turn into an ASCII letter, or into a letter and a mark, on the way.
    let keeps_its_letters = small.chars().count() == label.chars().count()
        && small.chars().zip(label.chars()).all(|(small, given)| small.is_ascii() == given.is_ascii());
    let hyphens = small.starts_with('-') || small.ends_with('-') || small.get(2..4) == Some("--");
    if !keeps_its_letters || hyphens || !is_of_one_script(&small) || !is_of_one_script(label) {
        return None;
    }
    encode(&small).map(|ascii| format!("xn--{ascii}"))
}

fn is_of_one_script(label: &str) -> bool {
    SCRIPTS.iter().any(|script| {
        let is_in = |c: char, ranges: &[(u32, u32)]| {
            ranges.iter().any(|(first, last)| (*first..=*last).contains(&c.into()))
        };
        let fits = |c: char| match c {
            'a'..='z' | 'A'..='Z' => script.beside == Beside::Ascii,
            '0'..='9' | '-' => script.beside != Beside::Nothing,
            c => (is_in(c, script.letters) && c.is_alphabetic()) || is_in(c, script.marks),
        };
        label.chars().all(fits) && !label.starts_with(|c: char| is_in(c, script.marks))
    })
}

/// Whether the rest of an `xn--` label stands for a label that needs it.
fn is_international(rest: &str) -> bool {
    decode(rest).is_some_and(|label| !label.is_ascii() && encode(&label).is_some_and(|again| again == rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_pass_and_disguises_do_not() {
        for (label, ascii) in [
            ("Example", "example"),
            ("a_b-1", "a_b-1"),
            ("MÜNCHEN", "xn--mnchen-3ya"),
            ("xn--mnchen-3ya", "xn--mnchen-3ya"),
            ("испытание", "xn--80akhbyknj4f"),
            ("例え", "xn--r8jz45g"),
        ] {
            assert_eq!(to_ascii(label).as_deref(), Some(ascii), "{label}");
        }
        for disguise in [
            "１２７",
            "①②⑦",
            "ｌocalhost",
            "loca\u{ad}lhost",
            "a\u{200b}b",
            "\u{212a}ey",
            "x²",
            "a%41",
            "xn--localhost-",
            "xn--",
            "ℓ",
            "a。b",
            "e\u{301}",
            "İx",
            "pаypаl",
            "exampleé_",
            "\u{e34}ก",
        ] {
            assert_eq!(to_ascii(disguise), None, "{disguise}");
        }
    }
}
