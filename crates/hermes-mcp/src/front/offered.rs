//! What each server has to offer to a client in front of them, under names that mean one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::book::Names;
use crate::client::Server;
use crate::manifest::{Listed, Record, ToolDef};
use crate::names::Named;
use crate::source::Hub;
use crate::text::listed as shown_to_clients;
use crate::utility::Utility;

/// The tools of one server as it defines them, with their names here.
type OwnTools = Arc<Vec<Shown<ToolDef>>>;

type ShownLists = (Arc<Record>, Arc<Listed>);

/// Everything a client may be offered of the servers, or of one of them alone.
pub struct Front {
    pub(super) hub: Arc<Hub>,
    pub(super) only: Option<String>,
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
        self.of_all(Utility::GetPrompt, |server, listed, record| {
            let mut seen = BTreeSet::new();
            let raw = &record.seen.listed.prompts;
            let renamed = listed.prompts.iter().zip(raw).filter_map(|(prompt, raw)| {
                if !record.judge_prompt(raw).is_accepted() {
                    return None;
                }
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

    pub(super) fn servers(&self) -> impl Iterator<Item = Arc<Server>> {
        let only = self.only.as_deref();
        self.hub
            .servers()
            .into_iter()
            .filter(move |server| only.is_none_or(|only| server.config().name == only))
    }

    /// What all servers have of a kind, with the tool that gets it. `list` is given what clients are shown, and what is
    /// known of the server.
    fn of_all(&self, kind: Utility, list: impl Fn(&Server, &Listed, &Record) -> Vec<Value>) -> Vec<Shown> {
        let mut all = Vec::new();
        for server in self.servers() {
            let (Some(tool), Some(record)) = (self.through(&server, kind), server.record()) else { continue };
            let shown = self.shown(&server.config().name, &record);
            let listed = list(&server, &shown, &record).into_iter();
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
    pub(super) fn through(&self, server: &Server, kind: Utility) -> Option<String> {
        let source = self.hub.source(&server.config().name)?;
        let record = server.record().filter(|record| record.judge_server().is_accepted())?;
        let (_, utilities) = source.named(&record);
        utilities.into_iter().find(|(utility, _)| *utility == kind).map(|(_, named)| named.name)
    }

    /// What a client calls a prompt of a server.
    pub(super) fn prompt_name(&self, server: &Server, raw: &str, names: &Names) -> Option<String> {
        match self.only {
            Some(_) => Some(raw.to_owned()),
            None => Some(names.prompts.get(&server.config().name)?.get(raw)?.name.clone()),
        }
    }
}

pub(crate) fn name_of(definition: &Value) -> &str {
    text_of(definition, "name")
}

pub(super) fn text_of<'a>(definition: &'a Value, key: &str) -> &'a str {
    definition.get(key).and_then(Value::as_str).unwrap_or_default()
}
