//! Commands on this machine.

use std::path::Path;

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};

use super::contract::{Backend, Job, Prepared};
use crate::process::{Launch, Level, Limits, Stream};
use crate::terminal::job::Place;
use crate::terminal::script;

/// Shells in order of preference.
const SHELLS: &[&str] = &["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];

/// This machine.
#[derive(Debug)]
pub(in crate::terminal) struct Local {
    pub(in crate::terminal) limits: Limits,
}

impl Backend for Local {
    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>> {
        Box::pin(async move {
            let shell = shell()
                .ok_or_else(|| ToolError::new(ErrorCode::Unavailable, "there is no shell on this machine"))?;
            let launch = Launch {
                stdin: Stream::Null,
                stderr: Stream::Merged,
                confinement: job.walls.cloned(),
                limits: self.limits,
                pty: job.pty,
                ..Launch::new(script::argv(shell, job.tells.then_some(job.mark), job.line), job.cwd)
                    .with_env(job.env)
            };
            // The sandbox is replaced by what stands once it runs.
            let sandbox = Level::Open.as_str();
            let place = Place { backend: "local", sandbox, lacking: None, identity: None };
            Ok(Prepared { launch, place })
        })
    }

    fn check(&self) -> BoxFuture<'_, Result<String, String>> {
        let found = shell().map(str::to_owned).ok_or_else(|| "there is no shell on this machine".to_owned());
        Box::pin(std::future::ready(found))
    }
}

fn shell() -> Option<&'static str> {
    SHELLS.iter().copied().find(|shell| Path::new(shell).exists())
}
