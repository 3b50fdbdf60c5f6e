//! Prompts are agreed to like tools. What a server that is known has beside tools is asked for only after the first call,
//! so whoever wants a prompt looks first.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use hermes_core::ToolError;
use serde_json::{Value, json};

use super::call::Caller;
use super::fault::Fault;
use super::server::Server;
use crate::front::name_of;
use crate::manifest::Verdict;
use crate::tool::quarantine;

impl Server {
    /// Makes sure that what the server has beside tools is known as it is on this link.
    pub(crate) async fn look_at_lists(self: &Arc<Self>, caller: &Caller<'_>) -> Result<(), ToolError> {
        let failed = |fault: Fault| fault.into_error(&self.config.name, true);
        let looking = async {
            let link = self.link().await?;
            if link.looked_at.load(Ordering::Relaxed) {
                return Ok(());
            }
            let listed = tokio::time::timeout(self.config.connect_timeout, self.refresh(&link, None)).await;
            let listed = listed.unwrap_or_else(|_| Err("it did not list its prompts in time".to_owned()));
            listed.map_err(Fault::NotSent)
        };
        tokio::select! {
            looked = looking => looked.map_err(failed),
            () = caller.cancel.cancelled() => Err(failed(Fault::Cancelled { sent: false })),
        }
    }

    /// Whether a prompt is the one that was agreed to. What a server does not list has no definition.
    pub(crate) fn is_agreed_prompt(&self, name: &str) -> Result<(), ToolError> {
        let Some(record) = self.record() else { return Ok(()) };
        let listed = record.seen.listed.prompts.iter().find(|prompt| name_of(prompt) == name);
        let verdict = listed.map_or(Verdict::Accepted, |prompt| record.judge_prompt(prompt));
        verdict.permits(&format!("prompt {}", hermes_core::text::visible(name)), &self.config.name)
    }

    /// A list of prompts as the server has just given it, without the definitions of those that are kept back.
    pub(crate) fn agreed_prompts(&self, mut listed: Value) -> Value {
        let Some(record) = self.record() else { return listed };
        for prompt in listed.get_mut("prompts").and_then(Value::as_array_mut).into_iter().flatten() {
            let verdict = record.judge_prompt(prompt);
            // One that is new will be looked at with the next list.
            let Err(reason) = quarantine(verdict, self).or_else(|reason| match verdict {
                Verdict::New => Ok(()),
                _ => Err(reason),
            }) else {
                continue;
            };
            *prompt = json!({"name": name_of(prompt), "description": reason});
            if let Some(link) = self.live_link() {
                link.lists_changed.notify_one();
            }
        }
        listed
    }
}
