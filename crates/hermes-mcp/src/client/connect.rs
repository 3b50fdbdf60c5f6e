//! Makes a link: reaches the server, shakes hands.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_host::http::{HeaderMap, HeaderName, HeaderValue, header};
use rmcp::RoleClient;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::auth::AuthClient;
use rmcp::transport::{StreamableHttpClientTransport, Transport};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::asking::Asking;
use super::child::ServerProcess;
use super::fault::Fault;
use super::handler::Handler;
use super::hearing::Hearing;
use super::http::{GuardedClient, LegacyTransport, transport_config};
use super::link::Link;
use super::log::Log;
use super::sent::Sent;
use super::server::ServerParts;
use super::stdio::StdioTransport;
use super::updates::Updates;
use super::watched::Watched;
use crate::assistant::Desk;
use crate::config::{Allowed, Endpoint, Login, ServerConfig, expand};
use crate::login;

/// How long the standard error of a server that ended is read on.
const TIME_FOR_LAST_WORDS: Duration = Duration::from_millis(500);

/// What a link is made from.
pub(crate) struct Connecting<'a> {
    pub(crate) config: &'a ServerConfig,
    pub(crate) parts: &'a ServerParts,
    pub(crate) log: &'a Log,
    /// The revision that the server spoke when it was last met.
    pub(crate) spoke: Option<String>,
}

/// What every kind of link has, whatever carries it.
pub(super) struct Beginnings {
    handler: Handler,
    asking: Asking,
    pub(super) sent: Sent,
    closed: CancellationToken,
    lists_changed: Arc<Notify>,
}

impl Connecting<'_> {
    /// A new link, or why there is none.
    pub(crate) async fn link(&self) -> Result<Link, Fault> {
        let limit = self.config.connect_timeout;
        match tokio::time::timeout(limit, self.reach()).await {
            Ok(result) => result,
            Err(_) => Err(Fault::NotSent(format!("it did not answer within {} s", limit.as_secs()))),
        }
    }

    async fn reach(&self) -> Result<Link, Fault> {
        match &self.config.endpoint {
            Endpoint::Stdio { .. } => self.reach_program().await,
            Endpoint::Http { url, headers, legacy, login } => {
                let url = self.fill(url).map_err(Fault::NotSent)?;
                self.log.begin(&format!("[connecting to {url}]"));
                let headers = self.headers(headers).map_err(Fault::NotSent)?;
                match legacy {
                    true => self.reach_legacy(&url, headers).await,
                    false => self.reach_streamable(&url, headers, login).await,
                }
            }
        }
    }

    /// Most programs speak the revisions with a handshake. One that refuses it is asked the new way; how it spoke
    /// is remembered.
    async fn reach_program(&self) -> Result<Link, Fault> {
        let stateless = is_stateless(self.spoke.as_deref());
        let modes = if stateless {
            [discover(), ClientLifecycleMode::Initialize]
        } else {
            [ClientLifecycleMode::Initialize, discover()]
        };
        let [first, second] = modes;
        match self.start_program(first).await {
            Ok(link) => Ok(link),
            Err((_, true)) => self.start_program(second).await.map_err(|(reason, _)| Fault::NotSent(reason)),
            Err((reason, false)) => Err(Fault::NotSent(reason)),
        }
    }

    /// Starts the program and shakes hands. An error says whether another handshake may do better.
    async fn start_program(&self, mode: ClientLifecycleMode) -> Result<Link, (String, bool)> {
        let (mut process, streams) = self.program().await.map_err(|reason| (reason, false))?;
        let listening = tokio::spawn(self.log.clone().follow(streams.stderr));
        let begun = self.begin();
        let transport =
            StdioTransport::new(streams.stdout, streams.stdin, begun.sent.clone(), self.log.clone());
        match begun.shake_hands(transport, mode).await {
            Ok(mut link) => {
                link.process = Mutex::new(Some(process));
                Ok(link)
            }
            Err(error) => {
                // The end of the process says more than the end of its output.
                tokio::task::yield_now().await;
                let ended = process.ended().map(|status| format!("it ended with {status}"));
                process.end().await;
                // Its last words say why; something it left behind may hold its standard error open.
                let _ = tokio::time::timeout(TIME_FOR_LAST_WORDS, listening).await;
                let refused = matches!(
                    error,
                    ClientInitializeError::JsonRpcError(_)
                        | ClientInitializeError::NoCompatibleProtocolVersion { .. }
                );
                Err((explain(ended.unwrap_or_else(|| reason(&error)), self.log), refused))
            }
        }
    }

    async fn program(&self) -> Result<(ServerProcess, super::child::Streams), String> {
        let Endpoint::Stdio { command, args, env: extra, cwd } = &self.config.endpoint else {
            return Err("it is not a program of this machine".to_owned());
        };
        let args = args.iter().map(|text| self.fill(text)).collect::<Result<Vec<String>, String>>()?;
        let named = |(name, value): (&String, &String)| Ok((name.clone(), self.fill(value)?));
        let extra = extra.iter().map(named).collect::<Result<BTreeMap<_, _>, String>>()?;
        let command = self.fill(command)?;
        self.log.begin(&format!("[starting {command}]"));
        ServerProcess::start(&command, &args, &extra, cwd, &self.parts.env).await
    }

    /// Asks the new way first, as the protocol wants it. A server that answers that with nonsense is shaken hands
    /// with.
    async fn reach_streamable(&self, url: &str, headers: HeaderMap, login: &Login) -> Result<Link, Fault> {
        let (preferred_versions, legacy_version) = (vec![ProtocolVersion::LATEST], None);
        let probing = ClientLifecycleMode::Auto { preferred_versions, legacy_version };
        match self.shake_hands_over_http(url, headers.clone(), login, probing).await {
            Err((_, true)) => {
                let plain = ClientLifecycleMode::Initialize;
                let made = self.shake_hands_over_http(url, headers, login, plain).await;
                made.map_err(|(fault, _)| fault)
            }
            made => made.map_err(|(fault, _)| fault),
        }
    }

    /// An error says whether another handshake may do better.
    async fn shake_hands_over_http(
        &self,
        url: &str,
        headers: HeaderMap,
        login: &Login,
        mode: ClientLifecycleMode,
    ) -> Result<Link, (Fault, bool)> {
        let begun = self.begin();
        let name = &self.config.name;
        let own_authorization = headers.contains_key(header::AUTHORIZATION);
        let client = self.client(headers, &begun);
        let config = transport_config(url, self.config.parallel);
        let sent = begun.sent.clone();
        let hopeless = |reason: String| (Fault::NotSent(reason), false);
        let made = if !own_authorization && self.parts.logins.has_tokens(name) {
            let mut login = login.clone();
            login.client_secret = match &login.client_secret {
                Some(secret) => Some(self.fill(secret).map_err(hopeless)?),
                None => None,
            };
            let manager = login::manager(&self.parts.http, name, url, &login, &self.parts.logins);
            let client = AuthClient::new(client, manager.await.map_err(hopeless)?);
            begun.shake_hands(StreamableHttpClientTransport::with_client(client, config), mode).await
        } else {
            begun.shake_hands(StreamableHttpClientTransport::with_client(client, config), mode).await
        };
        made.map_err(|error| match sent.last_fault() {
            Some(fault) => (fault, false),
            None => (Fault::NotSent(reason(&error)), true),
        })
    }

    async fn reach_legacy(&self, url: &str, headers: HeaderMap) -> Result<Link, Fault> {
        let begun = self.begin();
        let (client, sent) = (self.client(headers, &begun), begun.sent.clone());
        let opened = LegacyTransport::open(client, url, self.log.clone()).await;
        let transport = opened.map_err(|error| sent.last_fault().unwrap_or(Fault::NotSent(error.message)))?;
        let made = begun.shake_hands(transport, ClientLifecycleMode::Initialize).await;
        made.map_err(|error| sent.last_fault().unwrap_or_else(|| Fault::NotSent(reason(&error))))
    }

    fn client(&self, headers: HeaderMap, begun: &Beginnings) -> GuardedClient {
        let patience = self.config.call_timeout.max(self.config.connect_timeout);
        let (http, closed) = (self.parts.http.clone(), begun.closed.clone());
        GuardedClient::new(http, headers, begun.sent.clone(), patience, closed)
    }

    fn headers(&self, configured: &BTreeMap<String, String>) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in configured {
            let parsed = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| format!("'{name}' is no name of a header"))?;
            let mut value = HeaderValue::from_str(&self.fill(value)?)
                .map_err(|_| format!("the header {name} has characters no header may hold"))?;
            value.set_sensitive(true);
            headers.insert(parsed, value);
        }
        Ok(headers)
    }

    fn fill(&self, text: &str) -> Result<String, String> {
        expand(text, &self.parts.env).map_err(|name| format!("the variable {name} is not set"))
    }

    fn begin(&self) -> Beginnings {
        let ServerConfig { name, allowed, root, .. } = self.config;
        let mut begun = Beginnings::new(name, self.log, *allowed, root.clone(), self.parts.desk.clone());
        begun.handler.updates = self.parts.updates.clone();
        begun
    }
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
        Ok(Link {
            service,
            sent,
            process: Mutex::new(None),
            asking,
            lists_changed,
            closed,
            log_level: Mutex::default(),
        })
    }
}

fn discover() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] }
}

/// Whether a revision has no handshake. Revisions are named by date.
pub(crate) fn is_stateless(revision: Option<&str>) -> bool {
    revision.is_some_and(|revision| revision > ProtocolVersion::LATEST_WITH_INITIALIZE.as_str())
}

pub(super) fn reason(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ConnectionClosed(_) => "it closed its output before the handshake".to_owned(),
        other => other.to_string(),
    }
}

/// A failure with the server's last words, which usually name the cause.
pub(crate) fn explain(what: String, log: &Log) -> String {
    match log.recent().last() {
        Some(words) => format!("{what}; its last words: {words}"),
        None => what,
    }
}
