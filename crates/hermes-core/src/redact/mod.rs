//! Known secrets, and texts shaped like secrets, removed from everything that leaves the runtime.

mod assignment;
mod credentials;
mod forms;
mod known;
mod redactor;
mod shapes;
mod sieve;
mod span;
mod vendors;
mod wrapped;

pub use redactor::Redactor;
