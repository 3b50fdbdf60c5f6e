//! Names as words: the normal form, and what is one word in several forms.

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
