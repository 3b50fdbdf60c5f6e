//! A page of a server's list, entry by entry: one that cannot be read does not take the others with it.

use rmcp::model::{
    ClientRequest, ListPromptsRequest, ListResourceTemplatesRequest, ListResourcesRequest, ListToolsRequest,
    PaginatedRequestParams, Prompt, Resource, ResourceTemplate, ServerResult, Tool,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

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
        let listed = listed.map_err(|error| error.to_string())?;
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
            let spelled = match self {
                List::Tools => respelled::<Tool>(entry),
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

/// The entry as the SDK spells it, so that it is the same whatever stands beside it.
fn respelled<T: Serialize + DeserializeOwned>(entry: Value) -> Result<Value, serde_json::Error> {
    serde_json::to_value(serde_json::from_value::<T>(entry)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
    }
}
