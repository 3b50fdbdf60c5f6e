//! `cargo xtask tidy`: the rules of the house that no compiler knows.

mod arrows;
mod code;
mod exports;
mod files;
mod finding;
mod manifests;
mod packages;
mod papers;
mod pure;
mod run;
mod source;

pub(crate) use run::run;
