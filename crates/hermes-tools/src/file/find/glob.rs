//! Globs on names and paths.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use hermes_core::ToolError;

/// A glob on names, or on whole paths if it contains a slash.
#[derive(Clone)]
pub(crate) struct Filter {
    glob: GlobMatcher,
    on_path: bool,
    negated: bool,
}

impl Filter {
    /// `argument` is named where the pattern is wrong.
    pub(crate) fn new(pattern: &str, argument: &str) -> Result<Self, ToolError> {
        let glob = GlobBuilder::new(pattern.trim_start_matches("./")).literal_separator(true).build();
        let glob = glob.map_err(|error| {
            ToolError::invalid(format!("{argument} is not a valid glob: {}", error.kind()))
        })?;
        Ok(Filter { glob: glob.compile_matcher(), on_path: pattern.contains('/'), negated: false })
    }

    /// The same, but a pattern that begins with `!` stands for all that it does not match.
    pub(crate) fn or_negated(pattern: &str, argument: &str) -> Result<Self, ToolError> {
        match pattern.strip_prefix('!') {
            Some(others) => Ok(Filter { negated: true, ..Filter::new(others, argument)? }),
            None => Filter::new(pattern, argument),
        }
    }

    pub(crate) fn matches(&self, path: &Path) -> bool {
        let subject = if self.on_path { Some(path.as_os_str()) } else { path.file_name() };
        subject.is_some_and(|subject| self.glob.is_match(subject) != self.negated)
    }
}
