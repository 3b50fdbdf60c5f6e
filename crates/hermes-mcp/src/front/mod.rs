//! All servers as one, for a client in front of them.

mod asked;
mod offered;
mod template;

pub use asked::{Completing, Had};
pub(crate) use offered::name_of;
pub use offered::{Front, Shown};
