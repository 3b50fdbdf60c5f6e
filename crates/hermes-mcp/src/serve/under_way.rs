//! Requests under way in the sessions of HTTP clients, by their names. The answer to a request finds its way by the name, so
//! of two with the same name at the same time one would never be answered: the second is refused.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt, stream};
use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcMessage, RequestId};
use rmcp::transport::streamable_http_server::SessionId;
use rmcp::transport::streamable_http_server::session::ServerSseMessage;

type Name = (SessionId, RequestId);
type Said = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

#[derive(Clone, Default)]
pub(super) struct UnderWay(Arc<Mutex<HashSet<Name>>>);

impl UnderWay {
    /// Takes the name of a request, until its answer is complete; what to say instead of one if the name is taken.
    pub(super) fn take(
        &self,
        session: &SessionId,
        message: &ClientJsonRpcMessage,
    ) -> Result<Option<Taken>, ServerSseMessage> {
        let JsonRpcMessage::Request(request) = message else { return Ok(None) };
        let name = (SessionId::clone(session), request.id.clone());
        if self.lock().insert(name.clone()) {
            return Ok(Some(Taken { name, under_way: self.clone() }));
        }
        let said = format!("a request with the id {} is under way already", request.id);
        let refused = JsonRpcMessage::error(ErrorData::invalid_request(said, None), Some(request.id.clone()));
        Err(ServerSseMessage::from_message(refused))
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Name>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct Taken {
    name: Name,
    under_way: UnderWay,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.under_way.lock().remove(&self.name);
    }
}

/// What is said about one request.
pub(super) struct Answering {
    said: Option<Said>,
    taken: Option<Taken>,
}

impl Answering {
    pub(super) fn new(
        said: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        taken: Option<Taken>,
    ) -> Self {
        Answering { said: Some(Box::pin(said)), taken }
    }

    pub(super) fn refused(said: ServerSseMessage) -> Self {
        Answering::new(stream::iter([said]), None)
    }
}

impl Stream for Answering {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ServerSseMessage>> {
        let Some(said) = &mut self.said else { return Poll::Ready(None) };
        let next = said.poll_next_unpin(cx);
        if let Poll::Ready(None) = next {
            self.said = None;
            self.taken = None;
        }
        next
    }
}

impl Drop for Answering {
    /// A client that left may ask again by the same name while the first answer is still to come.
    fn drop(&mut self) {
        if let (Some(mut said), Some(taken)) = (self.said.take(), self.taken.take())
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move {
                while said.next().await.is_some() {}
                drop(taken);
            });
        }
    }
}
