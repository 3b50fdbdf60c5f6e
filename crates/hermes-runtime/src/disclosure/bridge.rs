//! The three tools that stand for all deferred ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use hermes_core::schema::{Provider, normalise};
use hermes_core::{AnyTool, Effect, Owner, Parallel, ToolInfo, ToolMeta};
use serde_json::Value;

use super::call_tool::CallTool;
use super::deferred::Deferred;
use super::describe_tool::DescribeTool;
use super::directory::in_words;
use super::search_tool::SearchTool;
use super::service::ToolSearch;
use crate::catalog::{Definition, Listed, wrap};
use crate::registry::Entry;

/// The toolset that the bridge tools belong to, for rules and records.
const TOOLSET: &str = "tool_search";

/// The bridge of one session.
#[derive(Clone, Debug)]
pub struct Bridge {
    /// `tool_search`, `tool_describe` and `tool_call`, in this order.
    pub tools: Vec<Listed>,
    pub deferred: Arc<Deferred>,
    sources: BTreeMap<String, usize>,
}

impl Bridge {
    pub(crate) fn new(deferred: Arc<Deferred>, search: &Arc<ToolSearch>, provider: Provider) -> Self {
        let sources = deferred.sources();
        let directory = in_words(&sources);
        let count = deferred.len();
        let tools: [Arc<dyn AnyTool>; 3] = [
            Arc::new(SearchTool::new(Arc::clone(&deferred), Arc::clone(search), count, &directory)),
            Arc::new(DescribeTool::new(Arc::clone(&deferred))),
            Arc::new(CallTool::new()),
        ];
        let tools = tools.into_iter().map(|tool| listed(tool, provider)).collect();
        Bridge { tools, deferred, sources }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Listed> {
        self.tools.iter().find(|tool| tool.shown_name == name)
    }

    /// Keeps the words of an earlier bridge of the same session while no source is new: a server that
    /// went and came back, or changed its list, does not cost the model's prompt cache.
    pub(crate) fn keep_words_of(&mut self, before: &Bridge) {
        if self.sources.keys().all(|source| before.sources.contains_key(source)) {
            for (tool, old) in self.tools.iter_mut().zip(&before.tools) {
                tool.definition = old.definition.clone();
            }
            self.sources.clone_from(&before.sources);
        }
    }
}

fn listed(tool: Arc<dyn AnyTool>, provider: Provider) -> Listed {
    let info = tool.info();
    let schema = shown_schema(&info.parameters);
    let parameters = normalise(&schema, provider).unwrap_or(schema);
    let definition = Definition::now(wrap(provider, &info.name, &info.description, parameters));
    Listed { shown_name: info.name.clone(), definition, entry: Arc::new(Entry::new(Owner::BuiltIn, tool)) }
}

/// The model is told to give a whole number; what it gives instead is read all the same.
fn shown_schema(schema: &Value) -> Value {
    let mut shown = schema.clone();
    if let Some(Value::Object(limit)) = shown.pointer_mut("/properties/limit") {
        limit.insert("type".to_owned(), "integer".into());
    }
    shown
}

/// What a bridge tool is: free of effects, open to every session, never deferred.
pub(super) fn info(name: &'static str, description: String, parameters: Value) -> ToolInfo {
    let meta = ToolMeta { parallel: Parallel::Shared, ..ToolMeta::new(name, TOOLSET, Effect::None) };
    ToolInfo::from_meta(&meta, description, parameters)
}
