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
        normal.extend(c.to_lowercase());
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

/// Whether two words differ at most by a plural ending.
pub(super) fn same_stem(left: &str, right: &str) -> bool {
    stem(left) == stem(right)
}

fn stem(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
        _ => word,
    }
}
