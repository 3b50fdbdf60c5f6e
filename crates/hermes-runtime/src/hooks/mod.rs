//! Code of the operator's own around every call: guards that may block or rewrite, observers, transformers.

mod chain;

pub use chain::{Hook, HookCall, HookChain, PreVerdict, matches_tool};
pub(crate) use chain::{ask_guard, ask_transformer, tell_observer};
