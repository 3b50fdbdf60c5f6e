//! Proof that the walls stand: attempts to get past them, made for real in a place set up for that.

mod attempts;
mod prove;

pub use prove::{Proof, Proven, prove};
