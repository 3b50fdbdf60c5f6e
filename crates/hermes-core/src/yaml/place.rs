//! Where something stands in a text, and what is wrong there.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::text::visible;

/// A position in a text. Line and column count from 1; a line 0 means the source as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub file: Arc<str>,
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// A source that has no lines, such as a flag.
    pub fn whole(source: impl Into<Arc<str>>) -> Self {
        Place { file: source.into(), line: 0, column: 0 }
    }

    /// What nobody wrote anywhere.
    pub fn nowhere() -> Self {
        Place::whole("defaults")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return f.write_str(&self.file);
        }
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    pub value: T,
    pub at: Place,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The text is refused: its rules would not mean what they say.
    Error,
    /// The text stands, but a rule in it has no effect.
    Warning,
}

/// One thing that is wrong, where, and what to write instead. Displays as `file:line:column: message (hint)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub place: Place,
    pub severity: Severity,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    pub fn error(place: Place, message: impl Into<String>) -> Self {
        Problem { place, severity: Severity::Error, message: message.into(), hint: None }
    }

    pub fn warning(place: Place, message: impl Into<String>) -> Self {
        Problem { severity: Severity::Warning, ..Problem::error(place, message) }
    }

    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Problem { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, visible(&self.message))?;
        match &self.hint {
            Some(hint) => write!(f, " ({})", visible(hint)),
            None => Ok(()),
        }
    }
}

/// Text from a file, safe to show: escaped, and not longer than a line.
pub fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}
