//! Why a request to a server came to nothing, with what is known of its effect.

use hermes_core::{ErrorCode, ToolError};
use serde_json::Value;

use crate::secrets::Cover;
use crate::text::{flags, visible_texts};

/// Stands for the server where the reader knows which one is meant.
const NAMELESS: &str = "it";
/// What to do about a call of which nobody knows what it did.
const LOOK: &str = "Look at the current state before you repeat the call.";

/// A request that failed. What matters most is whether it may have taken effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing of it left this process.
    NotSent(String),
    /// The server did not know the session any more before anything of this was sent.
    SessionGone,
    /// The server answered as if it knew no such session. What it did before it said so, nobody knows.
    SessionEnded,
    /// It was sent, and the server is gone without an answer.
    Lost(String),
    /// It was sent and will get no answer, but the link serves others.
    Unanswered(String),
    /// The server pointed elsewhere in place of an answer. It may have done what it was asked for before it did.
    Redirected(String),
    /// The server answered with an HTTP status and no message.
    Status { status: u16, said: String },
    /// The server wants to know who asks. `sent` tells whether it said so of the request itself: what it did before, nobody
    /// knows.
    NeedsLogin { challenge: String, sent: bool },
    /// The server did not answer in time. `sent` tells whether the request left this process.
    TimedOut { sent: bool, seconds: u64 },
    /// The caller gave up.
    Cancelled { sent: bool },
    /// The server answered with a protocol error.
    Refused { code: i32, message: String },
    /// The server answered something that is no answer to this.
    Nonsense(String),
}

impl Fault {
    /// The same without what the server was given to say who asks.
    pub(crate) fn covered(self, cover: &Cover) -> Self {
        match self {
            Fault::NotSent(reason) => Fault::NotSent(cover.text(reason)),
            Fault::Lost(reason) => Fault::Lost(cover.text(reason)),
            Fault::Unanswered(reason) => Fault::Unanswered(cover.text(reason)),
            Fault::Redirected(reason) => Fault::Redirected(cover.text(reason)),
            Fault::Status { status, said } => Fault::Status { status, said: cover.text(said) },
            Fault::Refused { code, message } => Fault::Refused { code, message: cover.text(message) },
            Fault::Nonsense(what) => Fault::Nonsense(cover.text(what)),
            // What a server wants to know is read again at the next login, and shown to nobody.
            Fault::NeedsLogin { .. }
            | Fault::SessionGone
            | Fault::SessionEnded
            | Fault::TimedOut { .. }
            | Fault::Cancelled { .. } => self,
        }
    }

    /// The words for a link that could not be made.
    pub(in crate::client) fn into_reason(self) -> String {
        match self {
            Fault::NotSent(reason)
            | Fault::Lost(reason)
            | Fault::Unanswered(reason)
            | Fault::Redirected(reason) => reason,
            other => {
                other.into_error(NAMELESS, true).message.replace(&format!("MCP server '{NAMELESS}'"), "it")
            }
        }
    }

    /// The error a caller sees. `harmless` says that repeating the request changes nothing. Most of its words may be the
    /// server's, so they are looked through like a result.
    pub(crate) fn into_error(self, server: &str, harmless: bool) -> ToolError {
        let flags = self.words().map(|words| flags(&Value::from(words))).unwrap_or_default();
        with_flags(self.told(server, harmless), flags)
    }

    /// What may be the server's own words. What is said around them instructs nobody.
    fn words(&self) -> Option<&str> {
        match self {
            Fault::NotSent(words)
            | Fault::Lost(words)
            | Fault::Unanswered(words)
            | Fault::Redirected(words)
            | Fault::Nonsense(words)
            | Fault::Status { said: words, .. }
            | Fault::Refused { message: words, .. } => Some(words),
            Fault::SessionGone
            | Fault::SessionEnded
            | Fault::NeedsLogin { .. }
            | Fault::TimedOut { .. }
            | Fault::Cancelled { .. } => None,
        }
    }

    fn told(self, server: &str, harmless: bool) -> ToolError {
        match self {
            Fault::NotSent(reason) => ToolError::new(
                ErrorCode::Unavailable,
                format!("MCP server '{server}' is not available: {reason}"),
            ),
            Fault::SessionGone => ToolError::new(
                ErrorCode::Unavailable,
                format!("MCP server '{server}' is not available: it ends every session at once"),
            ),
            Fault::SessionEnded => {
                let text = format!("MCP server '{server}' ended its session in place of an answer");
                if harmless { ToolError::new(ErrorCode::Network, text) } else { unknown(text) }
            }
            Fault::Lost(reason) | Fault::Unanswered(reason) if harmless => {
                ToolError::new(ErrorCode::Network, format!("MCP server '{server}' broke off: {reason}"))
            }
            Fault::Lost(reason) | Fault::Unanswered(reason) => {
                unknown(format!("MCP server '{server}' broke off during the call: {reason}"))
            }
            Fault::Redirected(reason) => {
                let text = format!("MCP server '{server}' redirected the request: {reason}");
                if harmless { ToolError::new(ErrorCode::Unavailable, text) } else { unknown(text) }
            }
            Fault::Status { status, said } => {
                let text = format!("MCP server '{server}' answered with {said}");
                match status {
                    429 => ToolError::new(ErrorCode::Unavailable, text),
                    500.. if !harmless => unknown(text),
                    500.. => ToolError::new(ErrorCode::Network, text),
                    _ => ToolError::new(ErrorCode::ExecFailed, text),
                }
            }
            Fault::NeedsLogin { sent, .. } => {
                let text = format!("MCP server '{server}' wants to know who asks");
                let remedy = format!("the user can log in: hermes mcp login {server}");
                match sent && !harmless {
                    true => unknown(text)
                        .with_hint(format!("{LOOK} For calls to come {remedy}"))
                        .with_field("cause", ErrorCode::Auth.as_str()),
                    false => ToolError::new(ErrorCode::Auth, format!("{text}; {remedy}")),
                }
            }
            Fault::TimedOut { sent, seconds } => {
                let text = format!("MCP server '{server}' did not answer within {seconds} s");
                match sent && !harmless {
                    true => unknown(text).with_field("cause", ErrorCode::Timeout.as_str()),
                    false => ToolError::new(ErrorCode::Timeout, text),
                }
            }
            Fault::Cancelled { sent } => {
                let text = format!("the call to MCP server '{server}' was cancelled");
                match sent && !harmless {
                    true => unknown(text).with_field("cause", ErrorCode::Cancelled.as_str()),
                    false => ToolError::new(ErrorCode::Cancelled, text),
                }
            }
            Fault::Refused { code, message } => {
                let kind = match code {
                    -32602 => ErrorCode::InvalidArgument,
                    -32601 | -32002 => ErrorCode::NotFound,
                    _ => ErrorCode::ExecFailed,
                };
                ToolError::new(kind, message).with_field("rpc_code", code)
            }
            Fault::Nonsense(what) => {
                let text = format!("MCP server '{server}' gave an answer that cannot be read: {what}");
                if harmless { ToolError::new(ErrorCode::ExecFailed, text) } else { unknown(text) }
            }
        }
    }
}

fn unknown(what: String) -> ToolError {
    ToolError::new(ErrorCode::OutcomeUnknown, format!("{what}; whether it took effect is unknown"))
        .with_hint(LOOK)
}

/// The error with nothing hidden in it, and with what instructs its reader.
pub(crate) fn flagged(error: ToolError) -> ToolError {
    let flags = flags(&Value::from(error.message.as_str()));
    with_flags(error, flags)
}

fn with_flags(mut error: ToolError, flags: Vec<String>) -> ToolError {
    let text = Value::String(std::mem::take(&mut error.message));
    error.message = visible_texts(text).as_str().unwrap_or_default().to_owned();
    if flags.is_empty() { error } else { error.with_field("flags", flags) }
}
