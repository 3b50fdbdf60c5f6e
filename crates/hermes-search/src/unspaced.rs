//! Words of scripts that put no spaces between them.

use crate::lexicon::Lexicon;

impl Lexicon {
    /// Takes the longest known form again and again; what is between is kept.
    pub(crate) fn cut_unspaced(&self, word: &str, english: &mut Vec<String>) -> bool {
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
