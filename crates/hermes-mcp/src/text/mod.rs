//! Texts of others on their way to a model: what hides is made visible, what instructs is flagged.

mod features;
mod folded;
mod lexicon;
mod order;
mod patterns;
mod scan;
mod sentences;
mod signs;
mod spelling;
mod value;

pub(crate) use scan::findings;
pub use scan::{Finding, scan};
pub(crate) use spelling::Spelling;
pub(crate) use value::{flags, listed, visible_texts};
