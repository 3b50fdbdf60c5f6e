//! Commands in the background: known by an id, looked after by whoever asks, also after a restart.

mod keys;
mod notices;
mod recalled;
mod record;
mod registry;
mod typed;

pub use notices::Notice;
pub use record::{Record, Status};
pub(super) use registry::Registry;
pub(super) use typed::Judged;
