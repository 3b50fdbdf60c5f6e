//! Tool names: spelling repair and suggestions.

mod affixes;
mod marked;
mod nearest;
mod plain;
mod repair;
mod slips;
mod words;

pub use marked::{MARK, MAX_NAME, could_be, without_mark};
pub use nearest::nearest;
pub use repair::repair;
pub use words::{is_valid, normalise};
