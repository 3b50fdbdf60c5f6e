//! From texts to vectors. Several texts go through the matrices together; attention stays inside each.

use std::sync::LazyLock;

use super::activation::{gelu, normalise};
use super::attention::attend;
use super::kernel::{Scaled, products};
use super::vector::Vector;
use super::weights::{HIDDEN, Linear, Weights};
use super::wordpiece::{WordPiece, word_piece};

/// Tokens that go through the matrices together: enough to use each weight several times, few enough to
/// stay in the cache.
const TOKENS_AT_ONCE: usize = 384;

static ENCODER: LazyLock<Option<Encoder>> =
    LazyLock::new(|| Some(Encoder { weights: Weights::load()?, pieces: word_piece() }));

/// The encoder of this build.
pub struct Encoder {
    weights: Weights,
    pieces: &'static WordPiece,
}

impl Encoder {
    /// Set up at the first use; `None` only if the build's own weights are broken.
    pub fn shared() -> Option<&'static Encoder> {
        ENCODER.as_ref()
    }

    /// The vector of one text.
    pub fn embed(&self, text: &str, most_tokens: usize) -> Vector {
        self.embed_all(&[text], most_tokens).pop().unwrap_or_default()
    }

    /// The vectors of many texts, in their order. The same as one by one, but faster.
    pub fn embed_all(&self, texts: &[&str], most_tokens: usize) -> Vec<Vector> {
        let ids: Vec<Vec<u32>> = texts.iter().map(|text| self.pieces.ids(text, most_tokens)).collect();
        let mut vectors = Vec::with_capacity(ids.len());
        let mut rest = ids.as_slice();
        while !rest.is_empty() {
            let mut tokens = 0;
            let fits = rest.iter().take_while(|ids| {
                tokens += ids.len();
                tokens <= TOKENS_AT_ONCE
            });
            let (batch, after) = rest.split_at(fits.count().max(1).min(rest.len()));
            vectors.extend(self.forward(batch));
            rest = after;
        }
        vectors
    }

    /// The token ids of a text.
    pub fn ids(&self, text: &str, most_tokens: usize) -> Vec<u32> {
        self.pieces.ids(text, most_tokens)
    }

    fn forward(&self, texts: &[Vec<u32>]) -> Vec<Vector> {
        let lengths: Vec<usize> = texts.iter().map(|ids| ids.len() * HIDDEN).collect();
        let mut rows = self.embeddings(texts);
        for layer in &self.weights.layers {
            let scaled = Scaled::of(&rows, HIDDEN);
            let [queries, keys, values] =
                [&layer.query, &layer.key, &layer.value].map(|linear| apply(linear, &scaled));
            let mut mixed = vec![0.0; rows.len()];
            let mut at = 0;
            for &length in &lengths {
                let part = at..at + length;
                at += length;
                if let (Some(queries), Some(keys), Some(values), Some(mixed)) = (
                    queries.get(part.clone()),
                    keys.get(part.clone()),
                    values.get(part.clone()),
                    mixed.get_mut(part),
                ) {
                    attend(queries, keys, values, mixed);
                }
            }
            add(&mut rows, &apply(&layer.mix, &Scaled::of(&mixed, HIDDEN)));
            normalise(&mut rows, &layer.after_attention);
            let mut inner = apply(&layer.widen, &Scaled::of(&rows, HIDDEN));
            gelu(&mut inner);
            add(&mut rows, &apply(&layer.narrow, &Scaled::of(&inner, layer.narrow.width)));
            normalise(&mut rows, &layer.after_inner);
        }
        let mut rest = rows.as_slice();
        lengths
            .iter()
            .map(|&length| {
                let (own, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
                rest = after;
                pooled(own)
            })
            .collect()
    }

    fn embeddings(&self, texts: &[Vec<u32>]) -> Vec<f32> {
        let tokens: usize = texts.iter().map(Vec::len).sum();
        let mut rows = vec![0.0; tokens * HIDDEN];
        let places = texts.iter().flat_map(|ids| ids.iter().enumerate());
        for (row, (position, id)) in rows.chunks_exact_mut(HIDDEN).zip(places) {
            self.weights.words.add_row(*id as usize, row);
            self.weights.kind.add_row(0, row);
            self.weights.positions.add_row(position, row);
        }
        normalise(&mut rows, &self.weights.first);
        rows
    }
}

fn apply(linear: &Linear, scaled: &Scaled) -> Vec<f32> {
    let many = linear.scales.len();
    let mut sums = vec![0; scaled.factors.len() * many];
    products(linear.rows, linear.width, &scaled.numbers, &mut sums);
    let mut out = Vec::with_capacity(sums.len());
    for (sums, factor) in sums.chunks_exact(many).zip(&scaled.factors) {
        let numbers = sums.iter().zip(&linear.scales).zip(&linear.bias);
        out.extend(numbers.map(|((sum, scale), bias)| *sum as f32 * (scale * factor) + bias));
    }
    out
}

fn add(rows: &mut [f32], more: &[f32]) {
    for (to, from) in rows.iter_mut().zip(more) {
        *to += from;
    }
}

/// The mean of a text's rows, of length 1.
fn pooled(rows: &[f32]) -> Vector {
    let mut mean = [0.0_f32; HIDDEN];
    for row in rows.chunks_exact(HIDDEN) {
        for (to, from) in mean.iter_mut().zip(row) {
            *to += from;
        }
    }
    Vector::of(&mean)
}
