//! Code of the operator's own around every call: guards that may block or rewrite, observers, transformers; and what
//! changes the list of tools before a session sees it.

mod chain;
mod listing;

pub use chain::{Hook, HookCall, HookChain, PreVerdict, matches_tool};
pub(crate) use chain::{ask_guard, ask_transformer, tell_observer};
pub(crate) use listing::ListMemo;
pub use listing::{HookList, HookTool, ListVerdict};
