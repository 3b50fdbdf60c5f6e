//! Texts of others on their way to a model: what hides is made visible, what instructs is flagged.

mod encoded;
mod features;
mod folded;
mod lexicon;
mod order;
mod patterns;
mod scan;
mod sentences;
mod set;
mod signs;
mod spelling;
mod terms;
mod value;

pub use scan::{Finding, findings, scan};
pub(crate) use spelling::Spelling;
pub(crate) use value::{LONGEST, capped, capped_texts, flags, listed, visible_texts};
