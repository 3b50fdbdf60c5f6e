//! Names with `*` and `?` in them: tools, toolsets, servers, actors, argument texts.

/// A text in which `*` stands for any characters and `?` for one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wildcard(String);

impl Wildcard {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Wildcard(text.into())
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_exact(&self) -> bool {
        !self.0.contains(['*', '?'])
    }

    /// Goes back to the last `*` only, so the worst case is the product of both lengths.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let (mut pattern, mut rest) = (self.0.chars(), text.chars());
        let mut star = None;
        loop {
            match (pattern.next(), rest.clone().next()) {
                (Some('*'), _) => star = Some((pattern.clone(), rest.clone())),
                (Some(wanted), Some(found)) if wanted == found || wanted == '?' => {
                    rest.next();
                }
                (None, None) => return true,
                _ => {
                    let Some((after, from)) = &mut star else { return false };
                    if from.next().is_none() {
                        return false;
                    }
                    pattern = after.clone();
                    rest = from.clone();
                }
            }
        }
    }

    /// Whether everything `other` matches is matched by this one too, as far as that is easily seen.
    pub(crate) fn covers(&self, other: &Wildcard) -> bool {
        self == other || self.0 == "*" || (other.is_exact() && self.matches(&other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text, matches) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "anything/at all", true),
            ("git_*", "git_push", true),
            ("git_*", "digit_push", false),
            ("*_file", "read_file", true),
            ("?ead*", "read_file", true),
            ("a*b*c", "aXbXbXc", true),
            ("a*b*c", "aXbX", false),
            ("*ä?", "xäö", true),
            ("**", "x", true),
        ] {
            assert_eq!(Wildcard::new(pattern).matches(text), matches, "{pattern} {text}");
        }
        let (pattern, text) = ("a*".repeat(200) + "b", "a".repeat(5_000));
        assert!(!Wildcard::new(pattern).matches(&text), "no exponential way back");
    }
}
