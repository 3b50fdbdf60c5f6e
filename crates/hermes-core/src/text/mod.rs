//! Texts on their way to a model or a terminal.

mod control;
mod excerpt;
mod fences;
mod framing;
mod printed;
mod sanitise;
mod visible;

pub use excerpt::head_tail;
pub use printed::printed;
pub use sanitise::{ERROR_PREFIX, sanitise_error};
pub use visible::visible;
