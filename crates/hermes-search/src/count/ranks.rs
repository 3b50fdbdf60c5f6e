//! The tokens of the vocabulary and their order. A process that counts one text once waits for the whole table, so it is
//! made of numbers alone: a token's place in the file is its rank.

/// Every token in the order of its rank: one byte of length, then the bytes.
static RANKS: &[u8] = include_bytes!("../../model/o200k.bin");

/// Slots for the two hundred thousand tokens, with room between them.
const BITS: u32 = 19;
const SLOTS: usize = 1 << BITS;
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Where each token stands, counted from one, found by the hash of its bytes.
pub(super) struct Ranks(Vec<u32>);

impl Ranks {
    pub(super) fn new() -> Self {
        let mut slots = vec![0; SLOTS];
        let (mut place, mut rest) = (0, RANKS);
        while let Some((&length, after)) = rest.split_first() {
            let Some((token, after)) = after.split_at_checked(usize::from(length)) else { break };
            let free = probes(token).find(|slot| slots.get(*slot) == Some(&0));
            if let (Some(slot), Ok(rank)) =
                (free.and_then(|slot| slots.get_mut(slot)), u32::try_from(place + 1))
            {
                *slot = rank;
            }
            place += 1 + token.len();
            rest = after;
        }
        Ranks(slots)
    }

    /// Less for what is joined first; nothing for what is no token.
    pub(super) fn get(&self, bytes: &[u8]) -> Option<u32> {
        for slot in probes(bytes) {
            match *self.0.get(slot)? {
                0 => return None,
                rank if token_at(rank) == Some(bytes) => return Some(rank),
                _ => {}
            }
        }
        None
    }
}

fn token_at(rank: u32) -> Option<&'static [u8]> {
    let place = usize::try_from(rank).ok()?.checked_sub(1)?;
    let (&length, after) = RANKS.get(place..)?.split_first()?;
    after.get(..usize::from(length))
}

/// The slots where a token may be, the likeliest first.
fn probes(bytes: &[u8]) -> impl Iterator<Item = usize> + use<> {
    let first = hash(bytes) >> (u64::BITS - BITS);
    let first = usize::try_from(first).unwrap_or_default();
    (0..SLOTS).map(move |step| (first + step) % SLOTS)
}

fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(ODD);
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    mix(hash, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_found_in_its_order_and_nothing_else_is() {
        let ranks = Ranks::new();
        let (mut rest, mut last, mut count) = (RANKS, 0, 0);
        while let Some((&length, after)) = rest.split_first() {
            let (token, after) = after.split_at(usize::from(length));
            let rank = ranks.get(token).unwrap();
            assert!(rank > last, "{token:?}");
            (rest, last, count) = (after, rank, count + 1);
        }
        assert!(count > 199_000 && count < SLOTS / 2, "{count}");
        assert_eq!(ranks.get(b"no such token as this"), None);
        assert_eq!(ranks.get(b""), None);
    }
}
