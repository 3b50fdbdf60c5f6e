//! The search by meaning: what the encoder makes of a query, against what it made of the documents.

use crate::encoder::{Encoder, QUERY_TOKENS, is_mostly_read, is_read};
use crate::fusion::blend;
use crate::index::Scope;
use crate::library::Library;
use crate::parts::Part;
use crate::scripts::{Scripts, readable};

/// How much the documents are like a query and like each of its parts. A part that says nothing to the encoder is
/// like none.
pub(crate) struct ByMeaning {
    pub(crate) whole: Vec<f32>,
    pub(crate) parts: Vec<Vec<f32>>,
}

impl Library {
    /// `None` if the query says nothing that the encoder reads. `english` is what a reader of English makes of it.
    pub(crate) fn by_meaning(
        &self,
        text: &str,
        english: Option<&str>,
        parts: &[Part<'_>],
        scope: &Scope,
    ) -> Option<ByMeaning> {
        let encoder = Encoder::shared()?;
        // What the encoder cannot read says nothing, but to those who are described in the same letters.
        let scripts = Scripts::of(text);
        let is_readable = scripts.is_latin() || is_read(text);
        let english = english.map(readable).filter(|english| !english.is_empty());
        if !is_readable && english.is_none() && !scope.slots().any(|slot| self.scripts(slot).shares(scripts))
        {
            return None;
        }
        let read: Vec<String> = parts.iter().map(|part| readable(&part.read)).collect();
        let told = read.iter().filter(|part| !part.is_empty()).map(String::as_str);
        let texts: Vec<&str> = [text].into_iter().chain(english.as_deref()).chain(told).collect();
        let mut vectors = encoder.embed_all(&texts, QUERY_TOKENS).into_iter();
        let mut whole = self.vectors.compare(&vectors.next()?);
        let translated = english.as_ref().and_then(|_| Some(self.vectors.compare(&vectors.next()?)));
        let likeness = |part: &String| match part.is_empty() {
            true => Some(Vec::new()),
            false => Some(self.vectors.compare(&vectors.next()?)),
        };
        let like: Vec<Vec<f32>> = read.iter().map_while(likeness).collect();
        whole.resize(self.index.capacity(), 0.0);
        if !is_readable {
            self.keep_where(&mut whole, |written| written.shares(scripts));
        }
        for (score, other) in whole.iter_mut().zip(translated.iter().flatten()) {
            *score = score.max(*other);
        }
        let telling = parts.iter().zip(&like).filter(|(part, like)| part.is_telling && !like.is_empty());
        blend(&mut whole, &telling.map(|(_, like)| like).collect::<Vec<_>>());
        // What is hardly read resembles whatever is not read either.
        if !is_mostly_read(text) {
            self.keep_where(&mut whole, |written| written.is_latin() || written.shares(scripts));
        }
        for (slot, score) in (0..).zip(whole.iter_mut()) {
            if !scope.contains(slot) || !self.vectors.has(slot) {
                *score = score.min(0.0);
            }
        }
        Some(ByMeaning { whole, parts: like })
    }

    /// Leaves the documents alone that are described in such scripts; the others are like nothing.
    fn keep_where(&self, scores: &mut [f32], is_kept: impl Fn(Scripts) -> bool) {
        for (slot, score) in (0..).zip(scores) {
            if !is_kept(self.scripts(slot)) {
                *score = 0.0;
            }
        }
    }
}
