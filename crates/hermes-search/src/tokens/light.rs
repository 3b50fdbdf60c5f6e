//! Words that say little beside others: the particles of verbs, and units. They are no stop words, since `sign_up` and
//! `roll_back` are names.

/// What such a word counts beside others.
pub(crate) const LIGHT: f32 = 0.3;

/// Whether a term is such a word.
pub(crate) fn is_light(term: &str) -> bool {
    LIGHT_WORDS.binary_search(&term).is_ok()
}

const LIGHT_WORDS: &[&str] = &[
    "away", "back", "cm", "down", "ft", "kg", "km", "kwh", "lb", "lbs", "mg", "ml", "mm", "mph", "off", "oz",
    "up",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_and_units_are_light() {
        assert!(LIGHT_WORDS.is_sorted());
        assert!(["off", "kg"].into_iter().all(is_light));
        assert!(!["sign", "backup", "2024", "3d"].into_iter().any(is_light));
    }
}
