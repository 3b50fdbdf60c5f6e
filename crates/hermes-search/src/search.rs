//! The search over a library: words, meaning, names, and what was learned, into one ranking.

use crate::answer::{Answer, Fit, Hit, Method, Query};
use crate::encoder::{Encoder, QUERY_TOKENS, is_read};
use crate::fusion::{LEAST_LIKENESS_OF_NOISE, WHOLE, blend, fuse, scale};
use crate::index::{NearWords, Scope, Scores, Slot};
use crate::lexicon::in_english;
use crate::library::Library;
use crate::needs::needs;

/// The encoder joins when this share of a scope has vectors.
const ENOUGH_VECTORS: f32 = 0.95;
/// Less like anything than this, and a query is likely about something that nothing here does. Of the searches
/// whose tool is found, one in fifty lies below; of those that ask for what no tool does, nine in ten.
const GOOD_LIKENESS: f32 = 0.35;

/// So many tools of one name that fit nearly alike are shown before something else has its turn.
const NAMESAKES: usize = 3;
/// How far apart two scores are that are nearly alike.
const NEARLY: f32 = 0.05;

/// What a tool gains that the very same query led to; half as alike, and it gains a quarter.
const LEARNED: f32 = 0.6;
/// So many may gain, and never so many that the best of the others could be pushed out.
const MOST_LEARNED: usize = 2;

/// The documents that may be answers, and their scores.
struct Ranking {
    candidates: Vec<Slot>,
    scores: Vec<f32>,
    method: Method,
    fit: Fit,
}

impl Library {
    /// The documents of the scope that fit the query best.
    pub fn search(&self, query: &Query<'_>, scope: &Scope) -> Answer {
        let text = match query.service.filter(|service| !service.trim().is_empty()) {
            Some(service) => format!("{} {service}", query.text),
            None => query.text.to_owned(),
        };
        let Ranking { mut candidates, mut scores, method, mut fit } = self.rank(&text, query, scope);
        let mut raise = |slot: Slot, by: f32, candidates: &mut Vec<Slot>| {
            if let Some(score) = scores.get_mut(slot as usize) {
                *score += by;
            }
            if !candidates.contains(&slot) {
                candidates.push(slot);
            }
        };
        // Who types a server's name alone wants its tools, whoever else mentions it.
        for slot in self.names.of_server(query.text).iter().filter(|slot| scope.contains(**slot)) {
            raise(*slot, 1.0, &mut candidates);
            fit = Fit::Good;
        }
        let learned = query.learned.iter().filter_map(|(name, alike)| Some((self.index.slot(name)?, *alike)));
        let learned = learned.filter(|(slot, _)| scope.contains(*slot));
        for (slot, alike) in learned.take(MOST_LEARNED.min(query.limit / 2)) {
            raise(slot, LEARNED * alike * alike, &mut candidates);
        }
        let mut ranked: Vec<(Slot, f32)> =
            candidates.into_iter().filter_map(|slot| Some((slot, *scores.get(slot as usize)?))).collect();
        let named = self.named_first(query, scope, &scores);
        if !named.is_empty() {
            ranked.retain(|(slot, _)| !named.contains(slot));
            fit = Fit::Good;
        }
        self.best_first(&mut ranked, query.limit.saturating_mul(4).saturating_add(NAMESAKES));
        let ranked = self.spread(ranked);
        let exact = named.iter().map(|slot| (*slot, 1.0, true));
        let others = ranked.into_iter().map(|(slot, score)| (slot, score, false));
        let hits =
            exact.chain(others).take(query.limit.max(named.len())).filter_map(|(slot, score, exact)| {
                Some(Hit { slot, name: self.index.name(slot)?.to_owned(), score: score.min(1.0), exact })
            });
        Answer { hits: hits.collect(), method, fit }
    }

    /// Words and meaning together.
    fn rank(&self, text: &str, query: &Query<'_>, scope: &Scope) -> Ranking {
        let english = in_english(text, &|word| self.index.knows(word, scope));
        let read = english.as_deref().unwrap_or(text);
        let mut words = self.by_words(text, english.as_deref(), scope);
        let shares_words = !words.touched().is_empty();
        words.scale(scope.len());
        // Without meaning only what shares a word can be an answer.
        let mut candidates = words.touched().to_vec();
        let mut scores = words.into_all();
        let meaning = if query.words_only { None } else { self.by_meaning(text, english.as_deref(), scope) };
        let method = if meaning.is_some() { Method::Meaning } else { Method::Words };
        let mut fit = if shares_words { Fit::Good } else { Fit::Weak };
        // A row of letters asks for nothing. Whatever else is asked gets the nearest there is.
        let mut asks = shares_words || is_read(read) || has_foreign_letters(text);
        if let Some(mut meaning) = meaning {
            candidates = scope.slots().collect();
            let most = scale(&mut meaning, &candidates);
            asks |= most >= LEAST_LIKENESS_OF_NOISE;
            let in_doubt = english.is_none() && self.index.is_misspelt(text, scope);
            fit = if most >= GOOD_LIKENESS || in_doubt { Fit::Good } else { Fit::Weak };
            fuse(&mut scores, &meaning, in_doubt);
        } else if scope.len() <= query.limit {
            // So few that leaving any out helps nobody.
            candidates = scope.slots().collect();
        }
        if !asks {
            candidates.clear();
        }
        Ranking { candidates, scores, method, fit }
    }

    /// What the query names, in its order; namesakes by score. Every name has its tool; only its namesakes are
    /// held to the limit.
    fn named_first(&self, query: &Query<'_>, scope: &Scope, scores: &[f32]) -> Vec<Slot> {
        let mut named = self.names.named_in(query.text, scope);
        let score = |slot: Slot| scores.get(slot as usize).copied().unwrap_or_default();
        named.sort_by(|a, b| {
            let by_name = || self.index.name(a.2).cmp(&self.index.name(b.2));
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| score(b.2).total_cmp(&score(a.2))).then_with(by_name)
        });
        let mut place = None;
        let places = named.chunk_by(|a, b| a.0 == b.0).count();
        let mut room = query.limit.saturating_sub(places);
        named.retain(|(at, _, _)| {
            if place.replace(*at) != Some(*at) {
                return true;
            }
            let fits = room > 0;
            room = room.saturating_sub(1);
            fits
        });
        named.into_iter().map(|(_, _, slot)| slot).collect()
    }

    fn by_words(&self, text: &str, english: Option<&str>, scope: &Scope) -> Scores {
        let whole = match english {
            Some(english) => format!("{text} {english}"),
            None => text.to_owned(),
        };
        let mut near = NearWords::default();
        let mut scores = self.index.score_with(&whole, scope, &mut near);
        let parts = needs(text).into_iter().map(|part| {
            let mut scores = self.index.score_with(part, scope, &mut near);
            scores.scale(scope.len());
            scores
        });
        let parts: Vec<Scores> = parts.collect();
        if !parts.is_empty() {
            scores.scale(scope.len());
            scores.blend(&parts, WHOLE);
        }
        scores
    }

    /// `None` if too few of the scope have vectors.
    fn by_meaning(&self, text: &str, english: Option<&str>, scope: &Scope) -> Option<Vec<f32>> {
        let with = scope.slots().filter(|slot| self.vectors.has(*slot)).count();
        if scope.is_empty() || (with as f32) < ENOUGH_VECTORS * scope.len() as f32 {
            return None;
        }
        let encoder = Encoder::shared()?;
        let parts = needs(text);
        let texts: Vec<&str> = [text].into_iter().chain(english).chain(parts.iter().copied()).collect();
        let mut vectors = encoder.embed_all(&texts, QUERY_TOKENS).into_iter();
        let mut whole = self.vectors.compare(&vectors.next()?);
        if english.is_some() {
            let translated = self.vectors.compare(&vectors.next()?);
            for (score, other) in whole.iter_mut().zip(translated) {
                *score = score.max(other);
            }
        }
        let parts: Vec<Vec<f32>> = vectors.map(|vector| self.vectors.compare(&vector)).collect();
        blend(&mut whole, &parts);
        whole.resize(self.index.capacity(), 0.0);
        for (slot, score) in whole.iter_mut().enumerate() {
            let slot = Slot::try_from(slot).unwrap_or(Slot::MAX);
            if !scope.contains(slot) || !self.vectors.has(slot) {
                *score = score.min(0.0);
            }
        }
        Some(whole)
    }

    /// The first `limit`, sorted; equal scores by name, so that the order never depends on the slot.
    fn best_first(&self, ranked: &mut Vec<(Slot, f32)>, limit: usize) {
        let order = |a: &(Slot, f32), b: &(Slot, f32)| {
            b.1.total_cmp(&a.1).then_with(|| self.index.name(a.0).cmp(&self.index.name(b.0)))
        };
        if ranked.len() > limit && limit > 0 {
            // By number first: names are compared among the last equals only.
            let mut scores: Vec<f32> = ranked.iter().map(|(_, score)| *score).collect();
            let (_, least, _) = scores.select_nth_unstable_by(limit - 1, |a, b| b.total_cmp(a));
            ranked.retain(|(_, score)| *score >= *least);
        }
        ranked.sort_by(order);
        ranked.truncate(limit);
    }

    /// Twenty servers with the same tool must not fill the answer: whoever wants another one still finds it
    /// further down.
    fn spread(&self, ranked: Vec<(Slot, f32)>) -> Vec<(Slot, f32)> {
        // So few that looking at all of them is faster than hashing.
        let mut shown: Vec<(&str, usize, f32)> = Vec::with_capacity(ranked.len());
        let (first, later): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|(slot, score)| {
            let Some(name) = self.names.bare(*slot) else { return true };
            let Some((_, count, best)) = shown.iter_mut().find(|(known, _, _)| *known == name) else {
                shown.push((name, 1, *score));
                return true;
            };
            *count += 1;
            *count <= NAMESAKES || *best - *score > NEARLY
        });
        first.into_iter().chain(later).collect()
    }
}

/// Whether a text has letters beyond those of English: a language that the encoder may not read, but no noise.
fn has_foreign_letters(text: &str) -> bool {
    text.chars().any(|letter| !letter.is_ascii() && letter.is_alphabetic())
}
