//! Patterns of schemas: written in the dialect of some other language, and sometimes in none.

use regex_syntax::ast::ErrorKind;
use regex_syntax::ast::parse::Parser;
use serde_json::Value;

use super::effort::parts;
use crate::redact::Redactor;

const MAX_SHOWN_CHARS: usize = 60;

/// Who matches the patterns of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// The provider, with an engine that may know more than ours.
    Theirs,
    /// Calls are checked here, by an engine that cannot be made to hang.
    Ours,
}

/// Refuses a schema with a pattern that is none in any language: what it was to keep out, nobody knows.
pub(super) fn check(schema: &Value) -> Result<(), String> {
    let Value::Object(rules) = schema else { return Ok(()) };
    for (keyword, rule) in rules {
        let broken = match (keyword.as_str(), rule) {
            ("pattern", Value::String(pattern)) => Some(pattern).filter(|pattern| !is_one(pattern)),
            ("patternProperties", Value::Object(named)) => named.keys().find(|pattern| !is_one(pattern)),
            _ => None,
        };
        if let Some(broken) = broken {
            let shown = Redactor::none().shortened(broken, MAX_SHOWN_CHARS);
            return Err(format!("its schema has the pattern {shown:?}, which is none"));
        }
        parts(keyword, rule).try_for_each(check)?;
    }
    Ok(())
}

/// Whether it is a pattern in some language, as far as its spelling goes.
pub(super) fn is_one(pattern: &str) -> bool {
    match Parser::new().parse(pattern) {
        Ok(_) => true,
        Err(error) => matches!(
            error.kind(),
            ErrorKind::UnsupportedLookAround
                | ErrorKind::UnsupportedBackreference
                | ErrorKind::EscapeUnrecognized
                | ErrorKind::ClassEscapeInvalid
                | ErrorKind::FlagUnrecognized
                // A brace may stand for itself.
                | ErrorKind::RepetitionCountUnclosed
                | ErrorKind::RepetitionCountDecimalEmpty
        ),
    }
}

/// Whether this engine can match it.
pub(super) fn is_usable(pattern: &str, engine: Engine) -> bool {
    engine == Engine::Theirs || regex_syntax::parse(pattern).is_ok()
}
