//! Runs the handler: bounded in time, stopped by cancellation, isolated from its panics.

use std::any::Any;
use std::time::Duration;

use futures_util::FutureExt;
use hermes_core::{CallContext, Effect, ErrorCode, Prepared, ToolError, ToolInfo};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// Enters the handler and waits for its end, its deadline or its cancellation.
pub(super) async fn run(
    prepared: Box<dyn Prepared>,
    cx: CallContext,
    info: &ToolInfo,
    timeout: Duration,
) -> Result<Value, ToolError> {
    let mut stop = StopOnDrop { cancel: cx.cancel().clone(), armed: true };
    let handler = std::panic::AssertUnwindSafe(prepared.run(cx)).catch_unwind();
    tokio::pin!(handler);
    let stopped = tokio::select! {
        biased;
        ended = &mut handler => {
            stop.armed = false;
            return settle(ended, info);
        }
        () = stop.cancel.cancelled() => Stopped::Cancelled,
        // Made when it is first looked at: a handler that ends at once needs no timer.
        () = async { tokio::time::sleep(timeout).await } => Stopped::TimedOut(timeout),
    };
    stop.cancel.cancel();
    match tokio::time::timeout(info.stop_grace, &mut handler).await {
        // It stopped by itself and knows best what came of it.
        Ok(Ok(Err(error))) if error.code == ErrorCode::Cancelled => {
            Err(ToolError { data: error.data, ..stopped.error(info) })
        }
        // It had begun and cannot say what came of it.
        Ok(Ok(Err(error))) if error.code == ErrorCode::OutcomeUnknown => {
            let by = stopped.error(info);
            let message = format!("{}: {}", by.message, error.message);
            Err(ToolError { message, ..error }.with_field("cause", by.code.as_str()))
        }
        Ok(ended) => settle(ended, info),
        Err(_) => Err(interrupted(stopped, info)),
    }
}

/// If the caller gives up and drops the call, a handler on another thread must hear of it too.
struct StopOnDrop {
    cancel: CancellationToken,
    armed: bool,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if self.armed {
            self.cancel.cancel();
        }
    }
}

enum Stopped {
    Cancelled,
    TimedOut(Duration),
}

impl Stopped {
    fn error(&self, info: &ToolInfo) -> ToolError {
        match self {
            Stopped::Cancelled => {
                ToolError::new(ErrorCode::Cancelled, format!("'{}' was cancelled", info.name))
            }
            Stopped::TimedOut(limit) => {
                let text = format!("'{}' did not finish within {}", info.name, seconds(*limit));
                ToolError::new(ErrorCode::Timeout, text)
            }
        }
    }
}

/// A call that did not stop by itself: if it may have changed something, nobody can say whether it did.
fn interrupted(stopped: Stopped, info: &ToolInfo) -> ToolError {
    let error = stopped.error(info);
    if info.effect.leaves_traces() && !info.idempotent {
        return unknown(&error.message).with_field("cause", error.code.as_str());
    }
    error
}

fn settle(
    ended: Result<Result<Value, ToolError>, Box<dyn Any + Send>>,
    info: &ToolInfo,
) -> Result<Value, ToolError> {
    let panic = match ended {
        Ok(result) => return result,
        Err(panic) => panic,
    };
    let text = panic_text(&*panic);
    tracing::error!(tool = %info.name, %text, "tool panicked");
    let what = format!("'{}' crashed: {text}", info.name);
    if info.effect == Effect::Mutating && !info.idempotent {
        return Err(unknown(&what).with_field("cause", "crash"));
    }
    Err(ToolError::internal(what))
}

fn unknown(what: &str) -> ToolError {
    ToolError::new(ErrorCode::OutcomeUnknown, format!("{what}; whether it took effect is unknown"))
        .with_hint("Look at the current state before you repeat the call.")
}

/// What a panic said.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "no message".to_owned())
}

fn seconds(limit: Duration) -> String {
    let millis = limit.as_millis();
    if millis.is_multiple_of(1_000) { format!("{} s", millis / 1_000) } else { format!("{millis} ms") }
}
