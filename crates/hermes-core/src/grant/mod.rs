//! Stored approvals: what a grant says, which calls it covers, and what an approval is bound to. Pure:
//! the ledger that keeps grants and counts their uses is in `hermes-host`.

mod binding;
mod folder;
mod glob;
mod matching;
mod model;
mod plain;
mod prefix;
mod runners;
mod suggest;
mod words;

pub use binding::{Binding, NamedFile};
pub use folder::folder_of;
pub use glob::{escape_glob, name_fits, split_glob};
pub use matching::Facts;
pub use model::{Grant, NewGrant, Pattern, Scope};
pub use prefix::{Refused, check_prefix};
pub use runners::runs_others;
pub use suggest::{Suggestion, suggest};
pub use words::{NotSimple, quoted, simple_words};
