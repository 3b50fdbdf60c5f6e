//! Runs the vendors' own programs to their end.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::env::Env;
use crate::process::{Finished, Program, run};

/// Output of such a program that is kept.
const MOST_OUTPUT: usize = 1024 * 1024;

/// A vendor's program on this machine, with the variables it may see.
#[derive(Clone, Debug)]
pub(super) struct Vendor {
    pub(super) program: String,
    /// The folder it runs in.
    cwd: PathBuf,
    env: Vec<(String, String)>,
}

impl Vendor {
    /// The first of these programs that is on this machine.
    pub(super) fn find(programs: &[&str], env: &Env, variables: &[&str]) -> Result<Self, String> {
        let found = programs.iter().find_map(|program| env.find_binary(program));
        let program = found.ok_or_else(|| format!("'{}' is not on this machine", programs.join("' or '")))?;
        Ok(Vendor { program: program.display().to_string(), cwd: "/".into(), env: pass(env, variables) })
    }

    /// The same one in another folder.
    pub(super) fn within(self, cwd: &Path) -> Self {
        Vendor { cwd: cwd.to_owned(), ..self }
    }

    pub(super) fn env(&self) -> &[(String, String)] {
        &self.env
    }

    /// Runs it; what it printed on standard output, or on standard error where it failed.
    pub(super) async fn ask(&self, arguments: &[&str], limit: Duration) -> Result<String, String> {
        let Finished { exit_code, stdout, stderr } = self.run(arguments, limit).await?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        match exit_code {
            Some(0) => Ok(text(stdout)),
            _ => Err(text(stderr)),
        }
    }

    /// Runs it where it leaves something behind that outlives it and us, such as a container without a daemon. A
    /// custodian would end that.
    pub(super) async fn ask_and_leave(&self, arguments: &[&str], limit: Duration) -> Result<String, String> {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .env_clear()
            .envs(self.env.iter().cloned())
            .current_dir(&self.cwd)
            .stdin(Stdio::null())
            // An interrupt is meant for us.
            .process_group(0);
        let running = tokio::task::spawn_blocking(move || command.output());
        let late = || format!("'{}' did not finish within {limit:?}", self.program);
        let output = tokio::time::timeout(limit, running).await.map_err(|_| late())?;
        let output = output.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    async fn run(&self, arguments: &[&str], timeout: Duration) -> Result<Finished, String> {
        let argv = std::iter::once(self.program.as_str()).chain(arguments.iter().copied());
        run(Program {
            argv: argv.map(str::to_owned).collect(),
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            stdin: Vec::new(),
            timeout,
            max_output: MOST_OUTPUT,
        })
        .await
    }
}

/// What every program needs, and these.
fn pass(env: &Env, variables: &[&str]) -> Vec<(String, String)> {
    let wanted = ["PATH", "HOME", "USER", "LANG", "TMPDIR"];
    let passes = |name: &str| wanted.contains(&name) || variables.contains(&name);
    env.iter().filter(|(name, _)| passes(name)).map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
}
