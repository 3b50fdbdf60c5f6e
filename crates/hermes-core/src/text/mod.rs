//! Texts on their way to a model or a terminal.

mod control;
mod controls;
mod excerpt;
mod fences;
mod framing;
mod hex;
mod json_size;
mod printed;
mod sanitise;
mod visible;

pub use controls::odd_controls;
pub use excerpt::head_tail;
pub use hex::hex;
pub use json_size::{MOST_JSON_CHARS, json_chars, json_chars_fit, json_fits, json_len};
pub use printed::printed;
pub use sanitise::{ERROR_PREFIX, sanitise_error, sanitise_redacted, unframed};
pub use visible::visible;
