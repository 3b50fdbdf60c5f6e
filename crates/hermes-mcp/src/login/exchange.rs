//! OAuth's own requests, through the HTTP door. Who vouches for users is named by the server, so it must be a public
//! host, unless the server itself is one of this machine or network.

use std::sync::Arc;

use hermes_core::egress::Reach;
use hermes_core::{ErrorCode, ToolError};
use hermes_host::Http;
use hermes_host::http::{Limits, Redirects, Request};
use rmcp::transport::auth::{
    AuthorizationManager, OAuthClientConfig, OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRedirectPolicy,
    OAuthHttpRequest,
};
use tokio_util::sync::CancellationToken;

use super::store::{Keeper, LoginStore};
use crate::config::Login;
use crate::secrets::Cover;

/// Far above any honest answer.
const MAX_ANSWER: u64 = 1024 * 1024;

/// The door as OAuth sees it.
struct OauthDoor {
    http: Http,
    /// The host of the server, which the operator named.
    server_host: String,
    /// Whether the server is one of this machine or network.
    local: bool,
}

impl OauthDoor {
    fn new(http: Http, server_url: &str) -> Result<Self, ToolError> {
        let origin = http.origin(server_url, Reach::Local)?;
        let local = http.origin(server_url, Reach::Public).is_err();
        Ok(OauthDoor { http, server_host: origin.host, local })
    }

    async fn exchange(&self, asked: OAuthHttpRequest) -> Result<http::Response<Vec<u8>>, ToolError> {
        let (head, body) = asked.request.into_parts();
        let url = head.uri.to_string();
        let named = self.http.origin(&url, Reach::Local)?;
        let reach = if self.local || named.host == self.server_host { Reach::Local } else { Reach::Public };
        let this_machine = matches!(named.host.as_str(), "localhost" | "127.0.0.1" | "[::1]");
        if !named.secure && !this_machine {
            return Err(ToolError::denied(format!("{named} would be told secrets without encryption")));
        }
        let redirects = match asked.redirect_policy {
            OAuthHttpRedirectPolicy::Follow => Redirects::Follow,
            _ => Redirects::Return,
        };
        let limits = Limits {
            total: asked.timeout.or(Limits::default().total),
            max_body: MAX_ANSWER,
            ..Limits::default()
        };
        let request = Request {
            headers: head.headers,
            body: (!body.is_empty()).then_some(body),
            reach,
            redirects,
            limits,
            ..Request::new(head.method, url)
        };
        let answer = self.http.send_for_operator(request, CancellationToken::new()).await?;
        let mut response = http::Response::builder().status(answer.status);
        if let Some(headers) = response.headers_mut() {
            *headers = answer.headers.clone();
        }
        let body = answer.body.bytes().await?;
        response.body(body).map_err(|error| ToolError::new(ErrorCode::Network, error.to_string()))
    }
}

impl OAuthHttpClient for OauthDoor {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move { Ok(self.exchange(request).await?) })
    }
}

/// Whose tokens are kept, where, and who is to know them in order to hide them.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    pub(crate) server: &'a str,
    pub(crate) url: &'a str,
    pub(crate) store: &'a LoginStore,
    pub(crate) cover: &'a Cover,
}

/// The keeper of a server's tokens, as if there were none yet.
pub(crate) async fn newcomer(http: &Http, kept: Kept<'_>) -> Result<AuthorizationManager, String> {
    let door = OauthDoor::new(http.clone(), kept.url).map_err(|error| error.message)?;
    let made = AuthorizationManager::new_with_oauth_http_client(kept.url, Arc::new(door)).await;
    let mut manager = made.map_err(|error| error.to_string())?;
    manager.set_credential_store(Keeper {
        store: kept.store.clone(),
        server: kept.server.to_owned(),
        url: kept.url.to_owned(),
        cover: kept.cover.clone(),
    });
    Ok(manager)
}

/// The keeper of a server's tokens.
pub(crate) async fn manager(
    http: &Http,
    kept: Kept<'_>,
    login: &Login,
) -> Result<AuthorizationManager, String> {
    let said = |error: rmcp::transport::auth::AuthError| error.to_string();
    let mut manager = newcomer(http, kept).await?;
    if manager.initialize_from_store().await.map_err(said)?
        && let (Some(id), Some(secret)) = (&login.client_id, &login.client_secret)
    {
        let client = OAuthClientConfig::new(id.clone(), kept.url).with_client_secret(secret.clone());
        manager.configure_client(client).map_err(said)?;
    }
    Ok(manager)
}
