//! Commands on this machine.

use std::path::Path;

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};

use super::contract::{Backend, Job, Prepared};
use crate::process::{Launch, Level, Limits, Stream};
use crate::terminal::job::Place;
use crate::terminal::{plain, script};

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
            // Nobody looks at what is left running, or into a terminal, for its speed.
            let plain = job.is_told_by_input().then(|| plain::words(job.line, job.env)).flatten();
            // One program changes nothing of the shell that there is to tell.
            let told = job.tells.filter(|_| plain.is_none());
            let tells = told.is_some() && script::tells_by_itself(shell, job.line);
            // A terminal of ours shows nothing of the mark that is typed into it.
            let mark = told.map(|_| if tells { script::OWN } else { "" });
            let input = told.filter(|_| !tells).map(|mark| format!("{mark}\n").into_bytes());
            let stdin = if input.is_some() { Stream::Piped } else { Stream::Null };
            let shell = script::argv(shell, mark, job.line);
            let (argv, shell) = plain.map_or((shell.clone(), Vec::new()), |words| (words, shell));
            let launch = Launch {
                shell: shell.into_iter().map(Into::into).collect(),
                stdin,
                stderr: Stream::Merged,
                confinement: job.walls.cloned(),
                limits: self.limits,
                pty: job.pty,
                tells,
                ..Launch::new(argv, job.cwd).with_env(job.env)
            };
            // The sandbox is replaced by what stands once it runs.
            let sandbox = Level::Open.as_str();
            let place = Place { backend: "local", sandbox, ..Place::default() };
            Ok(Prepared { launch, input: input.unwrap_or_default(), place })
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
