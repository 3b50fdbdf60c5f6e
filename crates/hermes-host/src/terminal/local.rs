//! Commands on this machine.

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};

use super::backend::{Backend, Job, Started};
use super::job::Place;
use super::script;
use crate::process::{Child, Launch, Limits, Stream};

/// Shells in order of preference.
const SHELLS: &[&str] = &["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];

/// This machine.
#[derive(Debug, Default)]
pub(super) struct Local {
    pub(super) limits: Limits,
}

impl Backend for Local {
    fn start<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Started, ToolError>> {
        Box::pin(async move {
            let shell = SHELLS
                .iter()
                .find(|shell| std::path::Path::new(shell).exists())
                .ok_or_else(|| ToolError::new(ErrorCode::Unavailable, "there is no shell on this machine"))?;
            let launch = Launch {
                stdin: Stream::Null,
                stderr: Stream::Merged,
                confinement: job.walls.cloned(),
                limits: self.limits,
                pty: job.pty,
                ..Launch::new(script::argv(shell, job.mark, job.line), job.cwd).with_env(job.env)
            };
            let child = Child::start(&launch).await.map_err(|reason| failed(&reason))?;
            let (level, lacking) = child.level();
            let place = Place {
                backend: "local",
                sandbox: level.as_str(),
                lacking: lacking.map(str::to_owned),
                identity: None,
            };
            Ok(Started { child, place })
        })
    }
}

fn failed(reason: &str) -> ToolError {
    let error = ToolError::new(ErrorCode::Unavailable, format!("the command could not be started: {reason}"));
    if reason.contains("sandbox") {
        return error.with_hint("'hermes sandbox test' shows what this machine can enforce.");
    }
    error
}
