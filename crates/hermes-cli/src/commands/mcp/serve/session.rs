//! The session as a client sees it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{ToolCall, ToolOutcome, Verdict};
use hermes_mcp::{
    Assistant, Backend, Completing, Desk, Epochs, Follow, Front, Had, Hub, Listed as Lists, Offer, Shown,
    ToolDef, Updated,
};
use hermes_runtime::Session;
use hermes_runtime::catalog::{Catalog, Listed};
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

use crate::app::Meeting;

pub(super) struct Served {
    pub(super) session: Session,
    pub(super) desk: Desk,
    pub(super) changes: watch::Receiver<Epochs>,
    pub(super) front: Arc<Front>,
    pub(super) servers: Arc<Hub>,
    pub(super) meeting: Arc<Meeting>,
}

impl Served {
    /// What of the servers is within the session.
    async fn within(&self, shown: Vec<Shown>) -> Vec<Value> {
        let catalog = self.session.catalog().await;
        let within = shown.into_iter().filter(|shown| catalog.get(&shown.tool).is_some());
        within.map(|shown| shown.definition).collect()
    }

    async fn is_within(&self, had: &Had) -> bool {
        self.session.catalog().await.get(&had.tool).is_some()
    }

    /// Whether the rules let the session do this without a word from anybody.
    async fn is_free(&self, had: &Had) -> bool {
        let call = ToolCall::new("preview", had.tool.clone(), had.arguments.clone());
        let Ok(preview) = self.session.preview(&call).await else { return false };
        let decision = self.session.options().policy.look(&preview.request(self.session.identity()));
        decision.verdict == Verdict::Allow
    }

    /// Waits for a server that nobody has asked yet, if the call means it.
    async fn meet(&self, name: &str) {
        match self.front.stands_in() {
            true => self.meeting.of_all().await,
            false => self.meeting.of_call(name).await,
        }
    }

    /// The name here of a tool that a client may call by the server's own.
    fn name_here(&self, name: String) -> String {
        let tools = self.front.own_tools();
        let own = tools.iter().flat_map(|tools| tools.iter()).find(|shown| shown.definition.name == name);
        own.map_or(name, |shown| shown.tool.clone())
    }
}

/// What a model is shown: with many tools, those that find the others.
fn offers(catalog: &Catalog) -> Vec<Offer> {
    let offer = |(tool, definition): (&Listed, Value)| {
        let info = tool.entry.info();
        let definition = definition.get("function").unwrap_or(&definition);
        let text = definition.get("description").and_then(Value::as_str);
        let parameters = definition.get("parameters").or_else(|| definition.get("input_schema"));
        Offer {
            name: tool.shown_name.clone(),
            description: text.unwrap_or_default().to_owned(),
            parameters: parameters.cloned().unwrap_or_else(|| info.parameters.clone()),
            effect: info.effect,
            idempotent: info.idempotent,
            own: None,
        }
    };
    catalog.visible().zip(catalog.definitions()).map(offer).collect()
}

impl Backend for Served {
    fn stands_in(&self) -> bool {
        self.front.stands_in()
    }

    fn asked(&self) {
        self.meeting.begin();
    }

    fn offers(&self) -> BoxFuture<'_, Vec<Offer>> {
        Box::pin(async {
            let catalog = self.session.catalog().await;
            let Some(own) = self.front.own_tools() else { return offers(&catalog) };
            let offer = |shown: &Shown<ToolDef>| {
                let info = catalog.get(&shown.tool)?.entry.info();
                Some(Offer {
                    name: shown.definition.name.clone(),
                    description: info.description.clone(),
                    parameters: info.parameters.clone(),
                    effect: info.effect,
                    idempotent: info.idempotent,
                    own: Some(shown.definition.clone()),
                })
            };
            own.iter().filter_map(offer).collect()
        })
    }

    fn listed(&self) -> BoxFuture<'_, Lists> {
        Box::pin(async {
            let result = json!({
                "uriTemplate": format!("{}{{id}}", hermes_core::handle::SCHEME),
                "name": "result",
                "description": "A result that was too large to send, by the handle that stood in its place.",
                "mimeType": "application/json",
            });
            let mut templates = self.within(self.front.templates()).await;
            templates.push(result);
            Lists {
                prompts: self.within(self.front.prompts()).await,
                resources: self.within(self.front.resources()).await,
                templates,
            }
        })
    }

    fn call(
        &self,
        mut call: ToolCall,
        client: Arc<dyn Assistant>,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            // Who gives up meanwhile hears so from the call itself.
            tokio::select! {
                () = self.meet(&call.name) => {}
                () = cancel.cancelled() => {}
            }
            call.name = self.name_here(call.name);
            let _standing = self.desk.stand_behind(&call.id, client);
            self.session.call(call, &cancel).await
        })
    }

    fn prompt<'a>(&'a self, name: &'a str, arguments: &'a Value) -> BoxFuture<'a, Option<Had>> {
        Box::pin(async move {
            let had = self.front.prompt(name, arguments)?;
            self.is_within(&had).await.then_some(had)
        })
    }

    fn resource<'a>(&'a self, uri: &'a str) -> BoxFuture<'a, Result<Option<Had>, String>> {
        Box::pin(async move {
            let Some(had) = self.front.resource(uri)? else { return Ok(None) };
            Ok(self.is_within(&had).await.then_some(had))
        })
    }

    fn stored<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, Option<Arc<Value>>> {
        Box::pin(async move {
            let id = handle.strip_prefix(hermes_core::handle::SCHEME)?;
            let results = self.session.options().ports.results.as_ref()?;
            results.get(self.session.id(), id).await.ok().flatten()
        })
    }

    fn complete(&self, what: Completing, rest: Value) -> BoxFuture<'_, Option<Value>> {
        Box::pin(async move {
            let had = self.front.completed_by(&what)?;
            // Nobody is asked for every letter that is typed.
            match self.is_within(&had).await && self.is_free(&had).await {
                true => self.front.complete(&what, rest).await,
                false => None,
            }
        })
    }

    fn follow<'a>(&'a self, uri: &'a str) -> BoxFuture<'a, Result<Option<Arc<Follow>>, String>> {
        Box::pin(async move {
            if uri.starts_with(hermes_core::handle::SCHEME) {
                let known = self.stored(uri).await.is_some();
                return if known { Ok(None) } else { Err("there is no such result".to_owned()) };
            }
            let had = self.resource(uri).await?.ok_or("there is no such resource")?;
            if !self.is_free(&had).await {
                return Err(format!(
                    "following a resource of '{0}' is not asked about; a rule must allow mcp:{0} to read it",
                    had.server
                ));
            }
            self.front.follow(&had.server, uri).await.map(Some)
        })
    }

    fn changes(&self) -> watch::Receiver<Epochs> {
        self.changes.clone()
    }

    fn updates(&self) -> broadcast::Receiver<Updated> {
        self.servers.updates()
    }
}
