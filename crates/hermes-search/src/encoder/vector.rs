//! Vectors of length 1 as int8 numbers, and many of them compared with one at once.

use super::kernel::products;
use crate::index::Slot;

/// Numbers in a vector.
pub const DIMENSIONS: usize = 384;

/// A direction. Two vectors are as alike as their texts are.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    pub numbers: [i8; DIMENSIONS],
    pub scale: f32,
}

impl Default for Vector {
    fn default() -> Self {
        Vector { numbers: [0; DIMENSIONS], scale: 0.0 }
    }
}

impl Vector {
    /// Brings the numbers to length 1 and keeps 8 bits of each.
    pub fn of(numbers: &[f32; DIMENSIONS]) -> Self {
        let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
        let largest = numbers.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        if length <= f32::MIN_POSITIVE || largest <= f32::MIN_POSITIVE {
            // Like nothing, but not missing: it must not be made again and again.
            return Vector { scale: f32::MIN_POSITIVE, ..Vector::default() };
        }
        let up = 127.0 / largest;
        Vector {
            numbers: numbers.map(|number| (number * up).round() as i8),
            scale: largest / (127.0 * length),
        }
    }

    pub fn floats(&self) -> [f32; DIMENSIONS] {
        self.numbers.map(|number| f32::from(number) * self.scale)
    }
}

/// The vectors of an index by slot. A slot without a vector is like nothing.
#[derive(Debug, Default)]
pub struct Vectors {
    numbers: Vec<i8>,
    scales: Vec<f32>,
}

impl Vectors {
    pub fn set(&mut self, slot: Slot, vector: &Vector) {
        let slot = slot as usize;
        if self.scales.len() <= slot {
            self.scales.resize(slot + 1, 0.0);
            self.numbers.resize((slot + 1) * DIMENSIONS, 0);
        }
        if let (Some(scale), Some(numbers)) =
            (self.scales.get_mut(slot), self.numbers.chunks_exact_mut(DIMENSIONS).nth(slot))
        {
            *scale = vector.scale;
            numbers.copy_from_slice(&vector.numbers);
        }
    }

    /// Whether no slot has one.
    pub fn is_empty(&self) -> bool {
        self.scales.iter().all(|scale| *scale == 0.0)
    }

    pub fn clear(&mut self, slot: Slot) {
        if let Some(scale) = self.scales.get_mut(slot as usize) {
            *scale = 0.0;
        }
    }

    pub fn get(&self, slot: Slot) -> Option<Vector> {
        let scale = *self.scales.get(slot as usize).filter(|scale| **scale > 0.0)?;
        let numbers = self.numbers.as_chunks::<DIMENSIONS>().0.get(slot as usize)?;
        Some(Vector { numbers: *numbers, scale })
    }

    pub fn has(&self, slot: Slot) -> bool {
        self.scales.get(slot as usize).is_some_and(|scale| *scale > 0.0)
    }

    /// How alike the query and each slot are, from -1 to 1.
    pub fn compare(&self, query: &Vector) -> Vec<f32> {
        let wide = query.numbers.map(i16::from);
        let mut sums = vec![0; self.scales.len()];
        products(&self.numbers, DIMENSIONS, &wide, &mut sums);
        sums.iter().zip(&self.scales).map(|(sum, scale)| *sum as f32 * (scale * query.scale)).collect()
    }
}
