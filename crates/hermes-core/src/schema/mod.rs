//! Tool schemas as providers accept them. What a provider is shown may be looser than the original:
//! calls are always validated against the original.

mod checked;
mod circles;
mod drafts;
mod effort;
mod fits;
mod flat;
mod gemini;
mod gemini_rules;
mod keyword;
mod limits;
mod node;
mod normalise;
mod notes;
mod pattern;
mod positions;
mod provider;
pub(crate) mod refs;
mod root;
mod unions;

pub use checked::checked;
pub use effort::Effort;
pub(crate) use effort::values_in;
pub use fits::surely_fits;
pub(crate) use flat::Flat;
pub use normalise::normalise;
pub use notes::notes;
pub use positions::{Position, position};
pub use provider::Provider;
