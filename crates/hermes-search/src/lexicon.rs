//! Words of other languages into the English that most tools are described in. A query keeps its own
//! words too, so a tool described in the query's language is found by them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::tokens::{fold, is_unspaced, stem};

static TABLE: &str = include_str!("../data/lexicon.tsv");

/// Words in a form, at most.
const LONGEST_PHRASE: usize = 4;
/// A form without its accents is trusted from this length on.
const SHORTEST_BARE: usize = 5;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

struct Lexicon {
    /// Forms of scripts with spaces, in lower case, as written, without accents, and stemmed.
    phrases: HashMap<String, &'static str>,
    /// Forms of scripts without spaces.
    unspaced: HashMap<&'static str, &'static str>,
    longest: usize,
}

/// The query with the words it knows in English, or `None` if it knows none of them. `is_known` says which
/// words need no translation.
pub(crate) fn in_english(query: &str, is_known: &dyn Fn(&str) -> bool) -> Option<String> {
    let lexicon = &*LEXICON;
    let mut english: Vec<String> = Vec::new();
    let mut translated = false;
    let words: Vec<&str> =
        query.split(|letter: char| !is_word_letter(letter)).filter(|word| !word.is_empty()).collect();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(&word) = rest.first() else { break };
        if word.chars().any(is_unspaced) {
            translated |= lexicon.cut_unspaced(word, &mut english);
            at += 1;
            continue;
        }
        match lexicon.phrase(rest, is_known) {
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

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '\'' | '-')
        || (!letter.is_ascii() && unicode_normalization::char::is_combining_mark(letter))
}

impl Lexicon {
    fn load() -> Self {
        let mut lexicon = Lexicon { phrases: HashMap::new(), unspaced: HashMap::new(), longest: 1 };
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let Some((english, forms)) = line.split_once('\t') else { continue };
            for form in forms.split(',') {
                lexicon.add(form, english);
            }
        }
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
        let stemmed = stem(&bare).into_owned();
        let has_own_script = !bare.is_ascii();
        self.phrases.entry(lower).or_insert(english);
        if has_own_script {
            self.phrases.entry(stemmed).or_insert(english);
        }
        if has_own_script || bare.chars().count() >= SHORTEST_BARE {
            self.phrases.entry(bare).or_insert(english);
        }
    }

    /// The longest phrase at the beginning of `words`, and how many words it takes.
    fn phrase(&self, words: &[&str], is_known: &dyn Fn(&str) -> bool) -> Option<(&'static str, usize)> {
        (1..=LONGEST_PHRASE.min(words.len())).rev().find_map(|count| {
            let written = words.get(..count)?.join(" ").to_lowercase();
            if count == 1 && written.is_ascii() && is_known(&written) {
                return None;
            }
            let bare = fold(&written);
            let found =
                self.phrases.get(written.as_str()).or_else(|| self.phrases.get(bare.as_ref())).or_else(
                    || (count == 1 && !bare.is_ascii()).then(|| self.phrases.get(stem(&bare).as_ref()))?,
                );
            found.map(|meaning| (*meaning, count))
        })
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
}
