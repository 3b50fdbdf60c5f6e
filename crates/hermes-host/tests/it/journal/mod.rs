//! The journal: complete, in order, and honest about what it does not know.

mod at_once;
mod basics;
mod crash;
mod faults;
mod recovery;
mod sharing;
mod speed;
mod support;
mod tampering;
