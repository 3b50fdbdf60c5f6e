//! Regular expressions for content, in ripgrep's dialect.

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use hermes_core::ToolError;

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

pub(crate) fn matcher(pattern: &str, case: Case, multiline: bool) -> Result<RegexMatcher, ToolError> {
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
    // The end of a line is where it is shown to be, also where a carriage return stands behind it.
    let names_returns = pattern.contains('\r') || pattern.contains("\\r");
    if pattern.contains('$') && !names_returns {
        let mut builder = builder.clone();
        builder.crlf(true);
        if multiline {
            builder.line_terminator(None);
        }
        if let Ok(matcher) = builder.build(pattern) {
            return Ok(matcher);
        }
    }
    builder.build(pattern).map_err(|error| {
        let hint = match (pattern.contains('\n') || pattern.contains("\\n")) && !multiline {
            true => "Pass multiline to search across lines.".to_owned(),
            false => format!("To search for the text itself use '{}'.", regex::escape(pattern)),
        };
        ToolError::invalid(format!("the pattern is not a valid regular expression: {error}")).with_hint(hint)
    })
}

pub(crate) fn searcher(matcher: &RegexMatcher, context: usize, multiline: bool) -> Searcher {
    SearcherBuilder::new()
        .line_number(true)
        .line_terminator(matcher.line_terminator().unwrap_or_default())
        .multi_line(multiline)
        .before_context(context)
        .after_context(context)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MOST_AT_ONCE))
        .build()
}
