//! One spelling for letters that differ in accents or width only.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Lower case without accents: `Réunion` and `reunion` become the same, and so do `Tạo` and `tao`.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let mut bare = String::with_capacity(text.len());
    for letter in text.nfc() {
        // A letter of its own though Unicode takes it apart: Russian endings are known by it.
        if matches!(letter, 'й' | 'Й') {
            bare.push('й');
            continue;
        }
        let parts = std::iter::once(letter).nfkd().filter(|part| !is_combining_mark(*part));
        bare.extend(parts.flat_map(char::to_lowercase).map(plain));
    }
    // Composed again, because Korean syllables were taken apart as well.
    Cow::Owned(bare.nfc().collect())
}

/// Letters that Unicode does not take apart, though readers do.
fn plain(letter: char) -> char {
    match letter {
        'đ' => 'd',
        'ł' => 'l',
        'ø' => 'o',
        'ı' => 'i',
        'ё' => 'е',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_width_do_not_matter() {
        assert_eq!(fold("Réunion"), "reunion");
        assert_eq!(fold("Tạo cuộc họp Đà Nẵng"), "tao cuoc hop da nang");
        assert_eq!(fold("ＡＰＩ"), "api");
        assert_eq!(fold("이메일"), "이메일");
        assert_eq!(fold("Новыи\u{306} ёж"), "новый еж");
        assert_eq!(fold("plain"), "plain");
    }
}
