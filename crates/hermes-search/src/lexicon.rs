//! Words of other languages into the English that most tools are described in. A query keeps its own
//! words too, so a tool described in the query's language is found by them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::affixes::without_affixes;
use crate::encoder::is_word;
use crate::tokens::{fold, is_unspaced, stem};
use crate::tongue::{Tongue, small_word};

static TABLE: &str = include_str!("../data/lexicon.tsv");

/// Words in a form, at most.
const LONGEST_PHRASE: usize = 4;
/// A form without its accents is trusted from this length on.
const SHORTEST_BARE: usize = 5;
/// Letters that two forms of one word begin with alike, at least; more where the letters are those of English.
const SHORTEST_ROOT: usize = 5;
const SHORTEST_LATIN_ROOT: usize = 6;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

struct Lexicon {
    /// Forms of scripts with spaces, in lower case, as written, without accents, and stemmed.
    phrases: HashMap<String, &'static str>,
    /// The words that phrases begin with, and how many words the longest of them has.
    beginnings: HashMap<String, usize>,
    /// Single words without accents, in order: other forms of a word stand beside it.
    words: Vec<(String, &'static str)>,
    /// Forms of scripts without spaces.
    unspaced: HashMap<&'static str, &'static str>,
    longest: usize,
}

/// The query with the words it knows in English, or `None` if it knows none of them. `is_known` says which
/// words need no translation.
pub(crate) fn in_english(query: &str, is_known: &dyn Fn(&str) -> bool) -> Option<String> {
    let lexicon = &*LEXICON;
    let words: Vec<&str> =
        query.split(|letter: char| !is_word_letter(letter)).filter(|word| !word.is_empty()).collect();
    let tongue = if lexicon.is_foreign(&words, is_known) { Tongue::Foreign } else { Tongue::English };
    let mut english: Vec<String> = Vec::new();
    let mut translated = false;
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(&word) = rest.first() else { break };
        if word.chars().any(is_unspaced) {
            translated |= lexicon.cut_unspaced(word, &mut english);
            at += 1;
            continue;
        }
        match lexicon.phrase(rest, tongue, is_known) {
            Some((meaning, used)) => {
                english.push(meaning.to_owned());
                translated = true;
                at += used;
            }
            None => {
                english.push(word.to_owned());
                at += 1;
            }
        }
    }
    translated.then(|| english.join(" "))
}

/// A phrase with each of its words stemmed.
fn stems(phrase: &str) -> String {
    let stems: Vec<_> = phrase.split(' ').map(stem).collect();
    stems.join(" ")
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '\'' | '-')
        || (!letter.is_ascii() && unicode_normalization::char::is_combining_mark(letter))
}

impl Lexicon {
    fn load() -> Self {
        let mut lexicon = Lexicon {
            phrases: HashMap::new(),
            beginnings: HashMap::new(),
            words: Vec::new(),
            unspaced: HashMap::new(),
            longest: 1,
        };
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let Some((english, forms)) = line.split_once('\t') else { continue };
            for form in forms.split(',') {
                lexicon.add(form, english);
            }
        }
        // The first of equal words was written first.
        lexicon.words.sort_by(|a, b| a.0.cmp(&b.0));
        lexicon.words.dedup_by(|later, first| later.0 == first.0);
        lexicon
    }

    fn add(&mut self, form: &'static str, english: &'static str) {
        if form.chars().any(is_unspaced) {
            self.longest = self.longest.max(form.chars().count());
            self.unspaced.entry(form).or_insert(english);
            return;
        }
        let lower = form.to_lowercase();
        let bare = fold(&lower).into_owned();
        let has_own_script = !bare.is_ascii();
        if has_own_script {
            self.add_phrase(stems(&bare), english);
        }
        if has_own_script || bare.chars().count() >= SHORTEST_BARE {
            self.add_phrase(bare.clone(), english);
            if !bare.contains(' ') {
                self.words.push((bare, english));
            }
        }
        self.add_phrase(lower, english);
    }

    fn add_phrase(&mut self, phrase: String, english: &'static str) {
        if let Some(first) = phrase.split(' ').next() {
            let longest = self.beginnings.entry(first.to_owned()).or_default();
            *longest = phrase.split(' ').count().max(*longest);
        }
        self.phrases.entry(phrase).or_insert(english);
    }

    /// Whether at least as many words are foreign as are English; words that may be either are not counted.
    fn is_foreign(&self, words: &[&str], is_known: &dyn Fn(&str) -> bool) -> bool {
        let (mut own, mut other) = (0, 0);
        for word in words {
            let lower = word.to_lowercase();
            let is_form = || self.beginnings.contains_key(&lower);
            if !lower.is_ascii() {
                other += 1;
            } else if let Some(is_english) = small_word(&lower) {
                own += usize::from(is_english);
            } else if is_word(&lower) || is_known(&lower) {
                own += usize::from(!is_form());
            } else if is_form() || self.of_one_root(&lower).is_some() {
                other += 1;
            }
        }
        other > 0 && other >= own
    }

    /// The longest phrase at the beginning of `words`, and how many words it takes.
    fn phrase(
        &self,
        words: &[&str],
        tongue: Tongue,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Option<(&'static str, usize)> {
        let first = words.first()?.to_lowercase();
        let bare = fold(&first);
        let beginning = |word: &str| self.beginnings.get(word).copied().unwrap_or_default();
        let longest = beginning(&first).max(beginning(&bare)).max(beginning(&stem(&bare)));
        let is_english =
            |word: &str| word.is_ascii() && ((tongue == Tongue::English && is_word(word)) || is_known(word));
        let found = (1..=longest.min(LONGEST_PHRASE).min(words.len())).rev().find_map(|count| {
            let written = words.get(..count)?.join(" ").to_lowercase();
            if written.split(' ').all(is_english) && (count == 1 || tongue == Tongue::English) {
                return None;
            }
            let bare = fold(&written);
            let found = self.phrases.get(written.as_str()).or_else(|| self.phrases.get(bare.as_ref()));
            let found =
                found.or_else(|| (!bare.is_ascii()).then(|| self.phrases.get(stems(&bare).as_str()))?);
            found.map(|meaning| (*meaning, count))
        });
        let mut forms = without_affixes(&bare).into_iter();
        let found = found.or_else(|| forms.find_map(|form| Some((*self.phrases.get(form)?, 1))));
        let of_root = || self.of_one_root(&bare).filter(|_| tongue == Tongue::Foreign && !is_english(&first));
        found.or_else(|| Some((of_root()?, 1)))
    }

    /// What a word means that begins as a known one does and ends otherwise: `spostate`, where `spostare` is known.
    fn of_one_root(&self, word: &str) -> Option<&'static str> {
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

    /// Takes the longest known form again and again; what is between is kept.
    fn cut_unspaced(&self, word: &str, english: &mut Vec<String>) -> bool {
        let mut found = false;
        let mut rest = word;
        let mut kept = String::new();
        while let Some(first) = rest.chars().next() {
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8()).take(self.longest);
            let mut ends: Vec<usize> = ends.collect();
            ends.reverse();
            let known = ends.into_iter().find_map(|end| {
                let (form, after) = rest.split_at_checked(end)?;
                Some((self.unspaced.get(form)?, after))
            });
            match known {
                Some((meaning, after)) => {
                    if !kept.is_empty() {
                        english.push(std::mem::take(&mut kept));
                    }
                    english.push((*meaning).to_owned());
                    found = true;
                    rest = after;
                }
                None => {
                    kept.push(first);
                    rest = rest.get(first.len_utf8()..).unwrap_or_default();
                }
            }
        }
        if !kept.is_empty() {
            english.push(kept);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(query: &str) -> Option<String> {
        in_english(query, &|word| ["calendar", "table"].contains(&word))
    }

    #[test]
    fn words_of_many_languages_are_read() {
        assert_eq!(english("发送邮件").as_deref(), Some("send email mail"));
        assert_eq!(english("réunion calendar").as_deref(), Some("meeting calendar"));
        assert_eq!(english("tạo cuộc họp").as_deref(), Some("create make new meeting"));
        assert_eq!(english("Удали файлы").as_deref(), Some("delete remove file"));
        assert_eq!(english("이메일을 보내").as_deref(), Some("email mail 을 send"));
        assert_eq!(english("create a table"), None);
    }

    #[test]
    fn other_forms_of_a_word_are_read_too() {
        assert_eq!(english("spostate file").as_deref(), Some("move file"));
        assert_eq!(english("сводной таблицей").as_deref(), Some("pivot table"));
        assert_eq!(english("الملفات والرسائل").as_deref(), Some("file message"));
        assert_eq!(english("הקבצים").as_deref(), Some("file"));
        assert_eq!(english("recording protect marker"), None);
    }

    #[test]
    fn english_words_mean_themselves_in_english() {
        for query in [
            "pasta recipes",
            "restore",
            "command",
            "open a terminal",
            "beats per minutes",
            "data",
            "local branches",
            "a map of the agenda",
            "restaurants",
            "actual persona concept",
            "red alarm lot",
        ] {
            assert_eq!(english(query), None, "{query}");
        }
        assert_eq!(
            english("abrir la pasta fotografía").as_deref(),
            Some("open la folder directory image picture photo")
        );
    }
}
