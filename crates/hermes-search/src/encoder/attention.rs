//! Every word of a text looks at every other word of it.

use super::activation::{exp, sum, wide};
use super::weights::{HEADS, HIDDEN};

const HEAD: usize = HIDDEN / HEADS;

/// Mixes the values of one text; all slices are rows of [`HIDDEN`] numbers.
pub(super) fn attend(queries: &[f32], keys: &[f32], values: &[f32], mixed: &mut [f32]) {
    wide(
        #[inline(always)]
        || {
            let words = keys.len() / HIDDEN;
            // The keys of one head, turned: one line for each of its numbers.
            let mut turned = vec![0.0; HEAD * words];
            let mut looks = vec![0.0; words];
            let scale = 1.0 / (HEAD as f32).sqrt();
            for head in 0..HEADS {
                for (word, key) in keys.chunks_exact(HIDDEN).enumerate() {
                    let key = key.chunks_exact(HEAD).nth(head).unwrap_or_default();
                    for (line, number) in turned.chunks_exact_mut(words).zip(key) {
                        if let Some(at) = line.get_mut(word) {
                            *at = *number * scale;
                        }
                    }
                }
                for (query, mixed) in queries.chunks_exact(HIDDEN).zip(mixed.chunks_exact_mut(HIDDEN)) {
                    let query = query.chunks_exact(HEAD).nth(head).unwrap_or_default();
                    looks.fill(0.0);
                    for (number, line) in query.iter().zip(turned.chunks_exact(words)) {
                        for (look, key) in looks.iter_mut().zip(line) {
                            *look += number * key;
                        }
                    }
                    let most =
                        looks.iter().fold(f32::MIN, |most, look| if *look > most { *look } else { most });
                    for look in &mut looks {
                        *look = exp(*look - most);
                    }
                    let share = 1.0 / sum(&looks, |look| look);
                    let mut sums = [0.0_f32; HEAD];
                    for (look, value) in looks.iter().zip(values.chunks_exact(HIDDEN)) {
                        let Some(value) = value.as_chunks::<HEAD>().0.get(head) else { continue };
                        let look = look * share;
                        for (sum, from) in sums.iter_mut().zip(value) {
                            *sum += look * from;
                        }
                    }
                    if let Some(mixed) = mixed.as_chunks_mut::<HEAD>().0.get_mut(head) {
                        *mixed = sums;
                    }
                }
            }
        },
    );
}
