//! Known secrets, and texts shaped like secrets, removed from everything that leaves the runtime.

mod assignment;
mod credentials;
mod forms;
mod halves;
mod known;
mod percent;
mod redactor;
mod shapes;
mod shortened;
mod sieve;
mod span;
mod vendors;
mod wrapped;

pub use redactor::Redactor;
