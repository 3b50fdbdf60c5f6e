//! The answer about a path.

use hermes_core::Verdict;

/// Allow, ask or deny, with the kind of place and a reason a person can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathVerdict {
    Allow,
    Ask { category: String, reason: String },
    Deny { category: String, reason: String },
}

impl PathVerdict {
    pub(crate) fn of(verdict: Verdict, category: &str, reason: impl Into<String>) -> Self {
        let (category, reason) = (category.to_owned(), reason.into());
        match verdict {
            Verdict::Allow => PathVerdict::Allow,
            Verdict::Ask => PathVerdict::Ask { category, reason },
            Verdict::Deny => PathVerdict::Deny { category, reason },
        }
    }

    pub fn verdict(&self) -> Verdict {
        match self {
            PathVerdict::Allow => Verdict::Allow,
            PathVerdict::Ask { .. } => Verdict::Ask,
            PathVerdict::Deny { .. } => Verdict::Deny,
        }
    }

    /// The kind of place, such as `ssh` or `outside_workspace`; none where nothing was found.
    pub fn category(&self) -> Option<&str> {
        match self {
            PathVerdict::Allow => None,
            PathVerdict::Ask { category, .. } | PathVerdict::Deny { category, .. } => Some(category),
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            PathVerdict::Allow => None,
            PathVerdict::Ask { reason, .. } | PathVerdict::Deny { reason, .. } => Some(reason),
        }
    }

    /// The same, but a person may agree to it.
    #[must_use]
    pub(crate) fn at_most_asked(self) -> PathVerdict {
        match self {
            PathVerdict::Deny { category, reason } => PathVerdict::Ask { category, reason },
            other => other,
        }
    }

    /// The stricter of two; of equals the first.
    #[must_use]
    pub fn or_stricter(self, other: PathVerdict) -> PathVerdict {
        if other.verdict() > self.verdict() { other } else { self }
    }
}
