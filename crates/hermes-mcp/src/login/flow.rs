//! One login: a page for the user's browser, and the way back from it to this machine.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::transport::auth::{
    AuthError, AuthorizationMetadataResolution, AuthorizationMetadataSource, AuthorizationRequest,
    AuthorizationSession, WWWAuthenticateParams,
};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::exchange::{Kept, newcomer};
use crate::client::Server;
use crate::config::{Endpoint, expand};
use crate::page;
use crate::secrets::given;

const DONE: &str =
    "<!doctype html><title>Hermes</title><p>Hermes has what it needs. You can close this page.\n";
const REFUSED: &str = "<!doctype html><title>Hermes</title><p>The login was refused: Hermes got nothing. You can close this page.\n";
const CALLBACK: &str = "/callback";

/// A login that waits for the user.
pub struct LoginFlow {
    session: AuthorizationSession,
    /// What only the browser that was sent away can bring back.
    state: String,
    listener: TcpListener,
    server: Arc<Server>,
}

impl LoginFlow {
    /// Finds out who vouches for users, makes this program known there, and opens the way back.
    pub async fn begin(server: &Arc<Server>) -> Result<Self, String> {
        server.cover().learn(given(&server.config().endpoint, &server.parts().env).all);
        Self::begun(server).await.map_err(|reason| server.covered(reason))
    }

    async fn begun(server: &Arc<Server>) -> Result<Self, String> {
        let config = server.config();
        let Endpoint::Http { url, login, .. } = &config.endpoint else {
            return Err("a program of this machine needs no login".to_owned());
        };
        let parts = server.parts();
        let fill = |text: &String| {
            expand(text, &parts.env, &config.root).map_err(|name| format!("the variable {name} is not set"))
        };
        let url = fill(url)?;
        let challenge = parts.logins.challenge(&config.name);
        let kept = Kept { server: &config.name, url: &url, store: &parts.logins, cover: server.cover() };
        let mut manager = newcomer(&parts.http, kept).await?;
        let found = manager.resolve_metadata_from_challenge(challenge.as_deref()).await;
        let found = found.map_err(|error| error.to_string())?;
        refuse_without_proof(&found)?;
        manager.set_metadata(found.metadata);

        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, login.callback_port.unwrap_or(0)));
        let listener = TcpListener::bind(address).await.map_err(|error| format!("{address}: {error}"))?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        let mut request = AuthorizationRequest::new(format!("http://127.0.0.1:{port}{CALLBACK}"))
            .with_client_name("Hermes")
            .with_scopes(scopes(server, &url, challenge.as_deref()));
        if request.scopes.is_empty() {
            request = request.with_initial_scope_selection();
        }
        request.challenge = challenge;
        request.client_id = login.client_id.as_ref().map(fill).transpose()?;
        request.client_metadata_url.clone_from(&login.client_metadata_url);
        request.client_secret = login.client_secret.as_ref().map(fill).transpose()?;
        let session =
            AuthorizationSession::new(manager, request).await.map_err(|(_, error)| not_begun(&error))?;
        let state = page_state(session.get_authorization_url())?;
        Ok(LoginFlow { session, state, listener, server: Arc::clone(server) })
    }

    /// The page where the user agrees.
    pub fn page(&self) -> &str {
        self.session.get_authorization_url()
    }

    /// Waits for the browser to come back, and takes the tokens.
    pub async fn finish(self) -> Result<(), String> {
        let query = self.returned().await?;
        let came_back = format!("{}?{query}", self.session.redirect_uri);
        if let Some((_, reason)) = form(&query).find(|(name, _)| name == "error") {
            return Err(format!("the login was refused: {}", hermes_core::text::visible(&reason)));
        }
        let taken = self.session.handle_callback_url(&came_back).await;
        taken.map_err(|error| self.server.covered(error.to_string()))?;
        self.server.login_changed();
        Ok(())
    }

    /// The query that the browser brought back. Requests for anything else, such as an icon, are not it, nor is anything
    /// that any other page could make a browser ask for.
    async fn returned(&self) -> Result<String, String> {
        let (found, mut queries) = mpsc::channel::<String>(1);
        loop {
            let (stream, _) = tokio::select! {
                accepted = self.listener.accept() => accepted.map_err(|error| error.to_string())?,
                Some(query) = queries.recv() => return Ok(query),
            };
            let (found, state) = (found.clone(), self.state.clone());
            let answer = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
                let query = request.uri().query().filter(|_| request.uri().path() == CALLBACK);
                let query = query.filter(|query| is_answer(query, &state)).map(str::to_owned);
                let found = found.clone();
                async move {
                    let is_it = query.is_some();
                    let page = match &query {
                        Some(query) if form(query).any(|(name, _)| name == "error") => REFUSED,
                        Some(_) => DONE,
                        None => "",
                    };
                    let page = Full::new(bytes::Bytes::from_static(page.as_bytes()));
                    query.map(|query| found.try_send(query));
                    let status = if is_it { 200 } else { 404 };
                    let page = hyper::Response::builder()
                        .status(status)
                        .header("content-type", "text/html; charset=utf-8")
                        .header("connection", "close")
                        .body(page);
                    Ok::<_, Infallible>(page.unwrap_or_default())
                }
            });
            tokio::spawn(async move {
                let _ = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), answer)
                    .await;
            });
        }
    }
}

/// What to ask for: what the user says, or what was granted before and what is missing now. Nothing where the server
/// and whoever vouches for users are to say.
fn scopes(server: &Server, url: &str, challenge: Option<&str>) -> Vec<String> {
    let Endpoint::Http { login, .. } = &server.config().endpoint else { return Vec::new() };
    let mut scopes = server.parts().logins.granted(&server.config().name, url);
    if !login.scopes.is_empty() || scopes.is_empty() {
        return login.scopes.clone();
    }
    let base = url::Url::parse(url).ok();
    let wanted = base.zip(challenge).and_then(|(base, said)| WWWAuthenticateParams::parse(said, &base).scope);
    for scope in wanted.unwrap_or_default().split_whitespace() {
        if !scopes.iter().any(|known| known == scope) {
            scopes.push(scope.to_owned());
        }
    }
    scopes
}

/// The protocol (2025-11-25, authorization, "Authorization Code Protection") has a client refuse who does not say that
/// it takes the proof that a code was not stolen. Only where there is no such document at all nothing can be said.
fn refuse_without_proof(found: &AuthorizationMetadataResolution) -> Result<(), String> {
    let methods = found.metadata.code_challenge_methods_supported.iter().flatten();
    let told = found.source != AuthorizationMetadataSource::LegacyEndpointFallback;
    match told && !methods.into_iter().any(|method| method == "S256") {
        true => {
            Err("who vouches for users there does not say that codes are protected (PKCE with S256)"
                .to_owned())
        }
        false => Ok(()),
    }
}

/// Why there is no page to visit. Where nobody can make Hermes known but the user, it is said how.
fn not_begun(error: &AuthError) -> String {
    let AuthError::RegistrationFailed(reason) = error else { return error.to_string() };
    let reason =
        reason.rsplit("egistration failed: ").next().unwrap_or_default().trim_end_matches([' ', ':']);
    let reason = hermes_core::text::visible(reason);
    format!(
        "Hermes could not make itself known to whoever vouches for users there ({reason}); where that is done by hand, \
         'login: {{client_id: …}}' in the server's entry says what you were given"
    )
}

/// The `state` of the page to visit. The page must be one that nobody on the way can change.
fn page_state(page: &str) -> Result<String, String> {
    let page = page::safe(page)?;
    let state = page.query_pairs().find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
    state.ok_or_else(|| "the page for the login has no state".to_owned())
}

/// Whether a query is the end of this login: it brings the state back, with a code or a refusal.
fn is_answer(query: &str, state: &str) -> bool {
    let has = |wanted: &str| form(query).any(|(name, _)| name == wanted);
    form(query).any(|(name, value)| name == "state" && value == state) && (has("code") || has("error"))
}

fn form(query: &str) -> impl Iterator<Item = (String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned()))
}
