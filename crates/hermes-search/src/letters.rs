//! Letters of other scripts in Latin ones, as they sound.

/// A word as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) latin: String,
    /// Its letters are used for words of other languages only.
    pub(crate) is_loan: bool,
}

/// How a word of Katakana, Korean, Russian or Hindi letters sounds; `None` for other scripts, and where scripts
/// are mixed.
pub(crate) fn read_aloud(word: &str) -> Option<Reading> {
    let first = word.chars().next()?;
    let (latin, is_loan) = match first {
        '\u{30A1}'..='\u{30FA}' => (katakana(word)?, true),
        '\u{AC00}'..='\u{D7A3}' => (hangul(word)?, false),
        '\u{0400}'..='\u{045F}' => (cyrillic(word)?, false),
        '\u{0904}'..='\u{0939}' => (devanagari(word)?, false),
        _ => return None,
    };
    Some(Reading { latin, is_loan })
}

/// The rows of the table of syllables.
const KATAKANA: &[(&str, &str)] = &[
    ("アァカガサザタダナハバパマヤャラワ", "a a ka ga sa za ta da na ha ba pa ma ya a ra wa"),
    ("イィキギシジチヂニヒビピミリ", "i i ki gi si ji ti ji ni hi bi pi mi ri"),
    ("ウゥクグスズツヅヌフブプムユュルヴ", "u u ku gu su zu tu zu nu fu bu pu mu yu u ru vu"),
    ("エェケゲセゼテデネヘベペメレ", "e e ke ge se ze te de ne he be pe me re"),
    ("オォコゴソゾトドノホボポモヨョロヲン", "o o ko go so zo to do no ho bo po mo yo o ro o n"),
];

fn katakana(word: &str) -> Option<String> {
    let mut latin = String::new();
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        if matches!(letter, 'ー' | 'ッ' | '・') {
            continue;
        }
        let mut rows = KATAKANA
            .iter()
            .filter_map(|(row, sounds)| sounds.split(' ').zip(row.chars()).find(|(_, own)| *own == letter));
        let (sound, _) = rows.next()?;
        let is_joined = letters
            .peek()
            .is_some_and(|next| matches!(next, 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' | 'ャ' | 'ュ' | 'ョ'));
        // A small vowel takes the place of the one before it, and `チャ` is no `ティ`.
        match (letter, is_joined) {
            ('チ', true) => latin.push_str("ch"),
            (_, true) => latin.push_str(sound.trim_end_matches(['a', 'i', 'u', 'e', 'o'])),
            _ => latin.push_str(sound),
        }
    }
    Some(latin)
}

const FIRST: &[&str] =
    &["g", "k", "n", "d", "t", "r", "m", "b", "p", "s", "s", "", "j", "j", "ch", "k", "t", "p", "h"];
const MIDDLE: &[&str] = &[
    "a", "e", "a", "e", "o", "e", "o", "e", "o", "a", "e", "e", "o", "u", "o", "e", "i", "u", "u", "i", "i",
];
const LAST: &[&str] = &[
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t",
    "ng", "t", "t", "k", "t", "p", "t",
];

fn hangul(word: &str) -> Option<String> {
    let mut latin = String::new();
    for letter in word.chars() {
        let place = u32::from(letter).checked_sub(0xAC00).filter(|place| *place < 11_172)? as usize;
        let parts = [FIRST.get(place / 588)?, MIDDLE.get(place % 588 / 28)?, LAST.get(place % 28)?];
        parts.iter().for_each(|part| latin.push_str(part));
    }
    Some(latin)
}

fn cyrillic(word: &str) -> Option<String> {
    const LETTERS: &str = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя";
    const SOUNDS: &str = "a b v g d e o j z i i k l m n o p r s t u f h s ch sh sh - i - e u a";
    let mut latin = String::new();
    for letter in word.chars().flat_map(char::to_lowercase) {
        let place = LETTERS.chars().position(|own| own == letter)?;
        latin.push_str(SOUNDS.split(' ').nth(place).filter(|sound| *sound != "-").unwrap_or_default());
    }
    Some(latin)
}

fn devanagari(word: &str) -> Option<String> {
    const CONSONANTS: &[&str] = &[
        "k", "k", "g", "g", "n", "ch", "ch", "j", "j", "n", "t", "t", "d", "d", "n", "t", "t", "d", "d", "n",
        "n", "p", "p", "b", "b", "m", "y", "r", "r", "l", "l", "l", "v", "sh", "sh", "s", "h",
    ];
    let mut latin = String::new();
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let vowel = match letter {
            'अ' | 'आ' | 'ा' | 'ऑ' | 'ॉ' => "a",
            'इ' | 'ई' | 'ि' | 'ी' => "i",
            'उ' | 'ऊ' | 'ु' | 'ू' => "u",
            'ए' | 'ऐ' | 'े' | 'ै' | 'ॅ' | 'ऍ' => "e",
            'ओ' | 'औ' | 'ो' | 'ौ' => "o",
            'ं' | 'ँ' => "n",
            '्' | '़' | '\u{200c}' | '\u{200d}' => "",
            'क'..='ह' => {
                let place = u32::from(letter).checked_sub(u32::from('क'))? as usize;
                latin.push_str(CONSONANTS.get(place)?);
                // An `a` is said where no other vowel is written, but not at the end.
                let is_silent = letters.peek().is_none_or(|next| matches!(next, 'ा'..='्' | '़'));
                if is_silent { "" } else { "a" }
            }
            _ => return None,
        };
        latin.push_str(vowel);
    }
    Some(latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_sound_as_they_do() {
        let latin = |word: &str| read_aloud(word).map(|reading| reading.latin);
        assert_eq!(latin("チケット").as_deref(), Some("tiketo"));
        assert_eq!(latin("チャート").as_deref(), Some("chato"));
        assert_eq!(latin("메뉴").as_deref(), Some("menu"));
        assert_eq!(latin("Маршрут").as_deref(), Some("marshrut"));
        assert_eq!(latin("पार्सल").as_deref(), Some("parsal"));
        assert_eq!(latin("メール送信"), None);
        assert_eq!(latin("mail"), None);
    }
}
