//! Where a value comes from.

use std::fmt;
use std::path::PathBuf;

/// One text of settings and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Where the text came from; also its rank among the layers.
    pub origin: Origin,
    /// The settings, as YAML.
    pub text: String,
}

impl Layer {
    /// A layer of this origin with this text.
    pub fn new(origin: Origin, text: impl Into<String>) -> Self {
        Layer { origin, text: text.into() }
    }
}

/// The kinds of layers, weakest first: a later kind overrides an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Built in, or shipped by whoever packaged Hermes.
    Defaults,
    /// The user's own file.
    UserFile(PathBuf),
    /// A file of the project. The host passes it only when the user trusts its content.
    ProjectFile(PathBuf),
    /// Environment variables.
    Environment,
    /// The command line.
    Flag,
}

impl Origin {
    /// The place of this origin in the order of layers; higher overrides lower.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Origin::Defaults => 0,
            Origin::UserFile(_) => 1,
            Origin::ProjectFile(_) => 2,
            Origin::Environment => 3,
            Origin::Flag => 4,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Defaults => f.write_str("defaults"),
            Origin::UserFile(path) | Origin::ProjectFile(path) => write!(f, "{}", path.display()),
            Origin::Environment => f.write_str("environment"),
            Origin::Flag => f.write_str("flag"),
        }
    }
}

/// An origin, narrowed as far as it is known. Displays as `path:line:column` for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The layer.
    pub origin: Origin,
    /// The place inside the layer.
    pub spot: Option<Spot>,
}

/// A place inside a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// In a text. Both count from 1; a column is a character.
    Text {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The name of an environment variable, or the key given with a flag.
    Name(String),
}

impl Place {
    /// The built-in defaults.
    pub(super) fn defaults() -> Self {
        Place { origin: Origin::Defaults, spot: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.spot {
            None => self.origin.fmt(f),
            Some(Spot::Text { line, column }) => write!(f, "{}:{line}:{column}", self.origin),
            Some(Spot::Name(name)) => write!(f, "{} {name}", self.origin),
        }
    }
}
