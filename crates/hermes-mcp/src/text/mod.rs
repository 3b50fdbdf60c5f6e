//! Texts of others on their way to a model: what hides is made visible, what instructs is flagged.

mod patterns;
mod scan;

pub(crate) use scan::findings;
pub use scan::{Finding, scan};
