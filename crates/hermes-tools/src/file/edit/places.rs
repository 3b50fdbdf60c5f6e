//! Where something stands in a text. Two of its places may overlap, and then nobody knows which one is meant.

use std::ops::Range;

/// What `next` finds from a place on: all that overlap nothing before them, and behind each the first that overlaps it.
/// More of those would only make the same text ambiguous once more. `after` leads to the place behind another.
pub(super) fn with_overlapping<T>(
    mut next: impl FnMut(usize) -> Option<(Range<usize>, T)>,
    after: impl Fn(usize) -> usize,
) -> Vec<T> {
    let mut found = Vec::new();
    let (mut from, mut taken) = (0, 0);
    while let Some((place, item)) = next(from) {
        if place.start < taken {
            from = taken;
        } else {
            from = after(place.start);
            taken = place.end;
        }
        found.push(item);
    }
    found
}

/// The same of places that are known and as long as each other.
pub(super) fn with_few_overlapping(places: Vec<usize>, length: usize) -> Vec<usize> {
    let next = |from: usize| {
        let place = *places.get(places.partition_point(|place| *place < from))?;
        Some((place..place + length, place))
    };
    with_overlapping(next, |place| place + 1)
}

/// All places of a text in another, with those that overlap.
pub(super) fn places(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let next = |from: usize| {
        let at = from + text.get(from..)?.find(wanted)?;
        let place = at..at + wanted.len();
        Some((place.clone(), place))
    };
    with_overlapping(next, |at| behind_letter(text, at))
}

/// The place behind the letter at another.
pub(super) fn behind_letter(text: &str, at: usize) -> usize {
    at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}

/// Without the places that overlap the one before them.
pub(super) fn apart<T>(found: &mut Vec<(Range<usize>, T)>) {
    let mut taken = 0;
    found.retain(|(place, _)| {
        let is_apart = place.start >= taken;
        taken = if is_apart { place.end } else { taken };
        is_apart
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_overlap_are_seen() {
        assert_eq!(places("aaa", "aa"), [0..2, 1..3]);
        assert_eq!(places("aaaaaa", "aaa"), [0..3, 1..4, 3..6]);
        assert_eq!(places("ababa", "aba"), [0..3, 2..5]);
        assert_eq!(places("ab ab", "ab"), [0..2, 3..5]);
        assert_eq!(places("ééé", "éé"), [0..4, 2..6]);
        assert!(places("a", "b").is_empty());
    }

    #[test]
    fn who_wants_all_places_gets_those_that_are_apart() {
        let mut found = vec![(0..3, 'a'), (1..4, 'b'), (3..6, 'c'), (5..7, 'd'), (7..8, 'e')];
        apart(&mut found);
        assert_eq!(found, [(0..3, 'a'), (3..6, 'c'), (7..8, 'e')]);
    }
}
