//! Signals and the run's own deadline, as one cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use tokio::signal::unix::SignalKind;
use tokio_util::sync::CancellationToken;

use crate::failure::exit;

/// Fires on Ctrl-C, on termination or when the time is up; a second signal ends the process at once.
#[derive(Clone)]
pub(crate) struct Interrupt {
    pub(crate) token: CancellationToken,
    /// The exit code that names the signal; 0 as long as there was none.
    by_signal: Arc<AtomicU8>,
    by_deadline: Arc<AtomicBool>,
}

impl Interrupt {
    pub(crate) fn watch(timeout: Option<Duration>) -> Self {
        let interrupt = Interrupt {
            token: CancellationToken::new(),
            by_signal: Arc::default(),
            by_deadline: Arc::default(),
        };
        let watching = interrupt.clone();
        tokio::spawn(async move {
            let deadline = async {
                match timeout {
                    Some(timeout) => tokio::time::sleep(timeout).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                code = signal() => watching.by_signal.store(code, Ordering::SeqCst),
                () = deadline => watching.by_deadline.store(true, Ordering::SeqCst),
            }
            watching.token.cancel();
            std::process::exit(i32::from(signal().await));
        });
        interrupt
    }

    /// The exit code that a signal asks for, if one came.
    pub(crate) fn code(&self) -> Option<u8> {
        Some(self.by_signal.load(Ordering::SeqCst)).filter(|code| *code != exit::OK)
    }

    pub(crate) fn was_by_deadline(&self) -> bool {
        self.by_deadline.load(Ordering::SeqCst)
    }
}

/// Waits for a signal; its exit code is the one that shells give to a program that died of it.
async fn signal() -> u8 {
    async fn came(kind: SignalKind) {
        match tokio::signal::unix::signal(kind) {
            Ok(mut stream) => {
                stream.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    }
    tokio::select! {
        () = came(SignalKind::interrupt()) => exit::INTERRUPTED,
        () = came(SignalKind::terminate()) => exit::TERMINATED,
    }
}
