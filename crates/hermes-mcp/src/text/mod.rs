//! Texts of others on their way to a model: what hides is made visible, what instructs is flagged.

mod cues;
mod patterns;
mod scan;
mod spelling;
mod value;

pub(crate) use scan::findings;
pub use scan::{Finding, scan};
pub(crate) use spelling::Spelling;
pub(crate) use value::{flags, listed, visible_texts};
