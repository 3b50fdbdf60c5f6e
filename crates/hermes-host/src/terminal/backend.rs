//! What a place where commands can run must do.

use std::collections::BTreeMap;
use std::path::Path;

use futures_util::future::BoxFuture;
use hermes_core::ToolError;

use super::job::Place;
use crate::process::{Child, Confinement};

/// A command on its way to a shell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    pub(super) line: &'a str,
    pub(super) mark: &'a str,
    pub(super) cwd: &'a Path,
    /// The whole environment.
    pub(super) env: &'a BTreeMap<String, String>,
    pub(super) pty: bool,
    pub(super) walls: Option<&'a Confinement>,
}

/// A command that runs.
pub(super) struct Started {
    /// The program on this machine that stands for it.
    pub(super) child: Child,
    pub(super) place: Place,
}

/// A place where commands run in a shell.
pub(super) trait Backend: Send + Sync {
    fn start<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Started, ToolError>>;
}
