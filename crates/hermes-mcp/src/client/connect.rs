//! Makes a link: reaches the server, shakes hands.

use std::collections::BTreeMap;
use std::sync::Arc;

use hermes_host::http::{HeaderMap, HeaderName, HeaderValue, header};
use rmcp::model::ProtocolVersion;
use rmcp::service::ClientLifecycleMode;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationManager};

use super::allowance::Allowance;
use super::beginnings::Beginnings;
use super::fault::Fault;
use super::http::{GuardedClient, LegacyTransport, Pings, transport_config};
use super::link::Link;
use super::log::Log;
use super::program::discover;
use super::server::ServerParts;
use super::words::of_handshake;
use crate::config::{Endpoint, Era, Login, ServerConfig, expand};
use crate::login::{self, Kept};
use crate::secrets::given;

/// What a link is made from.
pub(crate) struct Connecting<'a> {
    pub(crate) config: &'a ServerConfig,
    pub(crate) parts: &'a ServerParts,
    pub(crate) log: &'a Log,
    pub(crate) allowance: &'a Allowance,
    pub(crate) pings: &'a Pings,
    /// The revision that the server spoke when it was last met.
    pub(crate) spoke: Option<String>,
}

impl Connecting<'_> {
    /// A new link, or why there is none.
    pub(crate) async fn link(&self) -> Result<Link, Fault> {
        let limit = self.config.connect_timeout;
        match tokio::time::timeout(limit, self.reach()).await {
            Ok(result) => result.map_err(|fault| fault.covered(&self.log.cover)),
            Err(_) => Err(Fault::NotSent(format!("it did not answer within {} s", limit.as_secs()))),
        }
    }

    async fn reach(&self) -> Result<Link, Fault> {
        self.log.cover.learn(given(&self.config.endpoint, &self.parts.env).all);
        self.log.hide(self.parts.secrets.redactor());
        match &self.config.endpoint {
            Endpoint::Stdio { .. } => self.reach_program().await,
            Endpoint::Http { url, headers, legacy, login } => {
                let url = self.fill(url).map_err(Fault::NotSent)?;
                // Paths and queries may hold keys.
                let origin = url::Url::parse(&url).map(|url| url.origin().ascii_serialization());
                self.log.begin(&format!("[connecting to {}]", origin.unwrap_or_default()));
                let headers = self.headers(headers).map_err(Fault::NotSent)?;
                match legacy {
                    true => self.reach_legacy(&url, headers, login).await,
                    false => self.reach_streamable(&url, headers, login).await,
                }
            }
        }
    }

    /// Asks the new way first, as the protocol wants it. A server that answers that with nonsense is shaken hands
    /// with.
    async fn reach_streamable(&self, url: &str, headers: HeaderMap, login: &Login) -> Result<Link, Fault> {
        let (preferred_versions, legacy_version) = (vec![ProtocolVersion::LATEST], None);
        let probing = match self.config.era {
            Era::Any => ClientLifecycleMode::Auto { preferred_versions, legacy_version },
            Era::Sessions => ClientLifecycleMode::Initialize,
            Era::Stateless => discover(),
        };
        match self.shake_hands_over_http(url, headers.clone(), login, probing).await {
            Err((_, true)) if self.config.era == Era::Any => {
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
        let own_authorization = headers.contains_key(header::AUTHORIZATION);
        let mut client = self.client(headers, &begun);
        if self.config.allowed.elicitation || self.config.allowed.sampling {
            client = client.that_may_be_asked();
        }
        let config = transport_config(url, self.config.parallel);
        let sent = begun.sent.clone();
        let hopeless = |reason: String| (Fault::NotSent(reason), false);
        let made = if let Some(keeper) = self.keeper(own_authorization, url, login).await.map_err(hopeless)? {
            let client = AuthClient::new(client, keeper);
            begun.shake_hands(StreamableHttpClientTransport::with_client(client, config), mode).await
        } else {
            begun.shake_hands(StreamableHttpClientTransport::with_client(client, config), mode).await
        };
        made.map_err(|error| match sent.last_fault() {
            Some(fault) => (fault, false),
            None => (Fault::NotSent(of_handshake(&error)), true),
        })
    }

    async fn reach_legacy(&self, url: &str, headers: HeaderMap, login: &Login) -> Result<Link, Fault> {
        let begun = self.begin();
        let keeper = self.keeper(headers.contains_key(header::AUTHORIZATION), url, login).await;
        let keeper = keeper.map_err(Fault::NotSent)?.map(Arc::new);
        let (client, sent) = (self.client(headers, &begun), begun.sent.clone());
        let opened = LegacyTransport::open(client, keeper, url, self.log.clone()).await;
        let transport = opened.map_err(|error| sent.last_fault().unwrap_or(Fault::NotSent(error.message)))?;
        let made = begun.shake_hands(transport, ClientLifecycleMode::Initialize).await;
        made.map_err(|error| sent.last_fault().unwrap_or_else(|| Fault::NotSent(of_handshake(&error))))
    }

    /// Who keeps the tokens of a login, unless the user says in a header who asks.
    async fn keeper(
        &self,
        own_authorization: bool,
        url: &str,
        login: &Login,
    ) -> Result<Option<AuthorizationManager>, String> {
        let name = &self.config.name;
        if own_authorization || !self.parts.logins.has_tokens(name, url) {
            return Ok(None);
        }
        let mut login = login.clone();
        for text in [&mut login.client_id, &mut login.client_secret].into_iter().flatten() {
            *text = self.fill(text)?;
        }
        let kept = Kept { server: name, url, store: &self.parts.logins, cover: &self.log.cover };
        login::manager(&self.parts.http, kept, &login).await.map(Some)
    }

    fn client(&self, headers: HeaderMap, begun: &Beginnings) -> GuardedClient {
        let patience = self.config.call_timeout.max(self.config.connect_timeout);
        let (http, closed) = (self.parts.http.clone(), begun.closed.clone());
        GuardedClient::new(http, headers, begun.sent.clone(), self.pings.clone(), patience, closed)
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

    pub(super) fn fill(&self, text: &str) -> Result<String, String> {
        expand(text, &self.parts.env, &self.config.root)
            .map_err(|name| format!("the variable {name} is not set"))
    }

    pub(super) fn begin(&self) -> Beginnings {
        let ServerConfig { name, allowed, root, .. } = self.config;
        let mut begun = Beginnings::new(name, self.log, *allowed, root.clone(), self.parts.desk.clone());
        begun.handler.updates = self.parts.updates.clone();
        begun.handler.allowance = self.allowance.clone();
        begun
    }
}

/// Whether a revision has no handshake. Revisions are named by date.
pub(crate) fn is_stateless(revision: Option<&str>) -> bool {
    revision.is_some_and(|revision| revision > ProtocolVersion::LATEST_WITH_INITIALIZE.as_str())
}

/// A failure with the server's last words, which usually name the cause.
pub(crate) fn explain(what: String, log: &Log) -> String {
    match log.recent().last() {
        Some(words) => format!("{what}; its last words: {words}"),
        None => what,
    }
}
