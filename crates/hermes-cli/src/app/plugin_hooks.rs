//! Plugins that are asked about calls: the same events and answers as hook programs have, over the
//! plugin's own protocol.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::ToolOutcome;
use hermes_plugins::plugin::{Enabled, Witness};
use hermes_runtime::hooks::{Hook, HookCall, PreVerdict};
use serde_json::{Map, Value, json};

use super::hook_answer::read_verdict;
use super::hooks::{event_object, outcome_facts};
use super::surroundings::Surroundings;
use crate::failure::Failure;

struct PluginHook {
    name: String,
    events: Vec<String>,
    /// Why it cannot be asked, where it cannot; a guard that fails denies.
    witness: Result<Witness, String>,
}

/// One hook for each enabled plugin that has any, sorted by id.
pub(super) fn plugin_hooks(surroundings: &Surroundings) -> Result<Vec<Arc<dyn Hook>>, Failure> {
    let mut hooks: Vec<Arc<dyn Hook>> = Vec::new();
    for (id, plugin) in Enabled::of(&surroundings.home).all()? {
        if !plugin.hooks.is_empty() {
            let witness = Witness::new(&plugin, &surroundings.host, &surroundings.cwd);
            hooks.push(Arc::new(PluginHook { name: format!("plugin {id}"), events: plugin.hooks, witness }));
        }
    }
    Ok(hooks)
}

impl PluginHook {
    async fn ask(
        &self,
        event: &str,
        call: &HookCall<'_>,
        extra: Value,
    ) -> Result<Map<String, Value>, String> {
        let witness = self.witness.as_ref().map_err(Clone::clone)?;
        match witness.ask(&event_object(event, call, extra)).await? {
            Value::Object(answer) => Ok(answer),
            Value::Null => Ok(Map::new()),
            _ => Err("it answered with no object".to_owned()),
        }
    }

    fn wants(&self, event: &str) -> bool {
        self.events.iter().any(|wanted| wanted == event)
    }
}

impl Hook for PluginHook {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_guard(&self) -> bool {
        self.wants("pre_tool_call")
    }

    fn pre<'a>(&'a self, call: &'a HookCall<'a>) -> BoxFuture<'a, Result<PreVerdict, String>> {
        Box::pin(async move {
            if !self.wants("pre_tool_call") {
                return Ok(PreVerdict::Continue);
            }
            read_verdict(self.ask("pre_tool_call", call, json!({})).await?)
        })
    }

    fn post<'a>(
        &'a self,
        call: &'a HookCall<'a>,
        outcome: &'a ToolOutcome,
    ) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            if self.wants("post_tool_call") {
                self.ask("post_tool_call", call, outcome_facts(outcome)).await?;
            }
            Ok(())
        })
    }

    fn transform<'a>(
        &'a self,
        call: &'a HookCall<'a>,
        result: &'a Value,
    ) -> BoxFuture<'a, Result<Option<Value>, String>> {
        Box::pin(async move {
            if !self.wants("transform_tool_result") {
                return Ok(None);
            }
            let mut answer = self.ask("transform_tool_result", call, json!({ "result": result })).await?;
            Ok(answer.remove("result"))
        })
    }
}
