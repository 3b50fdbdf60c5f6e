//! Tool schemas as providers accept them. What a provider is shown may be looser than the original:
//! calls are always validated against the original.

mod drafts;
mod effort;
mod fits;
mod flat;
mod gemini;
mod gemini_rules;
mod limits;
mod node;
mod normalise;
mod positions;
mod provider;
pub(crate) mod refs;
mod root;
mod unions;

pub use effort::Effort;
pub(crate) use effort::values_in;
pub use fits::surely_fits;
pub(crate) use flat::Flat;
pub use normalise::normalise;
pub use positions::{Position, position};
pub use provider::Provider;
