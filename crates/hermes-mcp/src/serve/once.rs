//! The requests of one client that are under way, by their ids. An answer finds its way by the id, so of two requests with
//! the same one a single answer would come, whatever both did: the second is refused before it does anything.

use std::collections::HashSet;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport that lets an id pass once at a time.
pub(super) struct Once<T> {
    inner: T,
    under_way: HashSet<RequestId>,
}

impl<T> Once<T> {
    pub(super) fn new(inner: T) -> Self {
        Once { inner, under_way: HashSet::new() }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Once<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        match &item {
            JsonRpcMessage::Response(response) => self.under_way.remove(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref().is_some_and(|id| self.under_way.remove(id)),
            _ => false,
        };
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
                // What is cancelled is not answered.
                JsonRpcMessage::Notification(told) => {
                    if let ClientNotification::CancelledNotification(cancelled) = &told.notification
                        && let Some(id) = &cancelled.params.request_id
                    {
                        self.under_way.remove(id);
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
