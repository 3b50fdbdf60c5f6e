//! What a place where commands can run must do.

use std::collections::BTreeMap;
use std::path::Path;

use futures_util::future::BoxFuture;
use hermes_core::ToolError;

use super::job::Place;
use crate::process::{Confinement, Launch};

/// A command on its way to a shell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    pub(super) line: &'a str,
    /// Set where the shell must tell at its end where it stands.
    pub(super) mark: Option<&'a str>,
    pub(super) cwd: &'a Path,
    /// The whole environment.
    pub(super) env: &'a BTreeMap<String, String>,
    pub(super) pty: bool,
    pub(super) walls: Option<&'a Confinement>,
}

/// The program on this machine that runs the command, here or elsewhere.
pub(super) struct Prepared {
    pub(super) launch: Launch,
    pub(super) place: Place,
}

/// A place where commands run in a shell.
pub(super) trait Backend: Send + Sync {
    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>>;
}
