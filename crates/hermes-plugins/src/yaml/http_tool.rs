//! An `http_wrapper` as a tool of the registry.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::BoxFuture;
use hermes_core::{
    Access, AnyTool, CallContext, Effect, ErrorCode, Permission, Prepared, ToolError, ToolInfo,
};
use hermes_host::Host;
use hermes_host::http::{Credential, HeaderName, Request, header};
use serde_json::Value;

use super::answer::Answer;
use super::arguments::complete;
use super::http_request::request;
use super::respond::{is_passing, result};
use super::source::{Consent, info};
use super::spec::{Auth, HttpSpec, ToolSpec};
use crate::cut_short::cut_short;
use crate::own_secrets::{OwnSecrets, Secrets};

/// Waits before the first repetition; each later one doubles it.
const FIRST_WAIT: Duration = Duration::from_millis(100);

pub(super) struct HttpTool {
    info: ToolInfo,
    spec: ToolSpec,
    http: HttpSpec,
    host: Host,
    consent: Consent,
    secrets: OwnSecrets,
}

impl HttpTool {
    pub(super) fn new(spec: ToolSpec, http: HttpSpec, host: Host, consent: Consent) -> Self {
        let effect = if http.is_safe() { Effect::ReadOnly } else { Effect::Mutating };
        let info = ToolInfo { idempotent: http.idempotent, ..info(&spec, effect) };
        HttpTool { info, spec, http, host, consent, secrets: OwnSecrets::default() }
    }

    fn permission(&self) -> Permission {
        if self.http.is_safe() { Permission::NETWORK_FETCH } else { Permission::named("api:call") }
    }

    /// The credential for the tool's own origin, with the values that must not show.
    fn credential(&self) -> Result<(Option<Credential>, Secrets), ToolError> {
        self.consent.check(&self.spec).map_err(|why| ToolError::new(ErrorCode::Auth, why))?;
        let get = |name: &str| {
            let value = self.host.keys.get(name);
            value.ok_or_else(|| {
                ToolError::new(ErrorCode::Auth, format!("the environment variable {name} is not set"))
            })
        };
        let origin = self.http.origin.clone();
        let secret = |name: &String, value: &str| (name.clone(), value.to_owned());
        Ok(match &self.http.auth {
            Auth::None => (None, Vec::new()),
            Auth::Basic { username_env, password_env } => {
                let (user, password) = (get(username_env)?, get(password_env)?);
                let pair = STANDARD.encode(format!("{user}:{password}"));
                let secrets = vec![secret(password_env, &password), secret(password_env, &pair)];
                (Some(Credential::basic(origin, &user, &password)?), secrets)
            }
            Auth::Bearer { token_env } => {
                let token = get(token_env)?;
                (Some(Credential::bearer(origin, &token)?), vec![secret(token_env, &token)])
            }
            Auth::Header { name, value_env } => {
                let value = get(value_env)?;
                let name = HeaderName::from_bytes(name.as_bytes())
                    .map_err(|_| ToolError::internal("the header of the credentials has no valid name"))?;
                (Some(Credential::header(origin, name, &value)?), vec![secret(value_env, &value)])
            }
            Auth::Query { name, value_env } => {
                let value = get(value_env)?;
                let credential = Credential::query(origin, name.as_str(), value.as_str());
                (Some(credential), vec![secret(value_env, &value)])
            }
        })
    }

    async fn run(&self, mut request: Request, cx: &CallContext) -> Result<Value, ToolError> {
        let (credential, secrets) = self.credential()?;
        request.credential = credential;
        request.permission = self.permission();
        let secrets = self.secrets.redactor(secrets);
        let started = Instant::now();
        let mut wait = FIRST_WAIT;
        let mut kept = Some(request);
        for attempt in 0..=self.http.retries {
            let last = attempt == self.http.retries;
            let Some(request) = (if last { kept.take() } else { kept.clone() }) else { break };
            match self.once(request, cx).await.map_err(|error| self.judged(error)) {
                Ok(answer) if last || !is_passing(answer.status) => {
                    let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                    return result(&self.http, &answer, elapsed_ms, &secrets);
                }
                Err(error) if last || !error.retryable => return Err(error),
                Ok(_) | Err(_) => {}
            }
            tokio::select! {
                () = cx.cancel().cancelled() => break,
                () = tokio::time::sleep(wait) => wait *= 2,
            }
        }
        Err(ToolError::new(ErrorCode::Cancelled, "the call was cancelled"))
    }

    /// A request that may have arrived is asked again where that does no harm.
    fn judged(&self, error: ToolError) -> ToolError {
        let harmless = error.code == ErrorCode::OutcomeUnknown && self.http.idempotent;
        ToolError { retryable: error.retryable || harmless, ..error }
    }

    async fn once(&self, request: Request, cx: &CallContext) -> Result<Answer, ToolError> {
        let response = self.host.http.send(cx, request).await?;
        let status = response.status.as_u16();
        let kind = response.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.map(str::to_owned);
        let body = response.body.bytes().await.map_err(|error| self.unread(error, status))?;
        Ok(Answer { status, kind, body })
    }

    /// An answer that is too long came from somebody who did what was asked, or tried to, unless they say that they
    /// would not.
    fn unread(&self, error: ToolError, status: u16) -> ToolError {
        let error = match (error.code, status) {
            (ErrorCode::TooLarge, 400..500) => error,
            (ErrorCode::TooLarge, _) => cut_short(&self.info, &error.message, ErrorCode::TooLarge),
            _ => error,
        };
        error.with_field("status_code", status)
    }
}

impl AnyTool for HttpTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async { self.consent.ready(&self.spec, &self.host.keys) })
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let arguments = complete(&self.spec.parameters, arguments)?;
        let request = request(&self.spec, &self.http, &arguments)?;
        Ok(Box::new(HttpCall { tool: self, request }))
    }
}

struct HttpCall {
    tool: Arc<HttpTool>,
    request: Request,
}

impl Prepared for HttpCall {
    fn access(&self) -> Vec<Access> {
        vec![self.tool.http.origin.access(self.tool.permission())]
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        let HttpCall { tool, request } = *self;
        Box::pin(async move { tool.run(request, &cx).await })
    }
}
