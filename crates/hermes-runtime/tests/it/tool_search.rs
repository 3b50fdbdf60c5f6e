//! Tools that hide behind the bridge: who sees them, how they are found, and that nobody sees more.

mod answers;
mod economy;
mod exposure;
mod learning;
mod support;
