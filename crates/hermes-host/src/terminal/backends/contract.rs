//! What a place where commands can run must do.

use std::collections::BTreeMap;
use std::path::Path;

use futures_util::future::BoxFuture;
use hermes_core::ToolError;

use crate::process::{Confinement, Launch};
use crate::terminal::job::Place;

/// A command on its way to a shell.
#[derive(Clone, Copy, Debug)]
pub(in crate::terminal) struct Job<'a> {
    pub(in crate::terminal) session: &'a str,
    pub(in crate::terminal) line: &'a str,
    /// Names the command, so that its processes can be found on the other side.
    pub(in crate::terminal) mark: &'a str,
    /// The secret by which the shell tells at its end where it stands, if it must.
    pub(in crate::terminal) tells: Option<&'a str>,
    /// Whether it may outlive this process, and is typed into.
    pub(in crate::terminal) lasts: bool,
    /// `~` is the home folder of the other side.
    pub(in crate::terminal) cwd: &'a Path,
    /// The whole environment here; what the session changed elsewhere.
    pub(in crate::terminal) env: &'a BTreeMap<String, String>,
    pub(in crate::terminal) pty: bool,
    /// Whether something is written to its standard input.
    pub(in crate::terminal) fed: bool,
    /// Whether somebody stays with it over there, and ends with it what it leaves running.
    pub(in crate::terminal) kept: bool,
    /// A folder over there with what it is told, where its standard input is a terminal, which would show it.
    pub(in crate::terminal) left: Option<&'a str>,
    pub(in crate::terminal) walls: Option<&'a Confinement>,
}

impl Job<'_> {
    /// Whether the secret comes by standard input. A terminal on the other side would show it.
    pub(in crate::terminal) fn is_told_by_input(&self) -> bool {
        self.tells.is_some() && !self.pty
    }

    /// Where the secret is; empty where it comes by standard input.
    pub(in crate::terminal) fn mark_given(&self) -> Option<&str> {
        self.tells.map(|_| self.left.unwrap_or_default())
    }
}

/// The program on this machine that runs the command, here or elsewhere.
pub(in crate::terminal) struct Prepared {
    pub(in crate::terminal) launch: Launch,
    /// What is written to its standard input before anything else.
    pub(in crate::terminal) input: Vec<u8>,
    pub(in crate::terminal) place: Place,
}

/// A place where commands run in a shell.
pub(in crate::terminal) trait Backend: Send + Sync {
    /// Where a session's first command runs, if not in the session's own folder.
    fn first_folder(&self) -> Option<&str> {
        None
    }

    /// Bytes of variables that a session's commands can be given: of one, and of all together.
    fn most_kept(&self) -> (usize, usize) {
        (100 * 1024, 1024 * 1024)
    }

    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>>;

    /// Whether a place that was seen a moment ago was taken for granted for this session. It is looked at again then.
    fn doubt<'a>(&'a self, _session: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(std::future::ready(false))
    }

    /// Ends what is left of a command on the other side; whether that is known to be done. Here the custodian has done
    /// so.
    fn end<'a>(&'a self, _session: &'a str, _mark: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(std::future::ready(true))
    }

    /// Takes away what sessions left there to be used again; how many there were.
    fn clean(&self) -> BoxFuture<'_, Result<usize, String>> {
        Box::pin(std::future::ready(Ok(0)))
    }

    /// Whether commands can run there now; what is there, or what to do about it.
    fn check(&self) -> BoxFuture<'_, Result<String, String>>;
}

/// An error as one text, for a check that is not a call.
pub(super) fn with_hint(error: &ToolError) -> String {
    let hint = error.hint.as_deref().map(|hint| format!(" {hint}")).unwrap_or_default();
    format!("{}{hint}", sentence(&error.message))
}

/// What somebody said, with a full stop where it has none of its own.
pub(super) fn sentence(said: &str) -> String {
    let said = said.trim_end();
    match said.ends_with(['.', '?', '!']) {
        true => said.to_owned(),
        false => format!("{said}."),
    }
}

#[cfg(test)]
mod tests {
    use hermes_core::ErrorCode;

    use super::*;

    #[test]
    fn a_sentence_ends_once() {
        for (said, ended) in [
            ("Host key verification failed.", "Host key verification failed."),
            ("is the docker daemon running?", "is the docker daemon running?"),
            ("terminal.ssh_host is not set", "terminal.ssh_host is not set."),
        ] {
            assert_eq!(sentence(said), ended);
            let error = ToolError::new(ErrorCode::Unavailable, said).with_hint("Set it.");
            assert_eq!(with_hint(&error), format!("{ended} Set it."));
        }
    }
}
