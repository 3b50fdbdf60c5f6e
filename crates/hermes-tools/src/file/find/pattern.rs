//! Regular expressions for content, in ripgrep's dialect.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use hermes_core::ToolError;

use super::reads::{Reads, reads};

/// A larger automaton is a bomb, not a question.
const MAX_COMPILED: usize = 16 * 1024 * 1024;
/// Of a file so much is in memory at a time: a line, or all of it where a match may reach across lines.
pub(super) const MOST_AT_ONCE: usize = 128 * 1024 * 1024;

/// How letters are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Sensitive,
    Ignored,
    /// Ignored unless the pattern has capital letters.
    Smart,
}

/// What is looked for, and how files have to be read for that.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(super) matcher: RegexMatcher,
    pub(super) reads: Reads,
}

impl Pattern {
    pub(crate) fn new(pattern: &str, case: Case, multiline: bool) -> Result<Self, ToolError> {
        let reads = reads(pattern, case != Case::Sensitive);
        Ok(Pattern { matcher: matcher(pattern, case, multiline)?, reads })
    }
}

fn matcher(pattern: &str, case: Case, multiline: bool) -> Result<RegexMatcher, ToolError> {
    if pattern.is_empty() {
        return Err(ToolError::invalid("the pattern is empty"));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder
        .case_insensitive(case == Case::Ignored)
        .case_smart(case == Case::Smart)
        .multi_line(true)
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_COMPILED);
    if multiline {
        builder.dot_matches_new_line(false);
    } else {
        builder.line_terminator(Some(b'\n'));
    }
    builder.build(pattern).map_err(|error| {
        let hint = match (pattern.contains('\n') || pattern.contains("\\n")) && !multiline {
            true => "Pass multiline to search across lines.".to_owned(),
            false => format!("To search for the text itself use '{}'.", regex::escape(pattern)),
        };
        ToolError::invalid(format!("the pattern is not a valid regular expression: {error}")).with_hint(hint)
    })
}

pub(super) fn searcher(context: usize, multiline: bool) -> Searcher {
    SearcherBuilder::new()
        .line_number(true)
        .multi_line(multiline)
        .before_context(context)
        .after_context(context)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MOST_AT_ONCE))
        .build()
}
