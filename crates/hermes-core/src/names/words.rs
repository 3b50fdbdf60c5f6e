//! Names as words: the normal form, and how far two words are apart.

const MAX_NAME_BYTES: usize = 64;

/// Whether every provider accepts the name: `[A-Za-z0-9_.-]`, 1 to 64 characters.
pub fn is_valid(name: &str) -> bool {
    (1..=MAX_NAME_BYTES).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// The name in lower case with single underscores between its words, whatever style it was written
/// in: `ReadFile`, `read-file` and `READ_FILE` are all `read_file`.
pub fn normalise(name: &str) -> String {
    let mut normal = String::with_capacity(name.len() + 4);
    let mut previous = ' ';
    let mut letters = name.chars().peekable();
    while let Some(c) = letters.next() {
        if !c.is_alphanumeric() {
            previous = ' ';
            continue;
        }
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        // `readFile` breaks before `F`, `HTTPRequest` before `R`.
        let hump = is_capital(c)
            && (previous.is_lowercase() || previous.is_numeric() || (is_capital(previous) && next_is_lower));
        if (hump || previous == ' ') && !normal.is_empty() {
            normal.push('_');
        }
        // A mark that lower case sets apart, as with `İ`, is no letter of the name.
        normal.extend(c.to_lowercase().filter(|lower| lower.is_alphanumeric()));
        previous = c;
    }
    normal
}

/// Some letters are upper case without having a lower case.
fn is_capital(c: char) -> bool {
    c.is_uppercase() && c.to_lowercase().next() != Some(c)
}

/// Whether one typing slip separates two words: a letter left out, added, swapped with its neighbour,
/// or replaced. `replaced` says whether that last kind counts.
pub(super) fn one_slip_apart(left: &str, right: &str, replaced: bool) -> bool {
    if left.len().abs_diff(right.len()) > 4 {
        return false;
    }
    let (left, right) = without_common_start(left, right);
    let (left_tail, right_tail) = (after_first(left), after_first(right));
    if left_tail == Some(right) || right_tail == Some(left) {
        return true;
    }
    let (Some(left_tail), Some(right_tail)) = (left_tail, right_tail) else { return false };
    (replaced && left_tail == right_tail) || swapped(left, right)
}

fn without_common_start<'a>(left: &'a str, right: &'a str) -> (&'a str, &'a str) {
    let (mut left, mut right) = (left.chars(), right.chars());
    loop {
        let (mut left_ahead, mut right_ahead) = (left.clone(), right.clone());
        match (left_ahead.next(), right_ahead.next()) {
            (Some(a), Some(b)) if a == b => (left, right) = (left_ahead, right_ahead),
            _ => return (left.as_str(), right.as_str()),
        }
    }
}

fn after_first(text: &str) -> Option<&str> {
    let mut letters = text.chars();
    letters.next()?;
    Some(letters.as_str())
}

fn swapped(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.chars(), right.chars());
    match (left.next(), left.next(), right.next(), right.next()) {
        (Some(a), Some(b), Some(c), Some(d)) => a == d && b == c && left.as_str() == right.as_str(),
        _ => false,
    }
}

/// Whether the first two letters are swapped and nothing else differs.
pub(super) fn swapped_start(left: &str, right: &str) -> bool {
    left.len() >= 5 && swapped(left, right)
}

/// Whether at most two letters were left out, added or replaced, or swapped with their neighbour.
pub(super) fn within_two_slips(left: &str, right: &str) -> bool {
    if left.len().abs_diff(right.len()) > 8 {
        return false;
    }
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    left.len().abs_diff(right.len()) <= 2 && distance(&left, &right) <= 2
}

/// Letters left out, added, replaced or swapped with their neighbour, row by row of the usual table.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&last, column) + usize::from(letter != other);
            let mut best = replaced.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            let crossed = row > 0
                && column > 0
                && left.get(row - 1) == Some(other)
                && right.get(column - 1) == Some(letter);
            if crossed {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or_default()
}

/// Whether two words differ at most by a plural ending: `file` and `files`, `entity` and `entities`.
pub(super) fn same_stem(left: &str, right: &str) -> bool {
    left == right || is_plural(left, right) || is_plural(right, left)
}

fn is_plural(plural: &str, one: &str) -> bool {
    if one.len() < 3 {
        return false;
    }
    let ending = |ending: &str| plural.strip_suffix(ending);
    let hissing = ["s", "x", "z", "ch", "sh"].iter().any(|end| one.ends_with(end));
    (ending("s") == Some(one) && !hissing)
        || (hissing && ending("es") == Some(one))
        || (one.strip_suffix('y').is_some_and(|stem| ending("ies") == Some(stem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_normal_stays_as_it_is() {
        for name in ["WİWW", "readFile", "HTTPRequest", "a  b", "ǅungla"] {
            assert_eq!(normalise(&normalise(name)), normalise(name), "{name}");
        }
    }
}
