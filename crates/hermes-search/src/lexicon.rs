//! Words of other languages into the English that most tools are described in. A query keeps its own
//! words too, so a tool described in the query's language is found by them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::affixes::without_affixes;
use crate::encoder::is_word;
use crate::meant::{English, Meant};
use crate::sound::as_heard;
use crate::tokens::{fold, is_unspaced, stem};
use crate::tongue::{Tongue, small_word};

static WORDS_OF_TOOLS: &str = include_str!("../data/lexicon.tsv");
static EVERYDAY_WORDS: &str = include_str!("../data/everyday.tsv");
static PLAIN_WORDS: &str = include_str!("../data/plain.tsv");

/// Words in a form, at most.
const LONGEST_PHRASE: usize = 4;
/// A form without its accents is trusted from this length on.
const SHORTEST_BARE: usize = 5;
/// Other forms of a word are looked for from this length on.
const SHORTEST_WORD: usize = 4;

/// What is looked up in any query: few words, so that English stays English.
static BASIC: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::load(&[WORDS_OF_TOOLS]));
/// What is looked up where a query is in another language. What the tables before say of a word is its first meaning.
static WHOLE: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::load(&[PLAIN_WORDS, WORDS_OF_TOOLS, EVERYDAY_WORDS]));

/// What one form may mean, the likeliest first: rows of words that say the same.
pub(crate) type Meanings = Vec<&'static str>;

pub(crate) struct Lexicon {
    /// Forms of scripts with spaces, in lower case, as written, without accents, and stemmed.
    pub(crate) phrases: HashMap<String, Meanings>,
    /// The words that phrases begin with, and how many words the longest of them has.
    beginnings: HashMap<String, usize>,
    /// Single words without accents, in order: other forms of a word stand beside it.
    pub(crate) words: Vec<(String, Meanings)>,
    /// Forms of scripts without spaces.
    pub(crate) unspaced: HashMap<&'static str, Meanings>,
    pub(crate) longest: usize,
}

/// The text with the words it knows in English, or `None` if it knows none of them. `is_known` says which words
/// need no translation.
pub(crate) fn in_english(text: &str, tongue: Tongue, is_known: &dyn Fn(&str) -> bool) -> Option<English> {
    let lexicon: &Lexicon = match tongue {
        Tongue::English => &BASIC,
        Tongue::Foreign => &WHOLE,
    };
    lexicon.translate(&words_of(text), tongue, is_known)
}

/// The same for a description, which is longer: of several words for one thing the first are enough.
pub(crate) fn in_brief(description: &str) -> Option<String> {
    let tongue = tongue_of(description, &|_| false);
    in_english(description, tongue, &|_| false).map(|english| english.brief())
}

/// What a text is written in, as far as its words tell.
pub(crate) fn tongue_of(text: &str, is_known: &dyn Fn(&str) -> bool) -> Tongue {
    tongue(&words_of(text), is_known)
}

/// Words that tell nothing leave a text English, unless all of it is known elsewhere.
fn tongue(words: &[&str], is_known: &dyn Fn(&str) -> bool) -> Tongue {
    let (own, other) = BASIC.tell(words, is_known);
    let is_elsewhere = |word: &&str| {
        let lower = word.to_lowercase();
        small_word(&lower).is_none() && !is_word(&lower) && !is_known(&lower) && WHOLE.has(&lower)
    };
    match (other > 0 && other >= own) || (own == 0 && words.iter().any(is_elsewhere)) {
        true => Tongue::Foreign,
        false => Tongue::English,
    }
}

fn words_of(text: &str) -> Vec<&str> {
    text.split(|letter: char| !is_word_letter(letter)).filter(|word| !word.is_empty()).collect()
}

/// A phrase with each of its words stemmed.
fn stems(phrase: &str) -> String {
    let stems: Vec<_> = phrase.split(' ').map(stem).collect();
    stems.join(" ")
}

fn join(meanings: &mut Meanings, more: &[&'static str]) {
    for meaning in more {
        if !meanings.contains(meaning) {
            meanings.push(meaning);
        }
    }
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '\'' | '-')
        || (!letter.is_ascii() && unicode_normalization::char::is_combining_mark(letter))
}

impl Lexicon {
    /// Word by word; `None` if none is known.
    fn translate(&self, words: &[&str], tongue: Tongue, is_known: &dyn Fn(&str) -> bool) -> Option<English> {
        let mut english: Vec<Meant> = Vec::new();
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(&word) = rest.first() else { break };
            if word.chars().any(is_unspaced) {
                self.cut_unspaced(word, &mut english);
                at += 1;
                continue;
            }
            let (meanings, used) = self.phrase(rest, tongue, is_known).unwrap_or((vec![Vec::new()], 1));
            let written = rest.get(..used).unwrap_or_default().join(" ");
            english.extend(meanings.into_iter().map(|meanings| Meant { written: written.clone(), meanings }));
            at += used;
        }
        english.iter().any(|meant| !meant.meanings.is_empty()).then_some(English(english))
    }

    fn load(tables: &[&'static str]) -> Self {
        let mut lexicon = Lexicon {
            phrases: HashMap::new(),
            beginnings: HashMap::new(),
            words: Vec::new(),
            unspaced: HashMap::new(),
            longest: 1,
        };
        for line in tables.iter().flat_map(|table| table.lines()).filter(|line| !line.starts_with('#')) {
            let Some((english, forms)) = line.split_once('\t') else { continue };
            for form in forms.split(',') {
                lexicon.add(form, english);
            }
        }
        // The first of equal words was written first.
        lexicon.words.sort_by(|a, b| a.0.cmp(&b.0));
        lexicon.words.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                join(&mut first.1, &later.1);
            }
            is_same
        });
        lexicon
    }

    fn add(&mut self, form: &'static str, english: &'static str) {
        if form.chars().any(is_unspaced) {
            self.longest = self.longest.max(form.chars().count());
            join(self.unspaced.entry(form).or_default(), &[english]);
            return;
        }
        let lower = form.to_lowercase();
        let bare = fold(&lower).into_owned();
        let has_own_script = !bare.is_ascii();
        if has_own_script {
            join(self.phrase_at(stems(&bare)), &[english]);
        }
        let letters = bare.chars().count();
        if (has_own_script || letters >= SHORTEST_WORD) && !bare.contains(' ') {
            self.words.push((bare.clone(), vec![english]));
        }
        // Without their accents two words may only look alike.
        if bare != lower && (has_own_script || letters >= SHORTEST_BARE) {
            let meanings = self.phrase_at(bare);
            if meanings.is_empty() || has_own_script {
                join(meanings, &[english]);
            }
        }
        join(self.phrase_at(lower), &[english]);
    }

    fn phrase_at(&mut self, phrase: String) -> &mut Meanings {
        if let Some(first) = phrase.split(' ').next() {
            let longest = self.beginnings.entry(first.to_owned()).or_default();
            *longest = phrase.split(' ').count().max(*longest);
        }
        self.phrases.entry(phrase).or_default()
    }

    /// How many words are English, and how many are of another language; those that may be either do not count.
    fn tell(&self, words: &[&str], is_known: &dyn Fn(&str) -> bool) -> (usize, usize) {
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
        (own, other)
    }

    /// Whether it knows a word in whatever form.
    fn has(&self, word: &str) -> bool {
        self.phrases.contains_key(word) || self.has_other_form(word)
    }

    /// What the longest phrase at the beginning of `words` means, and how many words it takes. A word made of
    /// words means each of them.
    fn phrase(
        &self,
        words: &[&str],
        tongue: Tongue,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Option<(Vec<Meanings>, usize)> {
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
            found.map(|meanings| (vec![meanings.clone()], count))
        });
        let mut forms = without_affixes(&bare).into_iter();
        let found = found.or_else(|| forms.find_map(|form| Some((vec![self.phrases.get(form)?.clone()], 1))));
        if tongue == Tongue::English || is_english(&first) {
            return found;
        }
        let other = || Some(self.other_form(&bare)).filter(|meanings| !meanings.is_empty());
        let heard =
            || Some(vec![as_heard(&first)]).filter(|heard| heard.iter().any(|words| !words.is_empty()));
        found.or_else(|| Some((other().or_else(heard)?, 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(query: &str) -> Option<String> {
        let is_known = |word: &str| ["calendar", "table"].contains(&word);
        let english = in_english(query, tongue_of(query, &is_known), &is_known)?;
        Some(english.sentence(&is_known))
    }

    #[test]
    fn words_of_many_languages_are_read() {
        assert_eq!(english("发送邮件").as_deref(), Some("send email mail"));
        assert_eq!(english("réunion calendar").as_deref(), Some("meeting calendar"));
        assert_eq!(english("tạo cuộc họp").as_deref(), Some("create make meeting"));
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
            Some("open la folder directory image picture")
        );
    }
}
