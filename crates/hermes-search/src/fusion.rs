//! Two score lists into one.

use crate::index::{Scope, Scores, Slot};

/// The encoder's share; measured best between 0.7 and 0.85.
const ENCODER: f32 = 0.7;
/// Its share where the query is misspelt.
const ENCODER_IN_DOUBT: f32 = 0.3;
/// What the whole query counts beside its best part.
pub(crate) const WHOLE: f32 = 0.7;
/// What resembles a query that the encoder reads letter by letter less than this is no answer: noise resembles
/// noise.
pub(crate) const LEAST_LIKENESS_OF_NOISE: f32 = 0.4;

/// Scales to 0..1 over the given places, in place; where all of them have the same, all have everything. Gives
/// back the highest there was, or zero.
pub(crate) fn scale(scores: &mut [f32], places: &[Slot]) -> f32 {
    let of = |place: &Slot| scores.get(*place as usize).copied().unwrap_or_default();
    let low = places.iter().map(of).fold(f32::INFINITY, f32::min);
    let high = places.iter().map(of).fold(f32::NEG_INFINITY, f32::max);
    let range = high - low;
    for score in scores.iter_mut() {
        *score = if range > f32::EPSILON { (*score - low) / range } else { 1.0 };
    }
    high.max(0.0)
}

/// Both lists were scaled.
pub(crate) fn fuse(words: &mut [f32], meaning: &[f32], in_doubt: bool) {
    let share = if in_doubt { ENCODER_IN_DOUBT } else { ENCODER };
    for (word, meaning) in words.iter_mut().zip(meaning) {
        *word = (1.0 - share) * *word + share * meaning;
    }
}

/// The documents of a scope by words, which were scaled, and meaning, which was not.
pub(crate) fn fused(words: &Scores, meaning: &[f32], scope: &Scope) -> Vec<(Slot, f32)> {
    let of = |slot: Slot| meaning.get(slot as usize).copied().unwrap_or_default();
    let range = |(low, high): (f32, f32), slot: Slot| (low.min(of(slot)), high.max(of(slot)));
    let (low, high) = scope.slots().fold((f32::INFINITY, f32::NEG_INFINITY), range);
    let span = (high - low).max(f32::EPSILON);
    let fused = |slot: Slot| (1.0 - ENCODER) * words.get(slot) + ENCODER * (of(slot) - low) / span;
    scope.slots().map(|slot| (slot, fused(slot))).collect()
}

/// The whole query with the best of its parts.
pub(crate) fn blend(whole: &mut [f32], parts: &[&Vec<f32>]) {
    for (place, score) in whole.iter_mut().enumerate() {
        let best = parts.iter().filter_map(|part| part.get(place)).fold(f32::NEG_INFINITY, |a, b| a.max(*b));
        if best.is_finite() {
            *score = WHOLE * *score + (1.0 - WHOLE) * best;
        }
    }
}
