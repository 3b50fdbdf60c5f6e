//! The pure functions of the core, against the rows of the fixtures and against hostile input.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

mod coercion;
mod coercion_shapes;
mod efforts;
mod excerpts;
mod explaining;
mod fixtures;
mod generators;
mod grants;
mod names;
mod parsing;
mod properties;
mod quoting;
mod sanitising;
mod schemas;
mod schemas_gemini;
mod senseless_schemas;
