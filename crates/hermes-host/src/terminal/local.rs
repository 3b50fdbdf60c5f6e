//! Commands on this machine.

use std::path::Path;

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};

use super::backend::{Backend, Job, Prepared};
use super::job::Place;
use super::script;
use crate::process::{Launch, Level, Limits, Stream};

/// Shells in order of preference.
const SHELLS: &[&str] = &["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];

/// This machine.
#[derive(Debug, Default)]
pub(super) struct Local {
    pub(super) limits: Limits,
}

impl Backend for Local {
    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>> {
        Box::pin(async move {
            let shell = SHELLS
                .iter()
                .find(|shell| Path::new(shell).exists())
                .ok_or_else(|| ToolError::new(ErrorCode::Unavailable, "there is no shell on this machine"))?;
            let launch = Launch {
                stdin: Stream::Null,
                stderr: Stream::Merged,
                confinement: job.walls.cloned(),
                limits: self.limits,
                pty: job.pty,
                ..Launch::new(script::argv(shell, job.mark, job.line), job.cwd).with_env(job.env)
            };
            let place = Place {
                backend: "local",
                // Replaced by what stands once it runs.
                sandbox: Level::Open.as_str(),
                lacking: None,
                identity: None,
            };
            Ok(Prepared { launch, place })
        })
    }
}
