//! What every kind of link has, whatever carries it, and the handshake that makes a link of it.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use rmcp::RoleClient;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::Transport;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::allowance::Allowance;
use super::asking::Asking;
use super::handler::Handler;
use super::hearing::Hearing;
use super::link::Link;
use super::log::Log;
use super::sent::Sent;
use super::updates::Updates;
use super::watched::Watched;
use crate::assistant::Desk;
use crate::config::Allowed;

/// What every kind of link has, whatever carries it.
pub(super) struct Beginnings {
    pub(super) handler: Handler,
    asking: Asking,
    pub(super) sent: Sent,
    pub(super) closed: CancellationToken,
    lists_changed: Arc<Notify>,
}

impl Beginnings {
    pub(super) fn new(server: &str, log: &Log, allowed: Allowed, root: PathBuf, desk: Desk) -> Self {
        let (asking, lists_changed) = (Asking::new(desk), Arc::new(Notify::new()));
        let handler = Handler {
            server: server.to_owned(),
            log: log.clone(),
            allowed,
            root,
            asking: asking.clone(),
            lists_changed: Arc::clone(&lists_changed),
            updates: Updates::default(),
            allowance: Allowance::default(),
        };
        Beginnings { handler, asking, sent: Sent::default(), closed: CancellationToken::new(), lists_changed }
    }

    pub(super) async fn shake_hands(
        self,
        transport: impl Transport<RoleClient> + 'static,
        mode: ClientLifecycleMode,
    ) -> Result<Link, ClientInitializeError> {
        let Beginnings { handler, asking, sent, closed, lists_changed } = self;
        let (server, log) = (handler.server.clone(), handler.log.clone());
        let hearing = Hearing { server, log, asking: asking.clone() };
        let watched = Watched { inner: transport, hearing, _closed: closed.clone().drop_guard() };
        let service = handler.serve_with_lifecycle(watched, mode).await?;
        let spoken = service.peer_info().map(|info| info.protocol_version.clone());
        if let Some(unknown) = spoken.filter(|spoken| !ProtocolVersion::KNOWN_VERSIONS.contains(spoken)) {
            // Nobody knows what its messages mean.
            service.cancellation_token().cancel();
            return Err(ClientInitializeError::NoCompatibleProtocolVersion {
                client_supported: ProtocolVersion::KNOWN_VERSIONS.to_vec(),
                server_supported: vec![unknown],
            });
        }
        Ok(Link {
            service,
            sent,
            process: Mutex::new(None),
            direct: None,
            asking,
            lists_changed,
            looked_at: AtomicBool::new(false),
            closed,
            log_level: Mutex::default(),
        })
    }
}
