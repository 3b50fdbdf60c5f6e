//! Permission patterns: `file:read`, `file:*`, `*:read`, `*`.

use std::fmt;

use hermes_core::Permission;

/// A pattern over permission names, with `*` in either half.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    domain: Option<String>,
    action: Option<String>,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(String);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// Reads a pattern. A name that no permission matches is an error: a rule that can never apply
    /// is a hole somebody believes closed.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        if text == "*" {
            return Ok(Pattern { domain: None, action: None });
        }
        let half = |text: &str| (text != "*").then(|| text.to_owned());
        let Some((domain, action)) = text.split_once(':') else {
            return Err(PatternError(format!("'{text}' is not of the form domain:action")));
        };
        let pattern = Pattern { domain: half(domain), action: half(action) };
        let known = domain == "mcp" || Permission::KNOWN.iter().any(|name| pattern.matches_name(name));
        if known { Ok(pattern) } else { Err(PatternError(format!("'{text}' matches no known permission"))) }
    }

    pub fn matches(&self, permission: &Permission) -> bool {
        self.matches_name(permission.as_str())
    }

    /// The first half, if the pattern names one.
    pub fn domain(&self) -> Option<&str> {
        self.domain.as_deref()
    }

    /// The second half, if the pattern names one.
    pub fn action(&self) -> Option<&str> {
        self.action.as_deref()
    }

    /// `*`, in either spelling.
    pub fn is_everything(&self) -> bool {
        self.domain.is_none() && self.action.is_none()
    }

    /// Whether everything `other` matches is matched by this one too.
    pub fn covers(&self, other: &Pattern) -> bool {
        let half = |wide: &Option<String>, narrow: &Option<String>| wide.is_none() || wide == narrow;
        half(&self.domain, &other.domain) && half(&self.action, &other.action)
    }

    fn matches_name(&self, name: &str) -> bool {
        let Some(domain) = &self.domain else {
            let Some(action) = &self.action else { return true };
            return name.split_once(':').map_or("", |(_, action)| action) == action;
        };
        // A domain has no colon, so what follows it tells whether it ends there.
        let Some(rest) = name.strip_prefix(domain.as_str()) else { return false };
        let action = if rest.is_empty() { Some("") } else { rest.strip_prefix(':') };
        action.is_some_and(|found| self.action.as_deref().is_none_or(|wanted| wanted == found))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.domain, &self.action) {
            (None, None) => f.write_str("*"),
            (domain, action) => {
                write!(f, "{}:{}", domain.as_deref().unwrap_or("*"), action.as_deref().unwrap_or("*"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_by_halves() {
        let matches = |pattern: &str, name: &str| Pattern::parse(pattern).unwrap().matches_name(name);
        assert!(matches("*", "file:read"));
        assert!(matches("file:*", "file:read"));
        assert!(matches("*:read", "env:read"));
        assert!(matches("mcp:github", "mcp:github"));
        assert!(!matches("file:*", "env:read"));
        assert!(!matches("file:read", "file:write"));
    }

    #[test]
    fn a_wider_pattern_covers_a_narrower_one() {
        let covers =
            |wide: &str, narrow: &str| Pattern::parse(wide).unwrap().covers(&Pattern::parse(narrow).unwrap());
        assert!(covers("*", "file:read") && covers("file:*", "file:read") && covers("*:read", "file:read"));
        assert!(!covers("file:read", "file:*") && !covers("file:*", "*:read"));
    }

    #[test]
    fn refuses_what_can_never_match() {
        for bad in ["", "file", "fiel:read", "file:reed", "nope:*"] {
            assert!(Pattern::parse(bad).is_err(), "{bad}");
        }
    }
}
