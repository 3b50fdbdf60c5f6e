//! Tool names: spelling repair and suggestions.

mod nearest;
mod plain;
mod repair;
mod words;

pub use nearest::nearest;
pub use repair::repair;
pub use words::{is_valid, normalise};
