//! Descriptions that are not in English, in English words: who asks in English finds their tools too.

use crate::lexicon::{in_brief, tongue_of};
use crate::scripts::{Scripts, readable};
use crate::tongue::Tongue;

/// Words that must be known, at least: fewer say nothing of a tool.
const LEAST_WORDS: usize = 2;

/// What the lexicon knows of a description, or `None` if that is English already or nobody could read the rest.
pub(crate) fn described_in_english(description: &str) -> Option<String> {
    // Most descriptions end here.
    if description.is_ascii()
        || !description.chars().any(|letter| !letter.is_ascii() && letter.is_alphabetic())
    {
        return None;
    }
    let is_latin = Scripts::mainly_of(description).is_latin();
    if is_latin && tongue_of(description, &|_| false) == Tongue::English {
        return None;
    }
    let english = readable(&in_brief(description)?);
    let new = english.split(' ').filter(|word| !description.contains(word)).count();
    (new >= LEAST_WORDS).then_some(english)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_descriptions_are_read_and_english_ones_left_alone() {
        let has = |description: &str, word: &str| {
            described_in_english(description).is_some_and(|english| english.split(' ').any(|own| own == word))
        };
        assert!(has("メールを送信する", "send") && has("メールを送信する", "email"));
        assert!(has("Удалить файл из папки", "delete"));
        assert!(has("Löscht eine Datei aus einem Ordner", "file"));
        for english in [
            "Search for cafés nearby and list them.",
            "Send an email – with attachments – to a user",
            "Convert °C to °F, e.g. for naïve users",
            "Send an email (メール) to somebody who has an address",
        ] {
            assert_eq!(described_in_english(english), None);
        }
        assert_eq!(described_in_english("ℵℶℷ"), None);
    }
}
