//! Runs one program to its end: no shell, bounded output, the whole process group killed at the deadline.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

/// A program to run, by argument list.
#[derive(Clone, Debug)]
pub struct Program {
    pub argv: Vec<String>,
    pub cwd: PathBuf,
    /// The whole environment; nothing is inherited.
    pub env: Vec<(String, String)>,
    pub stdin: Vec<u8>,
    pub timeout: Duration,
    /// Output beyond this is read and dropped.
    pub max_output: usize,
}

/// What a program left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// `None` if a signal ended it.
    pub exit_code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs the program. An error says in one phrase why it did not finish.
pub async fn run(program: Program) -> Result<Finished, String> {
    let (name, arguments) = program.argv.split_first().ok_or("the command is empty")?;
    let mut command = Command::new(name);
    command
        .args(arguments)
        .current_dir(&program.cwd)
        .env_clear()
        .envs(program.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Its own group, so that its children can be killed with it.
        .process_group(0)
        .kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| format!("'{name}' cannot be started: {error}"))?;
    let group = GroupGuard::of(&child);
    let work = converse(&mut child, program.stdin, program.max_output);
    let finished = match tokio::time::timeout(program.timeout, work).await {
        Ok(finished) => finished.map_err(|error| format!("'{name}' could not be run: {error}")),
        Err(_) => Err(format!("'{name}' did not finish within {:?}", program.timeout)),
    };
    drop(group);
    let _ = child.wait().await;
    finished
}

async fn converse(child: &mut Child, input: Vec<u8>, max_output: usize) -> std::io::Result<Finished> {
    let stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(mut stdin) = stdin {
            // A program that does not read its input is no failure.
            let _ = stdin.write_all(&input).await;
        }
    };
    let (status, stdout, stderr, ()) =
        tokio::join!(child.wait(), bounded(stdout, max_output), bounded(stderr, max_output), feed);
    Ok(Finished { exit_code: status?.code(), stdout: stdout?, stderr: stderr? })
}

async fn bounded(stream: Option<impl AsyncRead + Unpin>, max: usize) -> std::io::Result<Vec<u8>> {
    let Some(mut stream) = stream else { return Ok(Vec::new()) };
    let mut kept = Vec::new();
    let mut chunk = vec![0; 8192];
    loop {
        let read = stream.read(&mut chunk).await?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { return Ok(kept) };
        let room = max.saturating_sub(kept.len());
        kept.extend(bytes.iter().take(room));
    }
}

/// Kills what is left of a process group when dropped, also when the caller gives up waiting.
struct GroupGuard(Option<Pid>);

impl GroupGuard {
    fn of(child: &Child) -> Self {
        GroupGuard(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)))
    }
}

impl Drop for GroupGuard {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
