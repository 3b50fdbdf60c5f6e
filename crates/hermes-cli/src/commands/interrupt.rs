//! Ctrl-C and the run's own deadline, as one cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// Fires on Ctrl-C, on termination or when the time is up; a second Ctrl-C ends the process at once.
#[derive(Clone)]
pub(crate) struct Interrupt {
    pub(crate) token: CancellationToken,
    by_user: Arc<AtomicBool>,
    by_deadline: Arc<AtomicBool>,
}

impl Interrupt {
    pub(crate) fn watch(timeout: Option<Duration>) -> Self {
        let interrupt = Interrupt {
            token: CancellationToken::new(),
            by_user: Arc::default(),
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
                () = signal() => watching.by_user.store(true, Ordering::SeqCst),
                () = deadline => watching.by_deadline.store(true, Ordering::SeqCst),
            }
            watching.token.cancel();
            signal().await;
            std::process::exit(i32::from(crate::failure::exit::INTERRUPTED));
        });
        interrupt
    }

    pub(crate) fn was_by_user(&self) -> bool {
        self.by_user.load(Ordering::SeqCst)
    }

    pub(crate) fn was_by_deadline(&self) -> bool {
        self.by_deadline.load(Ordering::SeqCst)
    }
}

async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut stream) => {
                stream.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}
