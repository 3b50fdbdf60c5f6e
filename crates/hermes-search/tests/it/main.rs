//! Searches as callers make them, over catalogs of real tools.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod cases;
mod encoder;
mod index;
mod names;
mod needs;
mod scripts;
mod service;
mod session;
mod small;
mod spelling;
mod support;
mod tongues;
