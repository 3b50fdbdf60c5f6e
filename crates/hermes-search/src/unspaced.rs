//! Words of scripts that put no spaces between them.

use crate::characters::meaning_of;
use crate::lexicon::Lexicon;
use crate::meant::Meant;
use crate::sound::as_heard;

impl Lexicon {
    /// Takes the longest known form again and again; what is between is read by its letters or its sound, or kept.
    pub(crate) fn cut_unspaced(&self, word: &str, english: &mut Vec<Meant>) {
        let mut rest = word;
        let mut unknown = String::new();
        while let Some(first) = rest.chars().next() {
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8()).take(self.longest);
            let mut ends: Vec<usize> = ends.collect();
            ends.reverse();
            let known = ends.into_iter().find_map(|end| {
                let (form, after) = rest.split_at_checked(end)?;
                Some((form, self.unspaced.get(form)?, after))
            });
            match known {
                Some((form, meanings, after)) => {
                    read_unknown(&std::mem::take(&mut unknown), english);
                    english.push(Meant { written: form.to_owned(), meanings: meanings.clone() });
                    rest = after;
                }
                None => {
                    unknown.push(first);
                    rest = rest.get(first.len_utf8()..).unwrap_or_default();
                }
            }
        }
        read_unknown(&unknown, english);
    }
}

/// A word that no table has: a loan word sounds like what it means, and a word of Han letters is made of them.
fn read_unknown(word: &str, english: &mut Vec<Meant>) {
    if word.is_empty() {
        return;
    }
    let heard = as_heard(word);
    if !heard.is_empty() {
        english.push(Meant { written: word.to_owned(), meanings: heard });
        return;
    }
    let mut kept = String::new();
    for letter in word.chars() {
        match meaning_of(letter) {
            Some(meaning) => {
                keep(&mut kept, english);
                english.push(Meant { written: letter.to_string(), meanings: vec![meaning] });
            }
            None => kept.push(letter),
        }
    }
    keep(&mut kept, english);
}

fn keep(kept: &mut String, english: &mut Vec<Meant>) {
    if !kept.is_empty() {
        english.push(Meant { written: std::mem::take(kept), meanings: Vec::new() });
    }
}
