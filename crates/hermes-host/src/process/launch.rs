//! What to start: a program by argument list, with everything it gets said outright.

use std::ffi::OsString;
use std::path::PathBuf;

use super::confinement::Confinement;
use super::limits::Limits;

/// A program to start. Nothing is inherited: not the environment, not a descriptor, not a terminal.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program and its arguments. A name without `/` is looked for on the `PATH` of `env`.
    pub argv: Vec<OsString>,
    /// The shell that would only have become the program, by argument list, for when it cannot be started. Empty:
    /// none, and what `argv` names is all there is.
    pub shell: Vec<OsString>,
    pub cwd: PathBuf,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    pub stdin: Stream,
    pub stdout: Stream,
    pub stderr: Stream,
    /// Whether the three streams are one terminal, which the program may take for a person's.
    pub pty: bool,
    /// Whether the program gets one descriptor more, number 3, by which it tells something: [`super::Child::told`]. Its
    /// standard error is then one with its standard output.
    pub tells: bool,
    /// The walls around it; `None` for a program that may do what this process may.
    pub confinement: Option<Confinement>,
    pub limits: Limits,
}

/// Where one of the three standard streams leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// A pipe whose other end is in [`super::Child`].
    Piped,
    /// Nowhere: reads end at once, writes are dropped.
    Null,
    /// A socket whose other end is in [`super::Child`], for both directions; only for standard input.
    Socket,
    /// The same place as standard output; only for standard error.
    Merged,
}

impl Launch {
    /// The program with all three streams piped and an empty environment.
    pub fn new(argv: impl IntoIterator<Item = impl Into<OsString>>, cwd: impl Into<PathBuf>) -> Self {
        Launch {
            argv: argv.into_iter().map(Into::into).collect(),
            shell: Vec::new(),
            cwd: cwd.into(),
            env: Vec::new(),
            stdin: Stream::Piped,
            stdout: Stream::Piped,
            stderr: Stream::Piped,
            pty: false,
            tells: false,
            confinement: None,
            limits: Limits::default(),
        }
    }

    #[must_use]
    pub fn with_env(
        mut self,
        env: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>,
    ) -> Self {
        self.env = env.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        self
    }
}
