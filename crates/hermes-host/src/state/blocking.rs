//! Disk work kept off the threads that drive async code.

use hermes_core::ToolError;
use tokio::runtime::Handle;

use super::fault::fault;

/// Runs `work` where it may block. Outside of a tokio runtime there is nobody to hold up.
pub(crate) async fn run<T, F>(work: F) -> Result<T, ToolError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, ToolError> + Send + 'static,
{
    match Handle::try_current() {
        Ok(runtime) => runtime
            .spawn_blocking(work)
            .await
            .unwrap_or_else(|error| Err(fault("the disk work was cut short", error))),
        Err(_) => work(),
    }
}
