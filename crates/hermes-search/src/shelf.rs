//! Vectors as bytes, by definition: written once, read at the next start instead of embedding again.

use std::collections::HashMap;

use crate::document::DefinitionHash;
use crate::encoder::{DIMENSIONS, Vector};

/// Changes with the weights and with the text that is embedded: older vectors would be wrong.
const HEAD: &[u8; 16] = b"hermes-vectors-1";
/// A file never holds more; what is in use is kept first.
const MOST: usize = 50_000;

const HASH: usize = std::mem::size_of::<DefinitionHash>();
const ENTRY: usize = HASH + 4 + DIMENSIONS;

/// Vectors by the hash of what they were made from.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    vectors: HashMap<DefinitionHash, Vector>,
}

impl Shelf {
    /// Whatever of `bytes` can be read; a file that is cut or of another version is an empty one.
    pub fn read(bytes: &[u8]) -> Self {
        let Some(entries) = bytes.strip_prefix(HEAD) else { return Shelf::default() };
        let vectors = entries.as_chunks::<ENTRY>().0.iter().filter_map(|entry| {
            let (hash, rest) = entry.split_first_chunk::<HASH>()?;
            let (scale, numbers) = rest.split_first_chunk::<4>()?;
            let scale = f32::from_le_bytes(*scale);
            let numbers: [i8; DIMENSIONS] = pulp::bytemuck::cast_slice::<u8, i8>(numbers).try_into().ok()?;
            (scale.is_finite() && scale > 0.0).then_some((*hash, Vector { numbers, scale }))
        });
        Shelf { vectors: vectors.collect() }
    }

    /// All vectors, in the order of their hashes; those of `in_use` first where not all fit.
    pub fn write(&self, in_use: &dyn Fn(&DefinitionHash) -> bool) -> Vec<u8> {
        let mut hashes: Vec<&DefinitionHash> = self.vectors.keys().collect();
        hashes.sort_by_key(|hash| (!in_use(hash), **hash));
        hashes.truncate(MOST);
        hashes.sort_unstable();
        let mut bytes = HEAD.to_vec();
        for hash in hashes {
            let Some(vector) = self.vectors.get(hash) else { continue };
            bytes.extend(hash);
            bytes.extend(vector.scale.to_le_bytes());
            bytes.extend(pulp::bytemuck::cast_slice::<i8, u8>(&vector.numbers));
        }
        bytes
    }

    pub fn put(&mut self, hash: DefinitionHash, vector: Vector) {
        self.vectors.insert(hash, vector);
    }

    /// Takes in what another has and this one has not.
    pub fn add(&mut self, other: Shelf) {
        for (hash, vector) in other.vectors {
            self.vectors.entry(hash).or_insert(vector);
        }
    }

    pub fn get(&self, hash: &DefinitionHash) -> Option<Vector> {
        self.vectors.get(hash).cloned()
    }

    pub fn len(&self) -> usize {
        self.vectors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.vectors.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_nothing() {
        let mut shelf = Shelf::default();
        for number in 0..3_u8 {
            let mut numbers = [0.0; DIMENSIONS];
            numbers[usize::from(number)] = 1.0;
            shelf.put([number; HASH], Vector::of(&numbers));
        }
        let bytes = shelf.write(&|_| true);
        let again = Shelf::read(&bytes);
        assert_eq!(again.len(), 3);
        assert_eq!(again.get(&[1; HASH]), shelf.get(&[1; HASH]));
        assert_eq!(again.write(&|_| false), bytes);
        assert_eq!(Shelf::read(&bytes[..bytes.len() - 1]).len(), 2);
        assert!(Shelf::read(b"something else").is_empty());
    }
}
