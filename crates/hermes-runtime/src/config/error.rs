//! What is wrong with a configuration, where, and what to write instead.

use std::fmt;

use super::origin::{Place, Spot};

/// Characters of an error that are shown. Longer ones carry somebody's joke.
const MAX_LINE: usize = 2_000;

/// One thing that is wrong, with its place. Displays as `place: key: message (hint)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Where.
    pub place: Place,
    /// The dotted key, empty where the text as a whole is meant.
    pub key: String,
    /// What kind of thing is wrong.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
    /// What to write instead, or the nearest known name.
    pub hint: Option<String>,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not YAML, or uses parts of YAML that settings do without.
    Syntax,
    /// The text is larger, deeper or expands to more than settings ever need.
    Budget,
    /// A key is written twice.
    DuplicateKey,
    /// No such key, or no such environment variable.
    UnknownKey,
    /// A key that must be there is not.
    MissingKey,
    /// The value is of another type.
    WrongType,
    /// The number is outside its range.
    OutOfRange,
    /// The text is not one of the allowed ones, or breaks the rules of its kind.
    NotAllowed,
    /// The pieces are right, but the whole could not be built: a fault of Hermes itself.
    Internal,
}

/// Why there is no answer about a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyError {
    /// There is no such key.
    #[error("no such key: {}{}", harmless(key), meant(nearest))]
    Unknown {
        /// The key that was asked for.
        key: String,
        /// The known key it resembles most.
        nearest: Option<String>,
    },
    /// The key names an entry that nobody has made, such as the time limit of a tool that has none of its own.
    #[error("nothing sets {}{}", harmless(key), meant(nearest))]
    Unset {
        /// The key that was asked for.
        key: String,
        /// The entry it resembles most.
        nearest: Option<String>,
    },
}

fn meant(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|key| format!(" (did you mean {}?)", harmless(key))).unwrap_or_default()
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = format!("{}: ", self.place);
        // A flag is named by its key already.
        let named = matches!(&self.place.spot, Some(Spot::Name(name)) if *name == self.key);
        if !self.key.is_empty() && !named {
            line.push_str(&format!("{}: ", self.key));
        }
        line.push_str(&self.message);
        if let Some(hint) = &self.hint {
            line.push_str(&format!(" ({hint})"));
        }
        f.write_str(&harmless(&line))
    }
}

/// One line without control signs: files of strangers end up in terminals.
fn harmless(text: &str) -> String {
    let letters = text.chars().take(MAX_LINE).flat_map(|letter| {
        let keep = matches!(letter, '"' | '\'' | '\\');
        let (kept, escaped) = if keep { (Some(letter), None) } else { (None, Some(letter.escape_debug())) };
        kept.into_iter().chain(escaped.into_iter().flatten())
    });
    letters.collect()
}
