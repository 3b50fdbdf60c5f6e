//! The words of `words.txt`, found in one pass over a text whatever their number.

use aho_corasick::AhoCorasick;

use super::folded::folded;

const WORDS: &str = include_str!("words.txt");

/// Words by their meanings. A meaning is a number: its place in [`Lexicon::meanings`].
pub(super) struct Lexicon {
    pub(super) meanings: Vec<&'static str>,
    entries: Vec<Entry>,
    finder: Option<AhoCorasick>,
}

/// A word, and where it may go on.
struct Entry {
    meaning: usize,
    begins_a_word: bool,
    ends_a_word: bool,
}

/// A word that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) meaning: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Lexicon {
    pub(super) fn new() -> Self {
        let (mut meanings, mut entries, mut words) = (Vec::new(), Vec::new(), Vec::new());
        let lines = WORDS.lines().filter(|line| !line.starts_with('#'));
        for (name, list) in lines.filter_map(|line| line.split_once(": ")) {
            let known = meanings.iter().position(|meaning| *meaning == name);
            let meaning = known.unwrap_or_else(|| {
                meanings.push(name);
                meanings.len() - 1
            });
            for word in list.split(", ").map(str::trim).filter(|word| !word.is_empty()) {
                let core = folded(word.trim_matches('*'));
                entries.push(Entry {
                    meaning,
                    begins_a_word: !word.starts_with('*') && core.starts_with(is_of_word),
                    ends_a_word: !word.ends_with('*') && core.ends_with(is_of_word),
                });
                words.push(core);
            }
        }
        let finder = AhoCorasick::new(&words).ok();
        Lexicon { meanings, entries, finder }
    }

    /// Every word of the list in a folded text.
    pub(super) fn find<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Found> + 't {
        let matches = self.finder.iter().flat_map(move |finder| finder.find_overlapping_iter(text));
        matches.filter_map(move |found| {
            let entry = self.entries.get(found.pattern().as_usize())?;
            let (before, after) = (text.get(..found.start())?, text.get(found.end()..)?);
            let stands = !(entry.begins_a_word && before.ends_with(is_of_word)
                || entry.ends_a_word && after.starts_with(is_of_word));
            stands.then(|| Found { meaning: entry.meaning, start: found.start(), end: found.end() })
        })
    }
}

/// Whether a character is part of a word.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_stand_as_the_list_says() {
        let lexicon = Lexicon::new();
        assert!(lexicon.finder.is_some() && lexicon.meanings.len() < 100);
        let meanings = |text: &str| {
            let found = lexicon.find(text).map(|found| lexicon.meanings[found.meaning]);
            found.collect::<std::collections::BTreeSet<_>>()
        };
        assert!(meanings("instructions").contains("rules") && !meanings("reinstructed").contains("rules"));
        assert!(meanings("ai").contains("model") && !meanings("said aid").contains("model"));
        assert!(meanings("请读取文件").contains("read"));
    }
}
