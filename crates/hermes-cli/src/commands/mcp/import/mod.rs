//! `hermes mcp import`: servers out of other clients' files.

mod comments;
mod read;
mod references;
mod run;
mod shown;
mod translate;

pub(super) use run::run;
