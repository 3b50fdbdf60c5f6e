//! Runs one program to its end: no shell, bounded output, its whole tree killed at the deadline.

use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

use super::child::Child;
use super::confinement::Confinement;
use super::launch::Launch;

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
    run_within(program, None).await
}

/// Runs the program behind walls, where there are any.
pub async fn run_within(program: Program, confinement: Option<Confinement>) -> Result<Finished, String> {
    let name = program.argv.first().ok_or("the command is empty")?.clone();
    let launch = Launch { confinement, ..Launch::new(&program.argv, &program.cwd).with_env(program.env) };
    let mut child = Child::start(&launch).await?;
    let work = converse(&mut child, program.stdin, program.max_output);
    match tokio::time::timeout(program.timeout, work).await {
        Ok(finished) => finished.map_err(|error| format!("'{name}' could not be run: {error}")),
        Err(_) => {
            let _ = child.kill().await;
            Err(format!("'{name}' did not finish within {:?}", program.timeout))
        }
    }
}

async fn converse(child: &mut Child, input: Vec<u8>, max_output: usize) -> Result<Finished, String> {
    let stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(mut stdin) = stdin {
            // A program that does not read its input is no failure.
            let _ = stdin.write_all(&input).await;
        }
    };
    let (exit, stdout, stderr, ()) =
        tokio::join!(child.wait(), bounded(stdout, max_output), bounded(stderr, max_output), feed);
    let text = |error: std::io::Error| error.to_string();
    Ok(Finished { exit_code: exit?.code, stdout: stdout.map_err(text)?, stderr: stderr.map_err(text)? })
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
