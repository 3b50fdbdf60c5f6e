//! Errands on the other side for doors that need more than the output of a command: a fixed script, fed with
//! bytes, whose answer is taken as it comes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use hermes_core::{ErrorCode, ToolError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio_util::sync::CancellationToken;

use super::backends::{Job, Prepared};
use super::door::{Terminals, failed};
use super::ending::EndThere;
use super::job::Place;
use super::script;
use crate::process::{Child, Stream};

/// What is kept of what the script complains about.
const MOST_COMPLAINTS: u64 = 16 * 1024;
/// How long to wait for complaints once the script has ended.
const REST: Duration = Duration::from_millis(500);

/// A script that is part of this program, and what it is about.
pub(crate) struct Errand<'a> {
    pub(crate) session: &'a str,
    /// Nothing in it comes from outside.
    pub(crate) script: &'a str,
    /// Its standard input.
    pub(crate) input: &'a [u8],
    pub(crate) patience: Duration,
    pub(crate) cancel: &'a CancellationToken,
}

/// What came of an errand.
pub(crate) struct Sent {
    pub(crate) place: Place,
    pub(crate) exit_code: i32,
    pub(crate) complaints: String,
}

impl Terminals {
    /// Whether commands of any session run elsewhere.
    pub(crate) fn lead_elsewhere(&self) -> bool {
        let mut all = std::iter::once(self).chain(self.inner.sessions.values());
        all.any(|terminals| !terminals.inner.is_local())
    }

    /// The folder over there in which a session starts; `None` if commands run on this machine.
    pub(crate) fn folder_elsewhere(&self) -> Option<&str> {
        let first = self.inner.backend.first_folder()?;
        Some(self.inner.settings.cwd.as_deref().filter(|cwd| *cwd != ".").unwrap_or(first))
    }

    /// Runs a script on the other side and hands over its output until it ends or `take` has enough.
    pub(crate) async fn send(
        &self,
        errand: &Errand<'_>,
        take: &mut (dyn FnMut(&[u8]) -> ControlFlow<()> + Send),
    ) -> Result<Sent, ToolError> {
        let mut began = false;
        let mut watched = |piece: &[u8]| {
            began = true;
            take(piece)
        };
        let sent = self.send_once(errand, &mut watched).await?;
        // A script that never said a word did nothing: it did not get there.
        if !began && sent.exit_code != 0 && self.inner.backend.doubt(errand.session).await {
            return self.send_once(errand, take).await;
        }
        Ok(sent)
    }

    /// The same, for a script that says little: what it printed, all at once.
    pub(super) async fn ask(&self, errand: &Errand<'_>) -> Result<(Sent, Vec<u8>), ToolError> {
        let mut said = Vec::new();
        let mut keep = |piece: &[u8]| {
            said.extend(piece);
            ControlFlow::Continue(())
        };
        let sent = self.send(errand, &mut keep).await?;
        Ok((sent, said))
    }

    async fn send_once(
        &self,
        errand: &Errand<'_>,
        take: &mut (dyn FnMut(&[u8]) -> ControlFlow<()> + Send),
    ) -> Result<Sent, ToolError> {
        let mark = script::new_mark();
        let job = Job {
            session: errand.session,
            line: errand.script,
            mark: &mark,
            tells: None,
            lasts: false,
            cwd: Path::new("/"),
            env: &BTreeMap::new(),
            pty: false,
            fed: true,
            kept: false,
            left: None,
            walls: None,
        };
        let Prepared { mut launch, place, .. } = self.inner.backend.prepare(job).await?;
        (launch.stdin, launch.stderr) = (Stream::Piped, Stream::Piped);
        let mut child = Child::start(&launch).await.map_err(|reason| failed(&reason))?;
        let there = EndThere::new(self, errand.session, &mark);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let complaining = tokio::spawn(complaints(stderr));
        let talking = async { tokio::join!(feed(stdin, errand.input), hand_over(stdout, take)).1 };
        let ended = tokio::select! {
            biased;
            () = errand.cancel.cancelled() => {
                Err(ToolError::new(ErrorCode::Cancelled, "the call was cancelled before it was done"))
            }
            () = tokio::time::sleep(errand.patience) => {
                let seconds = errand.patience.as_secs();
                Err(ToolError::new(ErrorCode::Timeout, format!("the other side did not answer in {seconds} s")))
            }
            enough = talking => Ok(enough),
        };
        if !matches!(ended, Ok(ControlFlow::Continue(()))) {
            let _ = child.kill().await;
            there.now().await;
        }
        let _ = ended?;
        let exit = child.wait().await.map_err(|reason| {
            ToolError::new(ErrorCode::OutcomeUnknown, format!("the other side was lost: {reason}"))
        })?;
        there.disarm();
        let complaints = tokio::time::timeout(REST, complaining).await;
        let complaints = complaints.ok().and_then(Result::ok).unwrap_or_default();
        Ok(Sent { place, exit_code: exit.shell_code(), complaints })
    }
}

/// A script that ends before it has read everything has its reasons.
async fn feed(stdin: Option<Sender>, input: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(input).await;
    }
}

async fn hand_over(
    stdout: Option<Receiver>,
    take: &mut (dyn FnMut(&[u8]) -> ControlFlow<()> + Send),
) -> ControlFlow<()> {
    let Some(mut stdout) = stdout else { return ControlFlow::Continue(()) };
    let mut chunk = vec![0; 64 * 1024];
    loop {
        match stdout.read(&mut chunk).await {
            Ok(0) | Err(_) => return ControlFlow::Continue(()),
            Ok(length) => take(chunk.get(..length).unwrap_or_default())?,
        }
    }
}

async fn complaints(stderr: Option<Receiver>) -> String {
    let Some(mut stderr) = stderr else { return String::new() };
    let mut text = Vec::new();
    let _ = (&mut stderr).take(MOST_COMPLAINTS).read_to_end(&mut text).await;
    // The rest is read and dropped, so that nothing is held up.
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&text).into_owned()
}
