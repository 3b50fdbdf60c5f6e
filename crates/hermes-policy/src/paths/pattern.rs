//! Patterns over whole paths, name by name.

use std::fmt;

use super::folded::Folded;

/// Where a pattern begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    /// `/etc/…`
    Root,
    /// `~/…`: anybody's home.
    Home,
    /// `$HERMES/…`
    Hermes,
    /// `**/…`: anywhere.
    Anywhere,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Exact(String),
    /// With `*` and `?`.
    Glob(Glob),
    /// `<pid>`: a process, by number or as `self`.
    Process,
}

/// A name with wildcards. What stands before the first and after the last of them tells most names at once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Glob {
    text: String,
    head: usize,
    tail: usize,
}

/// A pattern such as `~/.ssh/**`, `/proc/<pid>/mem` or `**/.env`. A final `/**` covers the folder itself
/// and all below it; in the middle `/**/` stands for any folders, or none. Patterns are written in small letters
/// and meet folded paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    anchor: Anchor,
    names: Vec<Name>,
    /// How many of the names stand before `/**/`; the others stand at the end of the path.
    gap: Option<usize>,
    deep: bool,
    text: String,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPatternError(String);

impl fmt::Display for PathPatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PathPatternError {}

impl PathPattern {
    /// Reads one pattern; `{a,b}` makes several of it.
    pub fn parse(text: &str) -> Result<Vec<PathPattern>, PathPatternError> {
        let Some((before, rest)) = text.split_once('{') else { return Ok(vec![Self::parse_plain(text)?]) };
        let Some((inside, after)) = rest.split_once('}') else {
            return Err(PathPatternError(format!("'{text}' has a brace that is not closed")));
        };
        let mut patterns = Vec::new();
        for choice in inside.split(',') {
            patterns.extend(Self::parse(&format!("{before}{choice}{after}"))?);
        }
        Ok(patterns)
    }

    fn parse_plain(text: &str) -> Result<PathPattern, PathPatternError> {
        let wrong = |why: &str| PathPatternError(format!("'{text}' {why}"));
        let (anchor, rest) = [("**/", Anchor::Anywhere), ("~/", Anchor::Home), ("$HERMES/", Anchor::Hermes)]
            .iter()
            .find_map(|(mark, anchor)| Some((*anchor, text.strip_prefix(mark)?)))
            .or_else(|| Some((Anchor::Root, text.strip_prefix('/')?)))
            .ok_or_else(|| wrong("begins with none of /, ~/, **/ and $HERMES/"))?;
        let (rest, deep) = match rest.strip_suffix("**") {
            Some(above) => (above.strip_suffix('/').unwrap_or(above), true),
            None => (rest, false),
        };
        if rest.chars().any(char::is_uppercase) {
            return Err(wrong("has capitals, which never match"));
        }
        let (mut names, mut gap) = (Vec::new(), None);
        for name in rest.split('/').filter(|_| !rest.is_empty()) {
            names.push(match name {
                "" | "." | ".." => return Err(wrong("has a name that no path has")),
                "**" if gap.is_none() && !names.is_empty() && anchor != Anchor::Anywhere && !deep => {
                    gap = Some(names.len());
                    continue;
                }
                name if name.contains("**") => return Err(wrong("has ** where it cannot be")),
                "<pid>" => Name::Process,
                name => match Glob::of(name) {
                    Some(glob) => Name::Glob(glob),
                    None => Name::Exact(name.to_owned()),
                },
            });
        }
        if names.is_empty() && anchor != Anchor::Hermes {
            return Err(wrong("matches everything"));
        }
        Ok(PathPattern { anchor, names, gap, deep, text: text.to_owned() })
    }

    pub(super) fn matches(&self, path: &Folded) -> bool {
        let Some(names) = self.region(path) else { return false };
        let wanted = self.names.len();
        let Some(last_start) = names.len().checked_sub(wanted) else { return false };
        if let Some(gap) = self.gap {
            let (above, below) = self.names.split_at(gap);
            return fits(above, names) && fits(below, names.get(last_start + gap..).unwrap_or_default());
        }
        match (self.anchor, self.deep) {
            (Anchor::Anywhere, true) => (0..=last_start).any(|start| self.fits(names, start)),
            (Anchor::Anywhere, false) => self.fits(names, last_start),
            (_, true) => self.fits(names, 0),
            (_, false) => last_start == 0 && self.fits(names, 0),
        }
    }

    /// Whether the path is a folder that a match would lie in, as `.vscode` is for `**/.vscode/tasks.json`.
    pub(super) fn lies_below(&self, path: &Folded) -> bool {
        let Some(names) = self.region(path) else { return false };
        // Every folder may hold what is somewhere below; its files are judged one by one.
        (1..self.gap.unwrap_or(self.names.len())).any(|part| {
            let start = match (self.anchor, names.len().checked_sub(part)) {
                (_, None) => return false,
                (Anchor::Anywhere, Some(start)) => start,
                (_, Some(0)) => 0,
                (_, Some(_)) => return false,
            };
            self.names.iter().take(part).zip(names.iter().skip(start)).all(|(name, given)| name.is(given))
        })
    }

    /// A name that every match has, to find patterns by: the last, which fewer paths have than the first.
    pub(super) fn key(&self) -> Option<&str> {
        self.names.iter().rev().find_map(|name| match name {
            Name::Exact(exact) => Some(exact.as_str()),
            Name::Glob(_) | Name::Process => None,
        })
    }

    fn region<'a>(&self, path: &'a Folded) -> Option<&'a [String]> {
        match self.anchor {
            Anchor::Root | Anchor::Anywhere => Some(path.names()),
            Anchor::Home => path.below_home(),
            Anchor::Hermes => path.below_hermes(),
        }
    }

    fn fits(&self, names: &[String], start: usize) -> bool {
        fits(&self.names, names.get(start..).unwrap_or_default())
    }
}

/// Whether the path begins with these names; it has at least as many.
fn fits(wanted: &[Name], names: &[String]) -> bool {
    wanted.iter().zip(names).all(|(name, given)| name.is(given))
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Name {
    fn is(&self, given: &str) -> bool {
        match self {
            Name::Exact(exact) => exact == given,
            Name::Glob(glob) => glob.fits(given),
            Name::Process => {
                matches!(given, "self" | "thread-self") || given.bytes().all(|byte| byte.is_ascii_digit())
            }
        }
    }
}

impl Glob {
    /// `None`: it has no wildcards.
    fn of(text: &str) -> Option<Glob> {
        let (head, last) = (text.find(['*', '?'])?, text.rfind(['*', '?'])?);
        Some(Glob { text: text.to_owned(), head, tail: last + 1 })
    }

    fn fits(&self, given: &str) -> bool {
        let (text, given) = (self.text.as_bytes(), given.as_bytes());
        let (head, tail) = (text.get(..self.head), text.get(self.tail..));
        head.is_some_and(|head| given.starts_with(head))
            && tail.is_some_and(|tail| given.ends_with(tail))
            && glob_fits(text, given)
    }
}

/// `*` is any run of bytes, `?` any one. Time grows with the product of the lengths at worst.
fn glob_fits(glob: &[u8], given: &[u8]) -> bool {
    let (mut at, mut next) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = given.get(next) {
        match glob.get(at) {
            Some(b'*') => {
                star = Some((at + 1, next));
                at += 1;
            }
            Some(wanted) if *wanted == b'?' || wanted == byte => (at, next) = (at + 1, next + 1),
            _ => match star {
                Some((after, from)) => {
                    star = Some((after, from + 1));
                    (at, next) = (after, from + 1);
                }
                None => return false,
            },
        }
    }
    glob.iter().skip(at).all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_marks() {
        for (glob, given, fits) in [
            ("*", "", true),
            ("a*", "abc", true),
            ("*.key", "a.key", true),
            ("*.key", ".keys", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "ab_a", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            (".*", "a", false),
        ] {
            assert_eq!(glob_fits(glob.as_bytes(), given.as_bytes()), fits, "{glob} {given}");
            assert_eq!(Glob::of(glob).unwrap().fits(given), fits, "{glob} {given}");
        }
    }

    #[test]
    fn what_can_never_match_is_refused() {
        for bad in [
            "x",
            "/",
            "**/",
            "~/",
            "/a//b",
            "/a/../b",
            "/a/**/b/**/c",
            "/a/**/b/**",
            "**/a/**/b",
            "/**/b",
            "/A",
            "/{a",
            "**/**",
        ] {
            assert!(PathPattern::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(PathPattern::parse("/{a,b}/{c,}d").map(|list| list.len()), Ok(4));
    }
}
