//! What a rule has to say.

use std::fmt;

/// Whether a finding stops the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Warning,
    Failure,
}

/// One breach of a rule, at a place a person can go to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    pub(super) level: Level,
    pub(super) place: String,
    pub(super) text: String,
}

impl Finding {
    pub(super) fn failure(place: impl Into<String>, text: impl Into<String>) -> Self {
        Finding { level: Level::Failure, place: place.into(), text: text.into() }
    }

    pub(super) fn warning(place: impl Into<String>, text: impl Into<String>) -> Self {
        Finding { level: Level::Warning, place: place.into(), text: text.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.level {
            Level::Warning => "warning",
            Level::Failure => "failure",
        };
        write!(f, "{word}: {}: {}", self.place, self.text)
    }
}
