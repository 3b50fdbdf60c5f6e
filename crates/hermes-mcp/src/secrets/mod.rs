//! What servers must not show: the secrets of this process, and what each of them was given to say who asks.

mod cover;
mod given;
mod looks;
mod process;

pub(crate) use cover::Cover;
pub use given::{Given, given};
pub(crate) use process::Secrets;
