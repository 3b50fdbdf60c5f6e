//! Words in forms that no table has: other endings, and words made of words.

use crate::lexicon::Lexicon;

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
/// The last word of a compound alone, where the first is not known.
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
    /// What a word of another language means that is in no table.
    pub(crate) fn other_form(&self, word: &str) -> Option<String> {
        let bent = self.of_one_root(word).or_else(|| self.of_one_stem(word));
        bent.map(str::to_owned).or_else(|| self.compound(word)).or_else(|| self.head(word))
    }

    /// What a word means that begins as a known one does and ends otherwise: `spostate`, where `spostare` is known.
    pub(crate) fn of_one_root(&self, word: &str) -> Option<&'static str> {
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
            (shared >= root && shared * 10 >= longer * 7).then_some((shared, *english))
        });
        alike.max_by_key(|(shared, _)| *shared).map(|(_, english)| english)
    }

    /// The same for short words, where what differs are endings.
    fn of_one_stem(&self, word: &str) -> Option<&'static str> {
        let (endings, shortest) = endings_of(word);
        let begin: String = word.chars().take(shortest).collect();
        if begin.chars().count() < shortest {
            return None;
        }
        let from = self.words.partition_point(|(known, _)| known.as_str() < begin.as_str());
        let near = self.words.get(from..)?.iter().take_while(|(known, _)| known.starts_with(&begin));
        let is_ending = |rest: &str| endings.contains(&rest);
        let alike = near.filter_map(|(known, english)| {
            let shared: usize =
                known.chars().zip(word.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
            // A vowel at the end of the stem may be part of the ending.
            let cuts = word.char_indices().map(|(at, _)| at).chain([word.len()]).filter(|at| *at <= shared);
            let mut cuts = cuts.filter(|at| *at >= begin.len());
            let fits = cuts
                .any(|at| known.get(at..).is_some_and(is_ending) && word.get(at..).is_some_and(is_ending));
            fits.then_some((shared, *english))
        });
        alike.max_by_key(|(shared, _)| *shared).map(|(_, english)| english)
    }

    /// What a word means that is written of two known ones: `Netzwerkanfrage`.
    pub(crate) fn compound(&self, word: &str) -> Option<String> {
        self.cuts(word).find_map(|(first, last)| {
            // Both are known as they are, or one of them in another form.
            let whole = |part: &str| self.phrases.get(part).copied().filter(|_| part.len() >= SHORTEST_PART);
            let mut firsts = LINKS.iter().filter_map(|link| first.strip_suffix(link));
            let first = firsts.find_map(whole)?;
            let bent = || self.of_one_stem(last).filter(|_| last.len() >= SHORTEST_HEAD);
            Some(format!("{first} {}", whole(last).or_else(bent)?))
        })
    }

    /// What the last word of a compound means: of a `Kundenstammsatz` it is known that it is a `satz`.
    fn head(&self, word: &str) -> Option<String> {
        let mut ends = self.cuts(word).filter(|(_, last)| last.chars().count() >= SHORTEST_HEAD);
        ends.find_map(|(_, last)| self.phrases.get(last).map(|meaning| (*meaning).to_owned()))
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
    use crate::lexicon::in_english;

    fn has(query: &str, word: &str) -> bool {
        in_english(query, &|_| false).is_some_and(|english| english.split(' ').any(|own| own == word))
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
        ] {
            assert!(has(query, word), "{query}: {:?}", in_english(query, &|_| false));
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
            let english = in_english(query, &|_| false);
            assert!(words.iter().all(|word| has(query, word)), "{query}: {english:?}");
        }
        for english in ["understanding networks", "misspeling wrods"] {
            assert_eq!(in_english(english, &|_| false), None, "{english}");
        }
    }
}
