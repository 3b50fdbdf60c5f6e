//! The search by words: those of a query, and what they mean in English.

use crate::fusion::WHOLE;
use crate::index::{NearWords, Scope, Scores};
use crate::library::Library;
use crate::meant::English;
use crate::parts::Part;
use crate::tokens::terms;

/// What the words of a query and of each of its parts find. The parts are scaled.
pub(crate) struct ByWords {
    pub(crate) whole: Scores,
    pub(crate) parts: Vec<Scores>,
}

impl Library {
    pub(crate) fn by_words(
        &self,
        text: &str,
        english: Option<&English>,
        parts: &[Part<'_>],
        scope: &Scope,
    ) -> ByWords {
        let mut near = NearWords::default();
        let mut whole = self.in_words(text, english, scope, &mut near);
        let of_parts = parts.iter().map(|part| {
            let mut scores = self.in_words(part.text(), part.english.as_ref(), scope, &mut near);
            scores.scale(scope.len());
            scores
        });
        let of_parts: Vec<Scores> = of_parts.collect();
        let telling = parts.iter().zip(&of_parts).filter(|(part, _)| part.is_telling);
        let telling: Vec<&Scores> = telling.map(|(_, scores)| scores).collect();
        if !telling.is_empty() {
            whole.scale(scope.len());
            whole.blend(&telling, WHOLE);
        }
        ByWords { whole, parts: of_parts }
    }

    /// The text's own words, and for each that has a meaning in English the best of the words for it.
    fn in_words(&self, text: &str, english: Option<&English>, scope: &Scope, near: &mut NearWords) -> Scores {
        let meant =
            english.into_iter().flat_map(|english| &english.0).filter(|meant| !meant.meanings.is_empty());
        let meant: Vec<_> = meant.collect();
        meant.iter().for_each(|meant| near.understood(&meant.written));
        let mut scores = self.index.score_with(text, scope, near);
        let own = if meant.is_empty() { Vec::new() } else { terms(text) };
        let mut asked: Vec<Vec<&str>> = meant.iter().map(|meant| meant.words()).collect();
        asked.sort_unstable();
        asked.dedup();
        for words in asked {
            self.index.add_alternatives(&words, &own, scope, &mut scores);
        }
        scores
    }
}
