//! The sessions of clients over HTTP. Many clients never say that they leave, and those that stay may be silent for hours:
//! while their user thinks, while a question waits for somebody, while a call runs. So nobody is sent away for silence,
//! and where there are too many, whoever was silent for longest goes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{SessionId, SessionManager};

use super::under_way::{Answering, UnderWay};

/// Sessions at the same time.
const MAX_SESSIONS: usize = 128;
/// A session in which nothing at all happened for this long is over.
const LONGEST_SILENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

pub(super) struct Sessions {
    kept: LocalSessionManager,
    /// When each was last heard of.
    heard: Mutex<HashMap<SessionId, Instant>>,
    under_way: UnderWay,
}

impl Default for Sessions {
    fn default() -> Self {
        let mut kept = LocalSessionManager::default();
        kept.session_config.keep_alive = Some(LONGEST_SILENCE);
        Sessions { kept, heard: Mutex::default(), under_way: UnderWay::default() }
    }
}

impl Sessions {
    fn hear(&self, id: &SessionId) {
        if let Some(heard) = self.lock().get_mut(id) {
            *heard = Instant::now();
        }
    }

    /// Takes note of a new session; the one that has to go for it, if there are too many.
    fn admit(&self, id: SessionId) -> Option<SessionId> {
        let mut heard = self.lock();
        let silent = heard.iter().min_by_key(|(_, at)| **at).map(|(id, _)| SessionId::clone(id));
        let leaving = silent.filter(|_| heard.len() >= MAX_SESSIONS);
        if let Some(leaving) = &leaving {
            heard.remove(leaving);
        }
        heard.insert(id, Instant::now());
        leaving
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Instant>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Kept = LocalSessionManager;

impl SessionManager for Sessions {
    type Error = <Kept as SessionManager>::Error;
    type Transport = <Kept as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.kept.create_session().await?;
        if let Some(leaving) = self.admit(SessionId::clone(&id)) {
            // How it ends is its own affair.
            let _ = self.kept.close_session(&leaving).await;
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.kept.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.kept.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.lock().remove(id);
        self.kept.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.hear(id);
        let taken = match self.under_way.take(id, &message) {
            Ok(taken) => taken,
            Err(refused) => return Ok(Answering::refused(refused)),
        };
        Ok(Answering::new(self.kept.create_stream(id, message).await?, taken))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.hear(id);
        self.kept.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.hear(id);
        self.kept.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.hear(id);
        self.kept.resume(id, last_event_id).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_one_that_was_silent_for_longest_goes_and_nobody_else() {
        let sessions = Sessions::default();
        let mut made = Vec::new();
        for _ in 0..MAX_SESSIONS {
            made.push(sessions.create_session().await.unwrap());
        }
        sessions.hear(&made[0].0);
        made.push(sessions.create_session().await.unwrap());
        let mut gone = Vec::new();
        for (at, (id, _)) in made.iter().enumerate() {
            if !sessions.has_session(id).await.unwrap() {
                gone.push(at);
            }
        }
        assert_eq!(gone, [1]);
        assert_eq!(sessions.lock().len(), MAX_SESSIONS);
    }
}
