//! Path patterns of grants: `*` and `?` within one name, `**` for any folders, `\` before a sign that is
//! meant as itself. Nothing else, so that a pattern can be read aloud.

/// Whether the pattern takes the path, both absolute.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    folders(&pattern, &path)
}

/// The folders before the first name with a wildcard, as a path, and the rest of the pattern.
pub fn split_glob(pattern: &str) -> (String, String) {
    let wild = |name: &&str| *name == "**" || signs(name).iter().any(|sign| !matches!(sign, Sign::Letter(_)));
    let names: Vec<&str> = pattern.split('/').collect();
    let plain = names.iter().take_while(|name| !wild(name)).count();
    let (head, tail) = names.split_at_checked(plain).unwrap_or_default();
    let literal = |name: &&str| {
        signs(name)
            .into_iter()
            .filter_map(|sign| if let Sign::Letter(letter) = sign { Some(letter) } else { None })
            .collect()
    };
    let head: Vec<String> = head.iter().map(literal).collect();
    // Only the root itself is cut to nothing by leaving out its slash.
    let rooted = head.len() == 1 && pattern.starts_with('/');
    (if rooted { "/".to_owned() } else { head.join("/") }, tail.join("/"))
}

/// The path as a pattern that takes only it.
pub fn escape_glob(path: &str) -> String {
    path.chars()
        .flat_map(|letter| matches!(letter, '*' | '?' | '\\').then_some('\\').into_iter().chain([letter]))
        .collect()
}

/// Greedy, with one place to go back to: linear in practice, quadratic at worst.
fn folders(pattern: &[&str], path: &[&str]) -> bool {
    wild(pattern, path, |part| *part == "**", |part, name| name_fits(part, name))
}

/// Whether a pattern without folders takes a name.
pub fn name_fits(pattern: &str, name: &str) -> bool {
    let signs = signs(pattern);
    let letters: Vec<char> = name.chars().collect();
    wild(
        &signs,
        &letters,
        |sign| *sign == Sign::Any,
        |sign, letter| match sign {
            Sign::Any => false,
            Sign::One => true,
            Sign::Letter(wanted) => wanted == letter,
        },
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Any,
    One,
    Letter(char),
}

fn signs(pattern: &str) -> Vec<Sign> {
    let mut signs = Vec::new();
    let mut rest = pattern.chars();
    while let Some(letter) = rest.next() {
        signs.push(match letter {
            '*' => Sign::Any,
            '?' => Sign::One,
            '\\' => Sign::Letter(rest.next().unwrap_or('\\')),
            other => Sign::Letter(other),
        });
    }
    signs
}

/// Matches items against a pattern whose `star` entries take any number of items.
fn wild<P, T>(pattern: &[P], items: &[T], star: impl Fn(&P) -> bool, one: impl Fn(&P, &T) -> bool) -> bool {
    let (mut at, mut item) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while item < items.len() {
        match (pattern.get(at), items.get(item)) {
            (Some(part), _) if star(part) => {
                back = Some((at, item));
                at += 1;
            }
            (Some(part), Some(found)) if one(part, found) => {
                at += 1;
                item += 1;
            }
            _ => match back {
                Some((star_at, taken)) => {
                    back = Some((star_at, taken + 1));
                    at = star_at + 1;
                    item = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(star)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_folders() {
        for (pattern, path, taken) in [
            ("/w/a.txt", "/w/a.txt", true),
            ("/w/a.txt", "/w/a.txt.bak", false),
            ("/w/*", "/w/a", true),
            ("/w/*", "/w/a/b", false),
            ("/w/**", "/w/a/b", true),
            ("/w/**", "/wx/a", false),
            ("/w/**/c", "/w/c", true),
            ("/w/**/c", "/w/a/b/c", true),
            ("/w/*.rs", "/w/a.rs", true),
            ("/w/?.rs", "/w/ab.rs", false),
            ("/w/\\*", "/w/a", false),
            ("/w/\\*", "/w/*", true),
            ("/w/[a]", "/w/a", false),
        ] {
            assert_eq!(matches(pattern, path), taken, "{pattern} {path}");
        }
        assert!(matches(&escape_glob("/w/a*b?c\\"), "/w/a*b?c\\"));
        for (pattern, head, tail) in [
            ("/w/src/**", "/w/src", "**"),
            ("src/*.rs", "src", "*.rs"),
            ("/w/a\\*b", "/w/a*b", ""),
            ("/*", "/", "*"),
            ("*", "", "*"),
            ("a", "a", ""),
        ] {
            assert_eq!(split_glob(pattern), (head.to_owned(), tail.to_owned()), "{pattern}");
        }
        let deep = "/a".repeat(2_000);
        assert!(!matches(&format!("{}/x", "/**/a".repeat(50)), &deep));
    }
}
