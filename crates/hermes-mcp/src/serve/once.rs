//! The requests of one client that are under way, by their ids. An answer finds its way by the id, so of two requests with
//! the same one a single answer would come, whatever both did: the second is refused before it does anything.

use std::collections::{HashSet, VecDeque};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// How many requests that were cancelled keep their ids.
const KEPT: usize = 1024;

/// A transport that lets an id pass once at a time.
pub(super) struct Once<T> {
    inner: T,
    under_way: HashSet<RequestId>,
    /// Those of them that were cancelled, the oldest first. What one did till then is answered under its id while it winds
    /// down, and nobody hears when that is over.
    cancelled: VecDeque<RequestId>,
}

impl<T> Once<T> {
    pub(super) fn new(inner: T) -> Self {
        Once { inner, under_way: HashSet::new(), cancelled: VecDeque::new() }
    }

    fn cancel(&mut self, id: &RequestId) {
        if !self.under_way.contains(id) || self.cancelled.contains(id) {
            return;
        }
        self.cancelled.push_back(id.clone());
        if self.cancelled.len() > KEPT
            && let Some(oldest) = self.cancelled.pop_front()
        {
            self.under_way.remove(&oldest);
        }
    }

    fn answered(&mut self, id: &RequestId) {
        if self.under_way.remove(id) && !self.cancelled.is_empty() {
            self.cancelled.retain(|cancelled| cancelled != id);
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Once<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = answered {
            self.answered(id);
        }
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            match &message {
                JsonRpcMessage::Request(request) if !self.under_way.insert(request.id.clone()) => {
                    let said = format!("a request with the id {} is under way already", request.id);
                    let said = ErrorData::invalid_request(said, None);
                    self.inner.send(JsonRpcMessage::error(said, Some(request.id.clone()))).await.ok()?;
                    continue;
                }
                JsonRpcMessage::Notification(told) => {
                    if let ClientNotification::CancelledNotification(cancelled) = &told.notification
                        && let Some(id) = &cancelled.params.request_id
                    {
                        self.cancel(id);
                    }
                }
                _ => {}
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use rmcp::model::{
        CancelledNotification, CancelledNotificationParam, ClientRequest, PingRequest, ServerResult,
    };

    use super::*;

    /// Brings what is in it, the last first.
    struct Heap(Vec<RxJsonRpcMessage<RoleServer>>);

    impl Transport<RoleServer> for Heap {
        type Error = Infallible;

        fn send(
            &mut self,
            _: TxJsonRpcMessage<RoleServer>,
        ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
            std::future::ready(Ok(()))
        }

        async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
            self.0.pop()
        }

        async fn close(&mut self) -> Result<(), Self::Error> {
            Ok(())
        }
    }

    fn asked(id: i64) -> RxJsonRpcMessage<RoleServer> {
        let ping = ClientRequest::PingRequest(PingRequest::default());
        JsonRpcMessage::request(ping, RequestId::Number(id))
    }

    fn cancelled(id: i64) -> RxJsonRpcMessage<RoleServer> {
        let params = CancelledNotificationParam::new(Some(RequestId::Number(id)), None);
        let cancelled = CancelledNotification::new(params);
        JsonRpcMessage::notification(ClientNotification::CancelledNotification(cancelled))
    }

    #[tokio::test]
    async fn the_ids_of_what_was_cancelled_stay_taken_and_are_bounded() {
        let mut once = Once::new(Heap(Vec::new()));
        for id in 0..3 * KEPT as i64 {
            for message in [asked(id), cancelled(id), cancelled(id)] {
                once.inner.0.push(message);
                assert!(once.receive().await.is_some());
            }
            once.inner.0.push(asked(id));
            assert!(once.receive().await.is_none(), "{id} is refused");
        }
        assert_eq!((once.under_way.len(), once.cancelled.len()), (KEPT, KEPT));
        // An answer frees its id.
        let last = RequestId::Number(3 * KEPT as i64 - 1);
        once.send(JsonRpcMessage::response(ServerResult::empty(()), last.clone())).await.unwrap();
        assert!(!once.under_way.contains(&last) && !once.cancelled.contains(&last));
    }
}
