//! The writing side of a link. A line is written at once where the stream takes it, without waking anybody; what it
//! does not take waits for a task that goes on when the reader has caught up.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::AsyncWrite;
use tokio::sync::{Notify, oneshot};

/// How many bytes may wait before [`Outbox::room`] does.
const ROOM: usize = 16 * 1024 * 1024;

/// Lines on their way out, in the order they were given. Dropping it closes the stream once all of them are written.
pub(crate) struct Outbox<W>(Arc<Mutex<State<W>>>);

struct State<W> {
    writer: W,
    waiting: VecDeque<Outgoing>,
    /// How many bytes wait.
    bytes: usize,
    /// Fires when fewer do.
    fewer: Arc<Notify>,
    /// Wakes the task that writes what waits.
    task: Option<Waker>,
    closing: bool,
}

struct Outgoing {
    line: Vec<u8>,
    written: usize,
    /// To be asked before the first byte leaves: whether it is to leave still.
    before: Option<Box<dyn FnOnce() -> bool + Send>>,
    done: oneshot::Sender<io::Result<()>>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Outbox<W> {
    pub(crate) fn new(writer: W) -> Self {
        let (waiting, fewer) = (VecDeque::new(), Arc::default());
        let state = State { writer, waiting, bytes: 0, fewer, task: None, closing: false };
        let shared = Arc::new(Mutex::new(state));
        let mut behind = Some(Arc::clone(&shared));
        tokio::spawn(std::future::poll_fn(move |cx| {
            let Some(shared) = &behind else { return Poll::Ready(()) };
            let ended = lock(shared).write_waiting(cx);
            if ended.is_ready() {
                // The last one to let go closes the stream.
                behind = None;
            }
            ended
        }));
        Outbox(shared)
    }

    /// Sends a line, which has its end already; `before` is asked before any of it leaves, and may keep it from leaving.
    /// That nobody waits for it does not: what a server is told may be told by somebody who has gone.
    pub(crate) fn send(&self, line: Vec<u8>, before: impl FnOnce() -> bool + Send + 'static) -> Sending {
        let (done, answer) = oneshot::channel();
        let outgoing = Outgoing { line, written: 0, before: Some(Box::new(before)), done };
        lock(&self.0).send(outgoing);
        Sending(answer)
    }

    /// Waits while too much waits. Who is told things because it asks is not to be heard before this: it may never read.
    pub(crate) async fn room(&self) {
        let fewer = Arc::clone(&lock(&self.0).fewer);
        loop {
            let mut stirred = std::pin::pin!(fewer.notified());
            stirred.as_mut().enable();
            if lock(&self.0).bytes < ROOM {
                return;
            }
            stirred.await;
        }
    }
}

/// A line on its way; ready when all of it has left.
pub(crate) struct Sending(oneshot::Receiver<io::Result<()>>);

impl Future for Sending {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answered = Pin::new(&mut self.0).poll(cx);
        answered.map(|answer| answer.unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into())))
    }
}

impl<W> Drop for Outbox<W> {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.closing = true;
        state.wake();
    }
}

impl<W> State<W> {
    fn wake(&self) {
        if let Some(task) = &self.task {
            task.wake_by_ref();
        }
    }
}

impl<W: AsyncWrite + Unpin> State<W> {
    fn send(&mut self, mut outgoing: Outgoing) {
        // Nobody overtakes those that wait.
        if self.waiting.is_empty() {
            let mut nobody = Context::from_waker(Waker::noop());
            if let Poll::Ready(result) = outgoing.write(&mut self.writer, &mut nobody) {
                let _ = outgoing.done.send(result);
                return;
            }
        }
        self.bytes += outgoing.line.len();
        self.waiting.push_back(outgoing);
        self.wake();
    }

    /// Ready when there will be nothing more to write.
    fn write_waiting(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(first) = self.waiting.front_mut() {
            let Poll::Ready(result) = first.write(&mut self.writer, cx) else { break };
            if let Some(first) = self.waiting.pop_front() {
                self.bytes -= first.line.len();
                self.fewer.notify_waiters();
                let _ = first.done.send(result);
            }
        }
        if self.closing && self.waiting.is_empty() {
            return Poll::Ready(());
        }
        self.task = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Outgoing {
    fn write(
        &mut self,
        writer: &mut (impl AsyncWrite + Unpin),
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        if self.before.take().is_some_and(|before| !before()) {
            return Poll::Ready(Err(io::Error::other("it was given up before it left")));
        }
        while let Some(rest) = self.line.get(self.written..).filter(|rest| !rest.is_empty()) {
            match Pin::new(&mut *writer).poll_write(cx, rest) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(written)) => self.written += written,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
        }
        Pin::new(writer).poll_flush(cx)
    }
}

fn lock<W>(state: &Mutex<State<W>>) -> MutexGuard<'_, State<W>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn lines_leave_in_order_however_slowly_they_are_read() {
        let (writer, mut reader) = tokio::io::duplex(7);
        let outbox = Outbox::new(writer);
        let begun = Arc::new(Mutex::new(Vec::new()));
        let sent: Vec<_> = (0..50)
            .map(|n| {
                let begun = Arc::clone(&begun);
                outbox.send(format!("line {n}\n").into_bytes(), move || {
                    begun.lock().unwrap().push(n);
                    true
                })
            })
            .collect();
        assert_eq!(*begun.lock().unwrap(), [0, 1], "what waits behind another has not begun");
        drop(outbox);
        let mut text = String::new();
        // Ends, because the stream is closed behind the last line.
        reader.read_to_string(&mut text).await.unwrap();
        let expected: String = (0..50).map(|n| format!("line {n}\n")).collect();
        assert_eq!(text, expected);
        for sent in sent {
            sent.await.unwrap();
        }
        assert_eq!(*begun.lock().unwrap(), (0..50).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_closed_stream_is_an_error_for_each() {
        let (writer, reader) = tokio::io::duplex(7);
        let outbox = Outbox::new(writer);
        let waiting = outbox.send(b"longer than there is room\n".to_vec(), || true);
        drop(reader);
        waiting.await.unwrap_err();
        outbox.send(b"x\n".to_vec(), || true).await.unwrap_err();
    }
}
