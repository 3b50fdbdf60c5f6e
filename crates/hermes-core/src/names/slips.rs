//! Typing slips: how a hand goes wrong on a keyboard.
//!
//! Letters are left out, doubled or added, and swapped with their neighbour. A letter in the place of another is a slip
//! only where the hand or the ear takes one for the other; elsewhere it is another word: `maximize` is no `minimize`
//! mistyped, though no more than two letters differ.

use std::cmp::Ordering;

/// Keys one above the other, shifted as they are on most keyboards.
const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
/// Letters that sound alike.
const ALIKE: [&str; 3] = ["aeiouy", "ckq", "sz"];

/// Whether at most so many letters are left out, added, swapped or replaced, whichever they are.
pub(super) fn within_letters(left: &str, right: &str, most: usize) -> bool {
    within(left, right, most, |_, _| true)
}

/// Whether one word is the other with at most so many typing slips.
pub(super) fn within_slips(left: &str, right: &str, most: usize) -> bool {
    within(left, right, most, is_taken_for)
}

/// Whether the first two letters are swapped and nothing else differs.
pub(super) fn swapped_start(left: &str, right: &str) -> bool {
    left.len() >= 5 && after_swapped(left, right).is_some_and(|(left, right)| left == right)
}

/// Letters are left out of the longer word only: leaving one out here and another there would be a replacement of any
/// letter by any other.
fn within(left: &str, right: &str, most: usize, may_replace: fn(char, char) -> bool) -> bool {
    // Bytes are cheap to count, and no letter has more than four.
    if most == 0 || left.len().abs_diff(right.len()) > 4 * most {
        return left == right;
    }
    let (left, right) = without_common_start(left, right);
    if left == right {
        return true;
    }
    let rest = |left: &str, right: &str| within(left, right, most - 1, may_replace);
    let (first, second) = (after_first(left), after_first(right));
    match left.len().cmp(&right.len()) {
        Ordering::Greater if first.is_some_and(|(_, left)| rest(left, right)) => return true,
        Ordering::Less if second.is_some_and(|(_, right)| rest(left, right)) => return true,
        _ => {}
    }
    let (Some((a, left_tail)), Some((b, right_tail))) = (first, second) else { return false };
    (may_replace(a, b) && rest(left_tail, right_tail))
        || after_swapped(left, right).is_some_and(|(left, right)| rest(left, right))
}

fn without_common_start<'a>(left: &'a str, right: &'a str) -> (&'a str, &'a str) {
    let mut same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    while !(left.is_char_boundary(same) && right.is_char_boundary(same)) {
        same -= 1;
    }
    (left.get(same..).unwrap_or_default(), right.get(same..).unwrap_or_default())
}

fn after_first(text: &str) -> Option<(char, &str)> {
    let mut letters = text.chars();
    Some((letters.next()?, letters.as_str()))
}

/// What follows two letters that stand the other way round.
fn after_swapped<'a>(left: &'a str, right: &'a str) -> Option<(&'a str, &'a str)> {
    let ((a, left), (d, right)) = (after_first(left)?, after_first(right)?);
    let ((b, left), (c, right)) = (after_first(left)?, after_first(right)?);
    (a == c && b == d).then_some((left, right))
}

/// Whether the keys lie side by side, or the letters sound alike.
fn is_taken_for(written: char, meant: char) -> bool {
    let alike = ALIKE.iter().any(|letters| letters.contains(written) && letters.contains(meant));
    let near = || {
        let ((row, column), (other_row, other)) = (key(written)?, key(meant)?);
        let aside = row == other_row && column.abs_diff(other) == 1;
        // Each row stands half a key to the right of the one above it.
        let above = |upper: usize, lower: usize| upper == lower || upper == lower + 1;
        let over = row + 1 == other_row && above(column, other);
        let under = other_row + 1 == row && above(other, column);
        Some(aside || over || under)
    };
    alike || near().unwrap_or_default()
}

fn key(letter: char) -> Option<(usize, usize)> {
    ROWS.iter().enumerate().find_map(|(row, keys)| Some((row, keys.find(letter)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_slip_in_few_ways() {
        for (written, meant) in
            [("wrire", "write"), ("serach", "search"), ("serch", "search"), ("reed", "read"), ("doog", "dog")]
        {
            assert!(within_slips(written, meant, 1) && within_slips(meant, written, 1), "{written} {meant}");
        }
        assert!(within_slips("termnl", "terminal", 2));
        for (written, meant) in [("maximize", "minimize"), ("contrast", "contract"), ("abc", "")] {
            assert!(!within_slips(written, meant, 2), "{written} {meant}");
        }
        assert!(within_letters("contrast", "contract", 1) && !within_letters("lock", "unlock", 1));
    }
}
