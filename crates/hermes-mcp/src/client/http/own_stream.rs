//! The stream on which a server asks of its own accord, beside the answers to calls. It is opened while the first calls
//! leave, and what a server asks before it is open reaches nobody: the call would wait for an answer to a question that
//! was never heard.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

/// Some servers say nothing on a stream before they have something to ask, not even that it is open.
const LIMIT: Duration = Duration::from_secs(1);

/// Whether calls need not wait for the stream any more. Clones share it.
#[derive(Clone)]
pub(super) struct OwnStream(Arc<watch::Sender<bool>>);

impl OwnStream {
    /// Nobody waits for a stream on which nothing may be asked.
    pub(super) fn not_needed() -> Self {
        OwnStream(Arc::new(watch::Sender::new(true)))
    }

    pub(super) fn needed() -> Self {
        OwnStream(Arc::new(watch::Sender::new(false)))
    }

    /// It is open, or the server has none.
    pub(super) fn is_settled(&self) {
        self.0.send_replace(true);
    }

    /// Waits until it is settled, once for all calls and not for long.
    pub(super) async fn settled(&self) {
        let mut state = self.0.subscribe();
        if timeout(LIMIT, state.wait_for(|is_settled| *is_settled)).await.is_err() {
            self.is_settled();
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::super::answer::once_tests::{Web, call, page};
    use super::*;

    #[tokio::test]
    async fn a_call_waits_until_the_server_can_ask_something() {
        for refused in [false, true] {
            let web = Web::start(move |_, request| match request.starts_with("GET") {
                true if refused => page("405 Not Allowed", "", ""),
                true => page("200 OK", "", ""),
                false => page("200 OK", "", r#"{"jsonrpc":"2.0","id":7,"result":{"content":[]}}"#),
            });
            let mut web = web.await;
            web.client = web.client.clone().that_may_be_asked();
            let mut answer = std::pin::pin!(web.post(call()));
            assert!(timeout(Duration::from_millis(100), &mut answer).await.is_err());
            assert!(web.posted("tools/call").is_empty(), "it left early");
            assert_eq!(web.open_stream().await.is_err(), refused);
            answer.await.unwrap();
            assert_eq!(web.posted("tools/call"), ["/old"]);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_never_opens_is_waited_for_once() {
        let stream = OwnStream::needed();
        let start = Instant::now();
        stream.settled().await;
        assert_eq!(start.elapsed(), LIMIT);
        stream.settled().await;
        assert_eq!(start.elapsed(), LIMIT);
    }
}
