//! The search over a library: words, meaning, names, and what was learned, into one ranking.

use std::collections::HashSet;

use crate::answer::{Answer, Fit, Hit, Method, Query};
use crate::encoder::is_read;
use crate::exact::Grade;
use crate::fusion::{LEAST_LIKENESS_OF_NOISE, fuse, scale};
use crate::index::{Scope, Slot};
use crate::lexicon::{in_english, tongue_of};
use crate::library::Library;
use crate::meaning::ByMeaning;
use crate::noise::has_words;
use crate::parts::with_places;
use crate::service::OfService;
use crate::wording::ByWords;

/// Less like anything than this, and a query may be about something that nothing here does. Measured on catalogs
/// that the encoder was not trained with: of the searches whose tool is found, one in twenty-five lies below, and of
/// those that ask for what only another catalog has, two in five. Higher, and right answers would be doubted.
const GOOD_LIKENESS: f32 = 0.28;

/// So many tools of one name that fit nearly alike are shown before something else has its turn.
const NAMESAKES: usize = 3;
/// How far apart two scores are that are nearly alike.
const NEARLY: f32 = 0.05;

/// What the tools of the service that was named gain: more than any other has.
const OF_SERVICE: f32 = 1.0;
/// What a query with the kind of service counts beside the query alone: words about servers are not what was
/// asked for.
const KIND_OF_SERVICE: f32 = 0.5;
/// What shared words count for meaning where a description is in another language.
const TRANSLATED: f32 = 0.8;
/// As good as this, compared to the best of all, is a fit.
const FITTING: f32 = 0.6;

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
    /// What fits each of several needs best.
    sure: Vec<Slot>,
}

impl Ranking {
    fn raise(&mut self, slot: Slot, by: f32) {
        if let Some(score) = self.scores.get_mut(slot as usize) {
            *score += by;
        }
        if !self.candidates.contains(&slot) {
            self.candidates.push(slot);
        }
    }

    /// Adds a share of another ranking's scores.
    fn add(&mut self, other: Ranking, share: f32) {
        let known: HashSet<Slot> = self.candidates.iter().copied().collect();
        self.candidates.extend(other.candidates.into_iter().filter(|slot| !known.contains(slot)));
        for (score, more) in self.scores.iter_mut().zip(other.scores) {
            *score = (*score + share * more) / (1.0 + share);
        }
        if other.fit == Fit::Good {
            self.fit = Fit::Good;
        }
    }

    /// Those of the documents that fit nearly as well as the best of all.
    fn fitting(&self, slots: Vec<Slot>) -> Vec<Slot> {
        let score = |slot: &Slot| self.scores.get(*slot as usize).copied().unwrap_or_default();
        let best = self.candidates.iter().map(score).fold(0.0, f32::max);
        let fits = |slot: &Slot| score(slot) > 0.0 && score(slot) >= FITTING * best;
        slots.into_iter().filter(fits).collect()
    }
}

impl Library {
    /// The documents of the scope that fit the query best.
    pub fn search(&self, query: &Query<'_>, scope: &Scope) -> Answer {
        let (mut ranking, preferred) = self.rank_within(query, scope);
        // Who types a server's name alone wants its tools, whoever else mentions it.
        for slot in self.names.of_server(query.text).iter().filter(|slot| scope.contains(**slot)) {
            ranking.raise(*slot, 1.0);
            ranking.fit = Fit::Good;
        }
        let learned = query.learned.iter().filter_map(|(name, alike)| Some((self.index.slot(name)?, *alike)));
        let learned = learned.filter(|(slot, _)| scope.contains(*slot));
        for (slot, alike) in learned.take(MOST_LEARNED.min(query.limit / 2)) {
            ranking.raise(slot, LEARNED * alike * alike);
            // It was the answer once.
            ranking.fit = Fit::Good;
        }
        let Ranking { candidates, scores, method, mut fit, mut sure } = ranking;
        let mut ranked: Vec<(Slot, f32)> =
            candidates.into_iter().filter_map(|slot| Some((slot, *scores.get(slot as usize)?))).collect();
        let named = self.named_first(query, scope, &scores, &preferred);
        if !named.is_empty() {
            ranked.retain(|(slot, _)| !named.contains(slot));
            sure.retain(|slot| !named.contains(slot));
            fit = Fit::Good;
        }
        self.best_first(&mut ranked, query.limit.saturating_mul(4).saturating_add(NAMESAKES));
        let room = query.limit.saturating_sub(named.len());
        let ranked = with_places(self.spread(ranked), &sure, &scores, room);
        let exact = named.iter().map(|slot| (*slot, 1.0, true));
        let others = ranked.into_iter().map(|(slot, score)| (slot, score, false));
        let hits =
            exact.chain(others).take(query.limit.max(named.len())).filter_map(|(slot, score, exact)| {
                Some(Hit { slot, name: self.index.name(slot)?.to_owned(), score: score.min(1.0), exact })
            });
        Answer { hits: hits.collect(), method, fit }
    }

    /// The ranking, and the documents of the service that was named which fit. A service that is a server is no
    /// part of the text, since it would make all of its tools alike; its tools rise instead.
    fn rank_within(&self, query: &Query<'_>, scope: &Scope) -> (Ranking, Vec<Slot>) {
        let Some(service) = query.service.filter(|service| !service.trim().is_empty()) else {
            return (self.rank(query.text, query, scope), Vec::new());
        };
        let with_service = || self.rank(&format!("{} {service}", query.text), query, scope);
        match self.names.of_service(service, scope) {
            OfService::Server(own) => {
                let mut ranking = self.rank(query.text, query, scope);
                let own = ranking.fitting(own);
                if own.is_empty() {
                    return (with_service(), own);
                }
                for slot in &own {
                    ranking.raise(*slot, OF_SERVICE);
                }
                (ranking, own)
            }
            OfService::Named(own) => {
                let mut ranking = self.rank(query.text, query, scope);
                ranking.add(with_service(), KIND_OF_SERVICE);
                let own = ranking.fitting(own);
                (ranking, own)
            }
        }
    }

    /// Words and meaning together.
    fn rank(&self, text: &str, query: &Query<'_>, scope: &Scope) -> Ranking {
        let is_known = |word: &str| self.index.knows(word, scope);
        let tongue = tongue_of(text, &is_known);
        let english = in_english(text, tongue, &is_known);
        let sentence = english.as_ref().map(|english| english.sentence(&is_known));
        let read = sentence.as_deref().unwrap_or(text);
        let parts = self.parts(text, tongue, scope);
        let ByWords { whole: mut words, parts: words_of_parts } =
            self.by_words(text, english.as_ref(), &parts, scope);
        let shares_words = !words.touched().is_empty();
        let joins = !query.words_only && self.can_compare(&words, scope);
        words.scale(scope.len());
        // Without meaning only what shares a word can be an answer.
        let mut candidates = words.touched().to_vec();
        let mut scores = words.into_all();
        let meaning = if joins { self.by_meaning(text, sentence.as_deref(), &parts, scope) } else { None };
        let meaning_of_parts = meaning.as_ref().map_or(&[][..], |meaning| meaning.parts.as_slice());
        let mut sure = self.sure(&parts, &words_of_parts, meaning_of_parts, scope);
        let method = if meaning.is_some() { Method::Meaning } else { Method::Words };
        let mut fit = if shares_words { Fit::Good } else { Fit::Weak };
        // A row of letters asks for nothing. Whatever else is asked gets the nearest there is.
        let is_told = shares_words || is_read(read);
        let mut asks = is_told || has_foreign_letters(text) || has_words(text);
        if let Some(ByMeaning { whole: mut meaning, .. }) = meaning {
            candidates = scope.slots().collect();
            let most = scale(&mut meaning, &candidates);
            asks |= most >= LEAST_LIKENESS_OF_NOISE;
            // What the encoder cannot read of a tool its words tell.
            for slot in candidates.iter().filter(|slot| self.is_translated(**slot)) {
                let place = *slot as usize;
                if let (Some(like), Some(word)) = (meaning.get_mut(place), scores.get(place)) {
                    *like = like.max(TRANSLATED * word);
                }
            }
            let in_doubt = english.is_none() && self.index.is_misspelt(text, scope);
            fit = if is_told && (most >= GOOD_LIKENESS || in_doubt) { Fit::Good } else { Fit::Weak };
            fuse(&mut scores, &meaning, in_doubt);
        } else if scope.len() <= query.limit {
            // So few that leaving any out helps nobody.
            candidates = scope.slots().collect();
        }
        if !asks {
            candidates.clear();
            sure.clear();
        }
        Ranking { candidates, scores, method, fit, sure }
    }

    /// What the query names, in its order; namesakes by score. Every name has its tool; only its namesakes are
    /// held to the limit. A name that many servers may have means the one of the service that was named.
    fn named_first(&self, query: &Query<'_>, scope: &Scope, scores: &[f32], preferred: &[Slot]) -> Vec<Slot> {
        let mut named = self.names.named_in(query.text, scope);
        if !preferred.is_empty() {
            named.retain(|(_, grade, slot)| *grade != Grade::Bare || preferred.contains(slot));
        }
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

    /// The first `limit`, sorted; equal scores by name, so that the order never depends on the slot.
    pub(crate) fn best_first(&self, ranked: &mut Vec<(Slot, f32)>, limit: usize) {
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
