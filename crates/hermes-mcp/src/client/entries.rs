//! A page of a server's list, entry by entry: one that cannot be read does not take the others with it.

use rmcp::model::{
    ClientRequest, ListPromptsRequest, ListResourceTemplatesRequest, ListResourcesRequest, ListToolsRequest,
    PaginatedRequestParams, Prompt, Resource, ResourceTemplate, ServerResult, Tool,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::words::of_service;
use crate::lines::{MAX_DEPTH, TOO_DEEP};

/// Levels of a message around an entry of its list.
const AROUND: usize = 3;

/// A list that servers have.
#[derive(Clone, Copy, Debug)]
pub(super) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

/// Entries in the SDK's spelling, and those that cannot be read, each with the reason.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) entries: Vec<Value>,
    pub(super) left_out: Vec<String>,
}

impl List {
    pub(super) const fn what(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Prompts => "prompts",
            List::Resources => "resources",
            List::Templates => "resource templates",
        }
    }

    /// One page and where the next begins.
    pub(super) async fn page(
        self,
        peer: &Peer<RoleClient>,
        asked: PaginatedRequestParams,
    ) -> Result<(Read, Option<String>), String> {
        let page = Some(asked.clone());
        let listed = match self {
            List::Tools => peer.list_tools(page).await.map(ServerResult::ListToolsResult),
            List::Prompts => peer.list_prompts(page).await.map(ServerResult::ListPromptsResult),
            List::Resources => peer.list_resources(page).await.map(ServerResult::ListResourcesResult),
            List::Templates => {
                peer.list_resource_templates(page).await.map(ServerResult::ListResourceTemplatesResult)
            }
        };
        let listed = match listed {
            // The SDK reads a list whole or not at all.
            Err(ServiceError::UnexpectedResponse) => peer.send_request(self.request(asked)).await,
            listed => listed,
        };
        let listed = listed.map_err(|error| match error {
            ServiceError::McpError(error) => format!(
                "it does not list its {}: {} ({})",
                self.what(),
                hermes_core::text::visible(&error.message),
                error.code.0
            ),
            other => of_service(&other),
        })?;
        self.read(serde_json::to_value(listed).map_err(|error| error.to_string())?)
    }

    fn request(self, asked: PaginatedRequestParams) -> ClientRequest {
        match self {
            List::Tools => ClientRequest::ListToolsRequest(ListToolsRequest::with_param(asked)),
            List::Prompts => ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(asked)),
            List::Resources => ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(asked)),
            List::Templates => {
                ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest::with_param(asked))
            }
        }
    }

    fn read(self, mut page: Value) -> Result<(Read, Option<String>), String> {
        let key = match self {
            List::Templates => "resourceTemplates",
            other => other.what(),
        };
        let Some(Value::Array(entries)) = page.get_mut(key).map(Value::take) else {
            return Err(format!("the server's list of {} cannot be read", self.what()));
        };
        let mut read = Read::default();
        for entry in entries {
            let name = called(&entry);
            if is_too_deep(&entry, MAX_DEPTH - AROUND) {
                read.left_out.push(format!("{name}: it is nested deeper than {} levels", MAX_DEPTH - AROUND));
                continue;
            }
            let spelled = match self {
                List::Tools => respelled::<Tool>(with_schema(entry)),
                List::Prompts => respelled::<Prompt>(entry),
                List::Resources => respelled::<Resource>(entry),
                List::Templates => respelled::<ResourceTemplate>(entry),
            };
            match spelled {
                Ok(entry) => read.entries.push(entry),
                Err(reason) => read.left_out.push(format!("{name}: {reason}")),
            }
        }
        Ok((read, page.get("nextCursor").and_then(Value::as_str).map(str::to_owned)))
    }
}

/// What an entry calls itself.
pub(super) fn called(entry: &Value) -> String {
    let name = ["name", "uri", "uriTemplate"].into_iter().find_map(|key| entry.get(key)?.as_str());
    hermes_core::text::visible(name.unwrap_or("one without a name"))
}

/// Whether a definition is nested deeper than this, or was before something was left out of it.
fn is_too_deep(value: &Value, levels: usize) -> bool {
    let mut inside: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(fields) => Box::new(fields.values()),
        other => return other == TOO_DEEP,
    };
    levels == 0 || inside.any(|value| is_too_deep(value, levels - 1))
}

/// A tool that says nothing of its arguments takes none.
fn with_schema(mut tool: Value) -> Value {
    if let Value::Object(fields) = &mut tool
        && fields.get("inputSchema").is_none_or(Value::is_null)
    {
        fields.insert("inputSchema".to_owned(), json!({"type": "object"}));
    }
    tool
}

/// The entry as the SDK spells it, so that it is the same whatever stands beside it.
fn respelled<T: Serialize + DeserializeOwned>(entry: Value) -> Result<Value, serde_json::Error> {
    serde_json::to_value(serde_json::from_value::<T>(entry)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_entry_is_left_out_by_name() {
        let good = json!({"name": "good", "inputSchema": {"type": "object"}});
        let page = json!({"tools": [good, {"name": "bad\u{202e}", "description": 7}, 7], "nextCursor": "n"});
        let (read, next) = List::Tools.read(page).unwrap();
        assert_eq!((read.entries, next.as_deref()), (vec![good], Some("n")));
        assert!(read.left_out[0].starts_with("bad\\u{202e}: "), "{:?}", read.left_out);
        assert_eq!(read.left_out.len(), 2);
        assert!(List::Prompts.read(json!({"prompts": 7})).is_err());
        let page = json!({"tools": [{"name": "none"}, {"name": "null", "inputSchema": null}]});
        let (read, _) = List::Tools.read(page).unwrap();
        assert!(read.entries.iter().all(|tool| tool["inputSchema"] == json!({"type": "object"})), "{read:?}");
    }

    #[test]
    fn what_is_nested_too_deep_is_left_out_alone() {
        let nested =
            |levels: usize| (0..levels).fold(json!({"type": "object"}), |inside, _| json!({"a": inside}));
        let tool = |name: &str, schema: Value| json!({"name": name, "inputSchema": schema});
        let tools =
            [tool("good", nested(90)), tool("deep", nested(MAX_DEPTH)), tool("cut", json!({"a": TOO_DEEP}))];
        let (read, _) = List::Tools.read(json!({ "tools": tools })).unwrap();
        assert_eq!(read.entries.iter().map(called).collect::<Vec<_>>(), ["good"]);
        assert!(read.left_out.iter().all(|left| left.contains("nested deeper")), "{read:?}");
        assert_eq!(read.left_out.len(), 2);
    }
}
