//! Why a command could not do its job, and the exit code that says so to scripts.

use std::io;

use hermes_core::{ErrorCode, ToolError, ToolOutcome};
use hermes_policy::profile::Problem;
use hermes_runtime::config::ConfigError;
use serde_json::{Value, json};

/// Exit codes, the same in every command.
pub(crate) mod exit {
    pub(crate) const OK: u8 = 0;
    pub(crate) const USAGE: u8 = 2;
    pub(crate) const DENIED: u8 = 3;
    pub(crate) const APPROVAL: u8 = 4;
    pub(crate) const TOOL_FAILED: u8 = 5;
    pub(crate) const UNKNOWN: u8 = 6;
    pub(crate) const DEADLINE: u8 = 124;
    pub(crate) const INTERRUPTED: u8 = 130;
    pub(crate) const TERMINATED: u8 = 143;
}

/// A command that failed: what went wrong, what to do about it, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) code: u8,
    /// The same in a word, for `--json`.
    word: &'static str,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::new(message, exit::USAGE, "usage")
    }

    /// The command did its job, and the answer is no.
    pub(crate) fn answer_is_no(message: impl Into<String>) -> Self {
        Failure::new(message, exit::TOOL_FAILED, "failed")
    }

    /// The answer is there, but nobody could be told.
    pub(crate) fn unwritten(error: &io::Error) -> Self {
        Failure::answer_is_no(format!("standard output: {error}"))
    }

    /// What was asked for is not there.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Failure::new(message, exit::TOOL_FAILED, ErrorCode::NotFound.as_str())
    }

    /// A rule or a person does not let it happen.
    pub(crate) fn denied(message: impl Into<String>) -> Self {
        Failure::new(message, exit::DENIED, ErrorCode::PermissionDenied.as_str())
    }

    pub(crate) fn interrupted(message: impl Into<String>) -> Self {
        Failure::new(message, exit::INTERRUPTED, ErrorCode::Cancelled.as_str())
    }

    fn new(message: impl Into<String>, code: u8, word: &'static str) -> Self {
        Failure { message: message.into(), hint: None, code, word }
    }

    /// The document that stands on standard output in place of the one that was asked for.
    pub(crate) fn document(&self) -> Value {
        json!({"status": "error", "error": self.message, "code": self.word, "hint": self.hint})
    }

    /// The same in other words.
    #[must_use]
    pub(crate) fn reworded(mut self, word: impl Fn(&str) -> String) -> Self {
        self.message = word(&self.message);
        self.hint = self.hint.as_deref().map(word);
        self
    }

    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn io(what: &str) -> impl FnOnce(io::Error) -> Self {
        let what = what.to_owned();
        move |error| Failure::usage(format!("{what}: {error}"))
    }

    pub(crate) fn config(errors: Vec<ConfigError>) -> Self {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let count = lines.len();
        let noun = if count == 1 { "problem" } else { "problems" };
        Failure::usage(format!("the configuration has {count} {noun}:\n  {}", lines.join("\n  ")))
            .with_hint("'hermes config validate' checks it again; docs/config.md lists every key.")
    }
}

impl Failure {
    /// Policy texts that cannot be used.
    pub(crate) fn policy(problems: &[Problem]) -> Self {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let noun = if lines.len() == 1 { "problem" } else { "problems" };
        Failure::usage(format!("the permission rules have {} {noun}:\n  {}", lines.len(), lines.join("\n  ")))
            .with_hint(
                "'hermes policy lint' checks them again; docs/permissions.md shows how they are written.",
            )
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        let message = match &error.operator {
            Some(cause) => format!("{}: {cause}", error.message),
            None => error.message.clone(),
        };
        Failure { message, hint: error.hint.clone(), code: code_of(error.code), word: error.code.as_str() }
    }
}

fn code_of(code: ErrorCode) -> u8 {
    match code {
        ErrorCode::PermissionDenied => exit::DENIED,
        ErrorCode::ApprovalRequired => exit::APPROVAL,
        ErrorCode::OutcomeUnknown => exit::UNKNOWN,
        ErrorCode::Timeout => exit::DEADLINE,
        _ => exit::TOOL_FAILED,
    }
}

/// The exit code of several calls: the gravest one. An unknown outcome outranks all, because
/// repeating the run may repeat an effect.
pub(crate) fn exit_code(outcomes: &[ToolOutcome]) -> u8 {
    let gravity = |code: u8| match code {
        exit::UNKNOWN => 5,
        exit::APPROVAL => 4,
        exit::DENIED => 3,
        exit::DEADLINE => 2,
        exit::TOOL_FAILED => 1,
        _ => 0,
    };
    let codes = outcomes.iter().flat_map(ToolOutcome::each).filter_map(ToolOutcome::error_code).map(code_of);
    codes.max_by_key(|code| gravity(*code)).unwrap_or(exit::OK)
}
