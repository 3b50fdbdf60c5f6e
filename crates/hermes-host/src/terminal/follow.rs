//! Follows a command to its end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hermes_core::{CallContext, ErrorCode, ToolError};
use tokio::time::Instant;

use super::capture::{Capture, Finished};
use super::ending::EndThere;
use super::inflow::Inflow;
use super::job::{Ending, Place, Ran};
use super::live::Live;
use super::told::Told;
use crate::process::{Child, Exit};

/// How long a command may take to end by itself at its deadline.
pub(super) const GRACE: Duration = Duration::from_millis(1_000);
/// The same when the caller does not want it any more.
pub(super) const SHORT_GRACE: Duration = Duration::from_millis(250);
/// How long to wait for the rest of the output once everything that could write it has ended.
const REST: Duration = Duration::from_millis(500);

/// How to follow it.
pub(super) struct Following<'a> {
    /// The mark to look for among the output, if there is one.
    pub(super) mark: Option<&'a str>,
    pub(super) timeout: Duration,
    /// Since when.
    pub(super) begun: Instant,
    /// Bytes of output to keep.
    pub(super) most: usize,
    /// How to end it where it really runs.
    pub(super) there: &'a EndThere,
}

/// Reads until the program and everything it started have ended, or until somebody has had enough. What goes on
/// `beside` it is carried on meanwhile.
pub(super) async fn follow(
    mut child: Child,
    beside: impl Future<Output = ()>,
    place: Place,
    following: &Following<'_>,
    cx: &CallContext,
) -> Result<(Ran, Option<Vec<u8>>), ToolError> {
    let Following { mark, timeout, begun, most, there } = *following;
    let capture = Capture::new(most, mark).keeping().watched(Live::of(cx));
    let mut output = Inflow::new(child.stdout.take(), capture);
    let mut told = Told::by(child.told.take());
    let deadline = begun + timeout;
    let (mut ending, mut unsure) = (Ending::Exited, false);
    let mut alone = false;
    tokio::pin!(beside);
    let exit = loop {
        tokio::select! {
            biased;
            () = cx.cancel().cancelled() => {
                ending = Ending::Interrupted;
                let ending = stop(&mut child, there, SHORT_GRACE, &mut unsure);
                break drain_while(ending, &mut output, &mut told).await;
            }
            () = tokio::time::sleep_until(deadline) => {
                ending = Ending::TimedOut(timeout);
                let ending = stop(&mut child, there, GRACE, &mut unsure);
                break drain_while(ending, &mut output, &mut told).await;
            }
            () = output.next() => {}
            () = told.listen(), if told.may_come() => {}
            () = &mut beside, if !alone => alone = true,
            exit = child.wait() => break exit,
        }
    };
    // Something outside of the program's tree may hold the other end.
    let _ = tokio::time::timeout(REST, output.rest()).await;
    let exit = exit.map_err(|reason| {
        ToolError::new(ErrorCode::OutcomeUnknown, format!("the program was lost: {reason}"))
    })?;
    let Finished { captured: output, state: among_output, spill } = output.finish().await?;
    let exit_code = code(ending, &exit);
    let left_behind = exit.left_behind;
    let ran = Ran {
        output,
        rest: spill.map(Arc::new),
        exit_code,
        signal: exit.signal,
        ending,
        left_behind,
        unsure,
        cwd: PathBuf::new(),
        place,
        closed: Vec::new(),
        kept: Vec::new(),
        taken: child.taken(),
        unkept: Vec::new(),
        moved: None,
    };
    Ok((ran, told.last().or(among_output)))
}

/// Ends it where it really runs, so that its shell can still tell where it stands; then its program here. `unsure` where
/// the other side does not say that it ended.
async fn stop(
    child: &mut Child,
    there: &EndThere,
    grace: Duration,
    unsure: &mut bool,
) -> Result<Exit, String> {
    if let Some(is_done) = there.now().await {
        *unsure = !is_done;
        if is_done && let Ok(exit) = tokio::time::timeout(grace, child.wait()).await {
            return exit;
        }
    }
    child.stop(grace).await
}

/// A program that is told to end may still print and tell, and must not be held up by a full pipe.
async fn drain_while<T>(ending: impl Future<Output = T>, output: &mut Inflow, told: &mut Told) -> T {
    tokio::pin!(ending);
    loop {
        tokio::select! {
            ended = &mut ending => return ended,
            () = told.listen(), if told.may_come() => {}
            () = output.next() => {}
        }
    }
}

fn code(ending: Ending, exit: &Exit) -> i32 {
    match ending {
        Ending::Exited => exit.shell_code(),
        Ending::TimedOut(_) => 124,
        Ending::Interrupted => 130,
    }
}
