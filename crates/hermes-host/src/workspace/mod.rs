//! Files, opened only as far as a permit reaches.
//!
//! Every method takes the call's context: the path is resolved, the permit is asked again, and then only
//! the object that was judged is opened. No component of the judged path may be a symbolic link by then,
//! so a link swapped in after the check makes the open fail instead of leading elsewhere.

mod cached;
mod characters;
mod commit;
mod create;
mod door;
mod errors;
mod folder;
mod hashing;
mod ignored;
mod judge;
mod linked;
mod list;
mod looked_at;
mod names_inside;
mod open;
mod own_home;
mod previous;
mod read;
mod resolve;
mod second_names;
mod seen;
mod similar;
mod source;
mod spare;
mod spelling;
mod stale;
mod stamp;
mod sweep;
mod temp;
#[cfg(test)]
mod tests;
mod unpack;
mod walk;
mod watch;
mod write;

pub use commit::{Change, Committed, Current};
pub(crate) use commit::{Edit, Intents, Staged, commit, refuse_doubles, see};
pub use create::NewFile;
pub use door::Workspace;
pub(crate) use errors::{changed, exists_already, explain, is_a_link, not_a_file, not_a_folder};
pub(crate) use folder::unmake;
pub(crate) use hashing::hash_bytes;
pub(crate) use ignored::{IGNORE_FILES, IgnoreRules, MAX_RULES};
pub use list::{Entry, EntryKind, ListOptions, Listing, Unreadable};
pub(crate) use open::open_exact;
pub(crate) use previous::gone;
pub use read::{FileVersion, Found, OpenFile};
pub(crate) use resolve::follow;
pub(crate) use second_names::SecondNames;
pub(crate) use seen::{Eyes, SeenState};
pub(crate) use similar::alike;
pub use spelling::{meant, spelled};
pub use stale::{About, stale};
pub(crate) use sweep::Swept;
pub(crate) use temp::temporary_name;
pub use unpack::{UnpackLimits, Unpacked, Unpacking};
pub use walk::{Visit, Visitor, WalkOptions, Walked, WalkedFile};
pub use watch::{ChangeKind, Watch, WatchEvent};
pub use write::{Fit, WriteMode, WriteRequest, Written};
