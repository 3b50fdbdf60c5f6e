//! Words in forms that no table has: other endings, and words made of words.

use crate::encoder::is_word;
use crate::lexicon::{Lexicon, Meanings};

/// Letters that two forms of one word begin with alike, at least; more where the letters are those of English.
const SHORTEST_ROOT: usize = 5;
const SHORTEST_LATIN_ROOT: usize = 6;
/// The same where what follows is an ending on both sides.
const SHORTEST_STEM: usize = 4;
/// The same in scripts of syllables.
const SHORTEST_SYLLABLES: usize = 3;
/// A word made of words, and each of those.
const SHORTEST_COMPOUND: usize = 9;
const SHORTEST_PART: usize = 4;
/// One word of a compound alone, where the other is not known.
const SHORTEST_HEAD: usize = 5;

/// What the words of many languages end in when they are bent: Polish, Turkish, German, Spanish, Portuguese,
/// French and Italian, without accents.
const LATIN: &[&str] = &[
    "", "a", "ac", "ach", "ada", "ado", "ais", "ait", "ama", "ami", "amos", "ando", "ant", "ao", "ar", "are",
    "as", "ata", "ato", "c", "da", "dan", "de", "den", "e", "ec", "ego", "ej", "em", "emu", "en", "end",
    "ent", "er", "ere", "ern", "es", "et", "ez", "i", "ic", "ich", "ie", "iem", "iendo", "ig", "im", "imi",
    "in", "ini", "ir", "ire", "isch", "iyor", "la", "lar", "lari", "larin", "larini", "le", "ler", "leri",
    "lerin", "lerini", "lich", "m", "mak", "mek", "mi", "n", "nde", "ndeki", "ne", "ni", "nin", "nu", "nun",
    "o", "oes", "om", "on", "ons", "os", "ow", "owac", "owi", "r", "re", "s", "si", "sini", "st", "su", "t",
    "ta", "te", "ten", "u", "uj", "uje", "um", "un", "ung", "ungen", "y", "ya", "yc", "ych", "ye", "yi",
    "ym", "ymi", "yor", "yu", "z",
];
/// The same of Russian and its neighbours.
const CYRILLIC: &[&str] = &[
    "", "а", "ам", "ами", "ас", "ать", "ах", "ая", "е", "ев", "его", "ее", "ей", "ем", "ему", "ет", "еть",
    "ешь", "и", "ие", "ий", "им", "ими", "ит", "ить", "их", "ишь", "ия", "й", "ки", "ку", "л", "ла", "ли",
    "ло", "о", "ов", "ого", "ое", "ой", "ом", "ому", "ся", "т", "те", "ти", "ть", "у", "ую", "ы", "ые", "ый",
    "ым", "ыми", "ых", "ь", "ью", "ю", "юю", "я", "ям", "ями", "ях", "яя", "і", "ї", "є",
];
/// The same of Hindi, whose vowels are marks and gone before.
const DEVANAGARI: &[&str] = &["", "ए", "ओ", "कर", "त", "न", "य"];
/// What stands between the words of a compound.
const LINKS: &[&str] = &["", "s", "es", "n", "en", "e", "er"];

impl Lexicon {
    /// What a word of another language means that is in no table; a word made of words means each of them.
    pub(crate) fn other_form(&self, word: &str) -> Vec<Meanings> {
        if let Some(bent) = self.of_one_root(word).or_else(|| self.of_one_stem(word)) {
            return vec![bent.clone()];
        }
        if let Some((first, last)) = self.compound(word) {
            return vec![first.clone(), last.clone()];
        }
        [self.beginning(word), self.head(word)].into_iter().flatten().cloned().collect()
    }

    /// Whether a word is surely known in another form, so that it tells the language: a few letters alike at the
    /// beginning do not, where a word may be misspelt.
    pub(crate) fn has_other_form(&self, word: &str) -> bool {
        let is_whole = |known: &str| known.chars().count() >= SHORTEST_ROOT && word.starts_with(known);
        let is_bent = || self.stems_of(word).any(|(known, is_soft, _)| is_soft || is_whole(known));
        self.of_one_root(word).is_some()
            || is_bent()
            || self.compound(word).is_some()
            || self.beginning(word).is_some()
    }

    /// What a word means that begins as a known one does and ends otherwise: `spostate`, where `spostare` is known.
    pub(crate) fn of_one_root(&self, word: &str) -> Option<&Meanings> {
        let root = if word.is_ascii() { SHORTEST_LATIN_ROOT } else { SHORTEST_ROOT };
        let letters = word.chars().count();
        if letters < root {
            return None;
        }
        // Whatever begins most alike stands next to where the word would stand.
        let after = self.words.partition_point(|(known, _)| known.as_str() < word);
        let beside = [after.checked_sub(1)?, after].into_iter().filter_map(|at| self.words.get(at));
        let alike = beside.filter_map(|(known, english)| {
            let shared = known.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
            let longer = known.chars().count().max(letters);
            (shared >= root && shared * 10 >= longer * 7).then_some((shared, english))
        });
        alike.max_by_key(|(shared, _)| *shared).map(|(_, english)| english)
    }

    /// The same for short words, where what differs are endings.
    fn of_one_stem(&self, word: &str) -> Option<&Meanings> {
        let shared = |known: &str| known.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
        let alike = self.stems_of(word).max_by_key(|(known, _, _)| shared(known));
        alike.map(|(_, _, meanings)| meanings)
    }

    /// The known words that differ from a word in endings alone, and whether the last letter became soft.
    fn stems_of<'a, 'w>(
        &'a self,
        word: &'w str,
    ) -> impl Iterator<Item = (&'a str, bool, &'a Meanings)> + use<'a, 'w> {
        let (endings, shortest) = endings_of(word);
        let begin: String = word.chars().take(shortest).collect();
        // The last letter of the shortest may be the soft one.
        let sought: String = word.chars().take(shortest - 1).collect();
        let is_long = begin.chars().count() >= shortest;
        let from = self.words.partition_point(|(known, _)| known.as_str() < sought.as_str());
        let near = self.words.get(from..).unwrap_or_default().iter();
        let near = near.take_while(move |(known, _)| is_long && known.starts_with(&sought));
        near.filter_map(move |(known, meanings)| {
            let is_ending = |rest: &str| endings.contains(&rest);
            let shared: usize =
                known.chars().zip(word.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
            // A vowel at the end of the stem may be part of the ending.
            let cuts = word.char_indices().map(|(at, _)| at).chain([word.len()]).filter(|at| *at <= shared);
            let mut cuts = cuts.filter(|at| *at >= begin.len());
            let fits = cuts
                .any(|at| known.get(at..).is_some_and(is_ending) && word.get(at..).is_some_and(is_ending));
            let is_soft = !fits && is_softened(known, word, is_ending);
            (fits || is_soft).then_some((known.as_str(), is_soft, meanings))
        })
    }

    /// What a word means that is written of two known ones: `Netzwerkanfrage`.
    fn compound(&self, word: &str) -> Option<(&Meanings, &Meanings)> {
        self.cuts(word).find_map(|(first, last)| {
            // Both are known as they are, or one of them in another form.
            let bent = || self.of_one_stem(last).filter(|_| last.len() >= SHORTEST_HEAD);
            let first = self.linked(first, SHORTEST_PART)?;
            Some((first, self.whole(last, SHORTEST_PART).or_else(bent)?))
        })
    }

    /// What the last word of a compound means: of a `Kundenstammsatz` it is known that it is a `satz`.
    fn head(&self, word: &str) -> Option<&Meanings> {
        self.cuts(word).find_map(|(_, last)| self.whole(last, SHORTEST_HEAD))
    }

    /// What the first word of a compound means: a `Stromausfall` has to do with `Strom`. The longest tells most.
    fn beginning(&self, word: &str) -> Option<&Meanings> {
        let cuts: Vec<_> = self.cuts(word).filter(|(first, _)| !is_word(first)).collect();
        cuts.into_iter().rev().find_map(|(first, _)| self.linked(first, SHORTEST_HEAD))
    }

    fn whole(&self, part: &str, shortest: usize) -> Option<&Meanings> {
        self.phrases.get(part).filter(|_| part.chars().count() >= shortest)
    }

    /// The same for a word with what links it to the next.
    fn linked(&self, part: &str, shortest: usize) -> Option<&Meanings> {
        let mut words = LINKS.iter().filter_map(|link| part.strip_suffix(link));
        words.find_map(|word| self.whole(word, shortest))
    }

    /// Every way to cut a long word in two, the longest last part first.
    fn cuts<'a>(&self, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let is_long = word.chars().count() >= SHORTEST_COMPOUND;
        let places = word.char_indices().map(|(at, _)| at).filter(move |_| is_long);
        let cuts = places.filter_map(|at| word.split_at_checked(at));
        cuts.filter(|(first, last)| {
            first.chars().count() >= SHORTEST_PART && last.chars().count() >= SHORTEST_PART
        })
    }
}

/// Whether a word is a known one whose last letter became soft before an ending, as Turkish `talep` in `talebi`.
fn is_softened(known: &str, word: &str, is_ending: impl Fn(&str) -> bool) -> bool {
    if known.len() <= SHORTEST_STEM {
        return false;
    }
    let soft = match known.bytes().last() {
        Some(b'p') => "b",
        Some(b't') => "d",
        Some(b'k') => "g",
        Some(b'c') => "c",
        _ => return false,
    };
    let rest = known.get(..known.len() - 1).and_then(|stem| word.strip_prefix(stem));
    let ending = rest.and_then(|rest| rest.strip_prefix(soft));
    ending.is_some_and(|ending| !ending.is_empty() && is_ending(ending))
}

/// The endings of a word's script, and how much of the word must stand before one.
fn endings_of(word: &str) -> (&'static [&'static str], usize) {
    match word.chars().next() {
        Some('\u{0400}'..='\u{052F}') => (CYRILLIC, SHORTEST_STEM),
        Some('\u{0900}'..='\u{097F}') => (DEVANAGARI, SHORTEST_SYLLABLES),
        _ => (LATIN, SHORTEST_STEM),
    }
}

#[cfg(test)]
mod tests {
    use crate::lexicon::{in_english, tongue_of};

    fn english(query: &str) -> Option<String> {
        let english = in_english(query, tongue_of(query, &|_| false), &|_| false)?;
        Some(english.0.iter().flat_map(|meant| meant.words()).collect::<Vec<_>>().join(" "))
    }

    fn has(query: &str, word: &str) -> bool {
        english(query).is_some_and(|english| english.split(' ').any(|own| own == word))
    }

    #[test]
    fn bent_words_are_known_by_their_stems() {
        for (query, word) in [
            ("удали файлами", "file"),
            ("список задач", "task"),
            ("usuń pliki użytkownika", "file"),
            ("lista zadań i plików", "file"),
            ("dosyaları sil", "file"),
            ("toplantıların listesi", "meeting"),
            ("sende die Dateien", "file"),
            ("फ़ाइलों को हटाएं", "file"),
            ("kargom nerede", "parcel"),
            ("izin talebi", "leave"),
            ("izin talebi", "request"),
        ] {
            assert!(has(query, word), "{query}: {:?}", english(query));
        }
    }

    #[test]
    fn words_made_of_words_are_taken_apart() {
        for (query, words) in [
            ("Netzwerkanfragen auflisten", ["network", "request"]),
            ("Kundendatei", ["customer", "file"]),
            ("Benutzerkonto löschen", ["user", "delete"]),
            ("Kalenderdatei", ["calendar", "file"]),
        ] {
            let english = english(query);
            assert!(words.iter().all(|word| has(query, word)), "{query}: {english:?}");
        }
        for (query, word) in [("Stromrechnungsnummer", "electricity"), ("Gehaltsübersicht", "salary")] {
            assert!(has(query, word), "{query}: {:?}", english(query));
        }
        for english in ["understanding networks", "misspeling wrods"] {
            assert_eq!(self::english(english), None, "{english}");
        }
    }
}
