//! All servers as one, for a client in front of them: what each has to offer, under names that mean one thing, and whose
//! prompt or resource is meant.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{ClientRequest, CompleteRequest, CompleteRequestParams, ServerResult};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::assistant::Nobody;
use crate::book::Names;
use crate::client::{Caller, Follow, Server};
use crate::manifest::{Listed, Record, ToolDef};
use crate::names::Named;
use crate::source::Hub;
use crate::text::{listed as shown_to_clients, visible_texts};
use crate::utility::Utility;

/// The tools of one server as it defines them, with their names here.
type OwnTools = Arc<Vec<Shown<ToolDef>>>;

type ShownLists = (Arc<Record>, Arc<Listed>);

/// Everything a client may be offered of the servers, or of one of them alone.
pub struct Front {
    hub: Arc<Hub>,
    only: Option<String>,
    /// The tools of the only server, and the record they were made from.
    own: Mutex<Option<(Arc<Record>, OwnTools)>>,
    /// What each server has beside tools as clients are shown it, and the record it was made from.
    shown: Mutex<BTreeMap<String, ShownLists>>,
}

/// Something a server has, and the tool of Hermes through which it is had.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown<T = Value> {
    pub tool: String,
    pub definition: T,
}

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
    /// In front of all servers; with `only`, in front of one, whose names stay as they are.
    pub fn new(hub: Arc<Hub>, only: Option<String>) -> Self {
        Front { hub, only, own: Mutex::default(), shown: Mutex::default() }
    }

    pub fn stands_in(&self) -> bool {
        self.only.is_some()
    }

    /// The tools of the only server as it defines them, with nothing hidden in them.
    pub fn own_tools(&self) -> Option<OwnTools> {
        let source = self.hub.source(self.only.as_ref()?)?;
        let record = source.server().record()?;
        let mut known = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tools)) = known.as_ref().filter(|(from, _)| Arc::ptr_eq(from, &record)) {
            return Some(Arc::clone(tools));
        }
        let (tools, _) = source.named(&record);
        let shown = |(tool, named): (&ToolDef, Named)| Shown { tool: named.name, definition: tool.visible() };
        let tools: Arc<Vec<_>> = Arc::new(tools.into_iter().map(shown).collect());
        *known = Some((Arc::clone(&record), Arc::clone(&tools)));
        Some(tools)
    }

    pub fn prompts(&self) -> Vec<Shown> {
        let names = self.hub.names();
        self.of_all(Utility::GetPrompt, |server, listed, raw| {
            let mut seen = BTreeSet::new();
            let renamed = listed.prompts.iter().zip(&raw.prompts).filter_map(|(prompt, raw)| {
                let name = self.prompt_name(server, name_of(raw), &names)?;
                if !seen.insert(name.clone()) {
                    return None;
                }
                let mut prompt = prompt.clone();
                *prompt.get_mut("name")? = name.into();
                if prompt.get("description").is_none_or(Value::is_null) {
                    let about = format!("A prompt of the MCP server '{}'.", server.config().name);
                    prompt.as_object_mut()?.insert("description".to_owned(), about.into());
                }
                Some(prompt)
            });
            renamed.collect()
        })
    }

    pub fn resources(&self) -> Vec<Shown> {
        self.of_all(Utility::ReadResource, |_, listed, _| listed.resources.clone())
    }

    pub fn templates(&self) -> Vec<Shown> {
        self.of_all(Utility::ReadResource, |_, listed, _| listed.templates.clone())
    }

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

    fn servers(&self) -> impl Iterator<Item = Arc<Server>> {
        let only = self.only.as_deref();
        self.hub
            .servers()
            .into_iter()
            .filter(move |server| only.is_none_or(|only| server.config().name == only))
    }

    /// What all servers have of a kind, with the tool that gets it. `list` is given what clients are shown, and what the
    /// server said.
    fn of_all(&self, kind: Utility, list: impl Fn(&Server, &Listed, &Listed) -> Vec<Value>) -> Vec<Shown> {
        let mut all = Vec::new();
        for server in self.servers() {
            let (Some(tool), Some(record)) = (self.through(&server, kind), server.record()) else { continue };
            let shown = self.shown(&server.config().name, &record);
            let listed = list(&server, &shown, &record.seen.listed).into_iter();
            all.extend(listed.map(|definition| Shown { tool: tool.clone(), definition }));
        }
        all
    }

    /// Looking through texts takes time, and a record never changes.
    fn shown(&self, server: &str, record: &Arc<Record>) -> Arc<Listed> {
        let mut known = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, shown)) = known.get(server).filter(|(from, _)| Arc::ptr_eq(from, record)) {
            return Arc::clone(shown);
        }
        let listed = &record.seen.listed;
        let [prompts, resources, templates] = [&listed.prompts, &listed.resources, &listed.templates]
            .map(|definitions| definitions.iter().map(shown_to_clients).collect());
        let shown = Arc::new(Listed { prompts, resources, templates });
        known.insert(server.to_owned(), (Arc::clone(record), Arc::clone(&shown)));
        shown
    }

    /// The tool that gets something of a server, unless the server is not the one that was agreed to.
    fn through(&self, server: &Server, kind: Utility) -> Option<String> {
        let source = self.hub.source(&server.config().name)?;
        let record = server.record().filter(|record| record.judge_server().is_accepted())?;
        let (_, utilities) = source.named(&record);
        utilities.into_iter().find(|(utility, _)| *utility == kind).map(|(_, named)| named.name)
    }

    /// What a client calls a prompt of a server.
    fn prompt_name(&self, server: &Server, raw: &str, names: &Names) -> Option<String> {
        match self.only {
            Some(_) => Some(raw.to_owned()),
            None => Some(names.prompts.get(&server.config().name)?.get(raw)?.name.clone()),
        }
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

pub(crate) fn name_of(definition: &Value) -> &str {
    text_of(definition, "name")
}

fn text_of<'a>(definition: &'a Value, key: &str) -> &'a str {
    definition.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Whether an address can come from a template: its fixed parts stand in it, in their order.
fn fits_template(template: &str, uri: &str) -> bool {
    let mut fixed = template.split('{').enumerate().map(|(number, part)| match number {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, after)| after),
    });
    let Some(mut rest) = fixed.next().and_then(|first| uri.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in fixed {
        if let Some(found) = last.replace(part).filter(|part| !part.is_empty()) {
            let Some(at) = rest.find(found) else { return false };
            rest = rest.get(at + found.len()..).unwrap_or_default();
        }
    }
    match last {
        None => rest.is_empty(),
        Some(end) => !rest.is_empty() && rest.ends_with(end) && rest.len() > end.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::fits_template;

    #[test]
    fn templates_are_told_apart_by_their_fixed_parts() {
        for (template, uri, fits) in [
            ("test://a/{id}/data", "test://a/12/data", true),
            ("test://a/{id}/data", "test://a//data", false),
            ("test://a/{id}/data", "test://b/12/data", false),
            ("test://{x}/m/{y}", "test://1/m/2", true),
            ("test://{x}/m/{y}", "test://1/n/2", false),
            ("file:///{+path}", "file:///etc/hosts", true),
            ("test://plain", "test://plain", true),
            ("test://plain", "test://plain/more", false),
            ("test://a/{unclosed", "test://a/1", true),
        ] {
            assert_eq!(fits_template(template, uri), fits, "{template} {uri}");
        }
    }
}
