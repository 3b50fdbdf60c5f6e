//! Whose prompt or resource a client means, and the call that gets it.

use std::sync::Arc;

use rmcp::model::{ClientRequest, CompleteRequest, CompleteRequestParams, ServerResult};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::offered::{Front, name_of, text_of};
use super::template::fits_template;
use crate::assistant::Nobody;
use crate::client::{Caller, Follow, Server};
use crate::manifest::Listed;
use crate::text::visible_texts;
use crate::utility::Utility;

/// The call that gets what a client asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Had {
    pub server: String,
    pub tool: String,
    pub arguments: Value,
}

/// What a client wants completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completing {
    Prompt(String),
    Template(String),
}

impl Front {
    /// The call that fills in a prompt.
    pub fn prompt(&self, name: &str, arguments: &Value) -> Option<Had> {
        let (server, raw) = self.whose_prompt(name)?;
        let tool = self.through(&server, Utility::GetPrompt)?;
        let arguments = json!({"name": raw, "arguments": arguments});
        Some(Had { server: server.config().name.clone(), tool, arguments })
    }

    /// The call that reads a resource. Nothing if no server has it; an error if it is not clear which.
    pub fn resource(&self, uri: &str) -> Result<Option<Had>, String> {
        let Some(server) = self.whose_resource(uri)? else { return Ok(None) };
        let Some(tool) = self.through(&server, Utility::ReadResource) else { return Ok(None) };
        Ok(Some(Had { server: server.config().name.clone(), tool, arguments: json!({ "uri": uri }) }))
    }

    /// The call that speaks for a completion: who may not make it gets none.
    pub fn completed_by(&self, what: &Completing) -> Option<Had> {
        match what {
            Completing::Prompt(name) => self.prompt(name, &json!({})),
            Completing::Template(template) => self.resource(template).ok()?,
        }
    }

    /// What a server that runs suggests. `rest` holds the argument and its context, as the protocol has them.
    pub async fn complete(&self, what: &Completing, rest: Value) -> Option<Value> {
        let (server, reference) = match what {
            Completing::Prompt(name) => {
                let (server, raw) = self.whose_prompt(name)?;
                (server, json!({"type": "ref/prompt", "name": raw}))
            }
            Completing::Template(uri) => {
                (self.whose_resource(uri).ok()??, json!({"type": "ref/resource", "uri": uri}))
            }
        };
        if !server.is_running() {
            return None;
        }
        let mut params = rest;
        params.as_object_mut()?.insert("ref".to_owned(), reference);
        let params: CompleteRequestParams = serde_json::from_value(params).ok()?;
        let caller = Caller { cancel: &CancellationToken::new(), behind: Arc::new(Nobody) };
        let request = ClientRequest::CompleteRequest(CompleteRequest::new(params));
        match server.ask(request, || Ok(()), true, &caller).await {
            Ok(ServerResult::CompleteResult(result)) => {
                serde_json::to_value(result.completion).ok().map(visible_texts)
            }
            _ => None,
        }
    }

    /// Follows a resource of a server.
    pub async fn follow(&self, server: &str, uri: &str) -> Result<Arc<Follow>, String> {
        let server = self.hub.server(server).ok_or("there is no such server")?;
        server.follow(uri).await
    }

    fn whose_prompt(&self, name: &str) -> Option<(Arc<Server>, String)> {
        let names = self.hub.names();
        self.servers().find_map(|server| {
            let record = server.record()?;
            let mut raw = record.seen.listed.prompts.iter().map(name_of);
            let raw = raw.find(|raw| self.prompt_name(&server, raw, &names).as_deref() == Some(name))?;
            Some((Arc::clone(&server), raw.to_owned()))
        })
    }

    /// A resource belongs to the one server that lists it or has a template that it fits.
    fn whose_resource(&self, uri: &str) -> Result<Option<Arc<Server>>, String> {
        if self.only.is_some() {
            return Ok(self.servers().next());
        }
        let claims = |listed: &Listed| {
            let mut templates = listed.templates.iter().map(|template| text_of(template, "uriTemplate"));
            listed.resources.iter().any(|resource| text_of(resource, "uri") == uri)
                || templates.any(|template| template == uri || fits_template(template, uri))
        };
        let claiming = |server: &Arc<Server>| {
            let shows = self.through(server, Utility::ReadResource).is_some();
            shows && server.record().is_some_and(|record| claims(&record.seen.listed))
        };
        let claimants: Vec<_> = self.servers().filter(claiming).collect();
        match claimants.as_slice() {
            [] => Ok(None),
            [server] => Ok(Some(Arc::clone(server))),
            several => {
                let names: Vec<&str> = several.iter().map(|server| server.config().name.as_str()).collect();
                Err(format!("several servers have this resource: {}", names.join(", ")))
            }
        }
    }
}
