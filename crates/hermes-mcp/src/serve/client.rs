//! The client behind a call: it hears of progress and answers questions, if it has a way to.

// Sampling is deprecated by newer revisions; older clients offer it.
#![allow(deprecated)]

use futures_util::future::BoxFuture;
use rmcp::model::{
    ClientCapabilities, CreateMessageRequest, CreateMessageRequestParams, ElicitRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, InputRequest, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::Value;

use super::rounds::Asks;
use crate::assistant::{Assistant, Elicitation, Elicited, Progress};

/// How a client is asked.
pub(super) enum Way {
    /// By a request of its own.
    Request,
    /// In place of the answer; it comes back with the answers.
    Rounds(Asks),
}

pub(super) struct ServedClient {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    capabilities: ClientCapabilities,
    way: Way,
}

impl ServedClient {
    pub(super) fn new(context: &RequestContext<RoleServer>, way: Way) -> Self {
        ServedClient {
            peer: context.peer.clone(),
            token: context.meta.get_progress_token(),
            capabilities: context.client_capabilities().unwrap_or_default(),
            way,
        }
    }

    fn shows(&self, asked: &Elicitation) -> bool {
        let Some(can) = &self.capabilities.elicitation else { return false };
        match asked {
            // Clients of the first revision that had it say nothing more.
            Elicitation::Form { .. } => can.form.is_some() || can.url.is_none(),
            Elicitation::Url { .. } => can.url.is_some(),
        }
    }

    async fn ask(&self, asked: Elicitation) -> Option<ElicitResult> {
        let params = match asked {
            Elicitation::Form { message, schema } => ElicitRequestParams::FormElicitationParams {
                meta: None,
                message,
                requested_schema: serde_json::from_value(schema).ok()?,
            },
            Elicitation::Url { message, url, id } => {
                ElicitRequestParams::UrlElicitationParams { meta: None, message, url, elicitation_id: id }
            }
        };
        match &self.way {
            Way::Request => self.peer.create_elicitation(params).await.ok(),
            Way::Rounds(asks) => {
                let answer = asks.ask(InputRequest::Elicitation(ElicitRequest::new(params))).await?;
                serde_json::from_value(answer).ok()
            }
        }
    }
}

impl Assistant for ServedClient {
    fn shows_forms(&self) -> bool {
        self.shows(&Elicitation::Form { message: String::new(), schema: Value::Null })
    }

    fn elicit<'a>(&'a self, server: &'a str, asked: Elicitation) -> BoxFuture<'a, Elicited> {
        Box::pin(async move {
            if !self.shows(&asked) {
                return Elicited::Declined;
            }
            // Whoever reads it must know who wants to know.
            let from = |message: String| format!("MCP server '{server}' asks: {message}");
            let asked = match asked {
                form if server.is_empty() => form,
                Elicitation::Form { message, schema } => Elicitation::Form { message: from(message), schema },
                Elicitation::Url { message, url, id } => Elicitation::Url { message: from(message), url, id },
            };
            match self.ask(asked).await {
                Some(answer) if answer.action == ElicitationAction::Accept => {
                    Elicited::Accepted(answer.content)
                }
                Some(answer) if answer.action == ElicitationAction::Decline => Elicited::Declined,
                _ => Elicited::Cancelled,
            }
        })
    }

    fn sample<'a>(&'a self, _: &'a str, request: Value) -> BoxFuture<'a, Result<Value, String>> {
        Box::pin(async move {
            if self.capabilities.sampling.is_none() {
                return Err("the client has no model to ask".to_owned());
            }
            let params: CreateMessageRequestParams =
                serde_json::from_value(request).map_err(|error| error.to_string())?;
            match &self.way {
                Way::Request => {
                    let answer = self.peer.create_message(params).await.map_err(|error| error.to_string())?;
                    serde_json::to_value(answer).map_err(|error| error.to_string())
                }
                Way::Rounds(asks) => {
                    let asked = InputRequest::CreateMessage(CreateMessageRequest::new(params));
                    asks.ask(asked).await.ok_or_else(|| "the client did not answer".to_owned())
                }
            }
        })
    }

    fn progress(&self, _: &str, progress: Progress) {
        let Some(token) = self.token.clone() else { return };
        let mut report = ProgressNotificationParam::new(token, progress.done);
        (report.total, report.message) = (progress.total, progress.message);
        let peer = self.peer.clone();
        tokio::spawn(async move {
            let _ = peer.notify_progress(report).await;
        });
    }
}
