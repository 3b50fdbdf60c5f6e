//! Known secrets, and texts shaped like secrets, removed from everything that leaves the runtime.

mod assignment;
mod blanks;
mod clean;
mod credentials;
mod dump;
mod escapes;
mod forms;
mod halves;
mod joined;
mod kinds;
mod known;
mod now;
mod redactor;
mod shapes;
mod shortened;
mod sieve;
mod span;
mod told;
mod traces;
mod vendors;
mod wrapped;

pub use redactor::Redactor;
