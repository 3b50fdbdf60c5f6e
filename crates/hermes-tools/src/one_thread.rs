//! Work that takes megabytes, all on one thread.
//!
//! What a thread once needed the allocator keeps ready for it. Spread over the threads of a pool, the megabytes of one
//! long output stay once for each of them.

use std::sync::LazyLock;
use std::sync::mpsc::{self, Sender};
use std::thread;

use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

/// Who takes the work. `None`: no thread could be had.
static THREAD: LazyLock<Option<Sender<Work>>> = LazyLock::new(|| {
    let (sender, queue) = mpsc::channel::<Work>();
    let working = move || queue.into_iter().for_each(|work| work());
    thread::Builder::new().name("outputs".to_owned()).spawn(working).ok().map(|_| sender)
});

/// Runs `work` after all that came before it. Fails where it panicked, or where there is no thread for it.
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, oneshot::error::RecvError> {
    let (answer, answered) = oneshot::channel();
    let work = move || {
        // What fails is answered by silence, and the thread goes on.
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        if let Ok(done) = done {
            // Whoever asked may have gone.
            let _ = answer.send(done);
        }
    };
    if let Some(thread) = &*THREAD {
        let _ = thread.send(Box::new(work));
    }
    answered.await
}
