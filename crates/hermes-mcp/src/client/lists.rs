//! What a server has on offer, page by page.

use std::future::Future;
use std::time::Duration;

use rmcp::model::PaginatedRequestParams;
use rmcp::service::ServiceError;
use serde::Serialize;
use serde_json::Value;

use super::link::Link;
use crate::manifest::{Identity, Listed, Manifest, ToolDef};

/// Pages of a list that are asked for at most, and entries that are taken at most.
const MAX_PAGES: usize = 100;
const MAX_ENTRIES: usize = 10_000;
/// How long a list may take without which the server can be used as well.
const SIDE_LIST_LIMIT: Duration = Duration::from_secs(5);

impl Link {
    /// Everything the server has on offer now. What is known beside tools from before is not asked for again.
    pub(crate) async fn manifest(&self, known: Option<Listed>) -> Result<Manifest, String> {
        let info = self.service.peer_info().ok_or("the server did not say who it is")?;
        let capabilities = &info.capabilities;
        let (resources, prompts) = (capabilities.resources.is_some(), capabilities.prompts.is_some());
        let tools = async { if capabilities.tools.is_some() { self.tools().await } else { Ok(Vec::new()) } };
        let listed = async {
            match known {
                Some(known) => known,
                None => self.listed(resources, prompts).await,
            }
        };
        let (tools, listed) = tokio::join!(tools, listed);
        let identity = info.server_info.as_ref();
        Ok(Manifest {
            server: Identity {
                name: identity.map(|server| server.name.clone()).unwrap_or_default(),
                version: identity.map(|server| server.version.clone()).unwrap_or_default(),
            },
            protocol: info.protocol_version.to_string(),
            resources,
            prompts,
            tools: tools?,
            listed,
        })
    }

    async fn tools(&self) -> Result<Vec<ToolDef>, String> {
        let page = |page| async {
            self.service.list_tools(page).await.map(|listed| (listed.tools, listed.next_cursor))
        };
        let tools = pages("tools", page).await?.into_iter();
        tools.map(|tool| serde_json::from_value(tool).map_err(|error| error.to_string())).collect()
    }

    /// What it has beside tools. A list that cannot be had is empty: the tools work without it.
    async fn listed(&self, resources: bool, prompts: bool) -> Listed {
        let (prompts, resources, templates) = tokio::join!(
            self.side_list(prompts, "prompts", |page| async {
                self.service.list_prompts(page).await.map(|listed| (listed.prompts, listed.next_cursor))
            }),
            self.side_list(resources, "resources", |page| async {
                self.service.list_resources(page).await.map(|listed| (listed.resources, listed.next_cursor))
            }),
            self.side_list(resources, "resource templates", |page| async {
                let listed = self.service.list_resource_templates(page).await;
                listed.map(|listed| (listed.resource_templates, listed.next_cursor))
            }),
        );
        Listed { prompts, resources, templates }
    }

    async fn side_list<T: Serialize, F>(
        &self,
        has: bool,
        what: &str,
        page: impl Fn(Option<PaginatedRequestParams>) -> F,
    ) -> Vec<Value>
    where
        F: Future<Output = Result<(Vec<T>, Option<String>), ServiceError>>,
    {
        if !has {
            return Vec::new();
        }
        let listed = tokio::time::timeout(SIDE_LIST_LIMIT, pages(what, page)).await;
        listed.unwrap_or_else(|_| Err(format!("the list of {what} took too long"))).unwrap_or_else(|reason| {
            self.service.service().log.line(&format!("[its {what} could not be listed: {reason}]"));
            Vec::new()
        })
    }
}

/// All pages of one list.
async fn pages<T: Serialize, F>(
    what: &str,
    page: impl Fn(Option<PaginatedRequestParams>) -> F,
) -> Result<Vec<Value>, String>
where
    F: Future<Output = Result<(Vec<T>, Option<String>), ServiceError>>,
{
    let mut all = Vec::new();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let mut asked = PaginatedRequestParams::default();
        asked.cursor = cursor;
        let (entries, next) = page(Some(asked)).await.map_err(|error| error.to_string())?;
        for entry in entries {
            all.push(serde_json::to_value(entry).map_err(|error| error.to_string())?);
            if all.len() > MAX_ENTRIES {
                return Err(format!("the server lists more than {MAX_ENTRIES} {what}"));
            }
        }
        cursor = next;
        if cursor.is_none() {
            return Ok(all);
        }
    }
    Err(format!("the server's list of {what} has more than {MAX_PAGES} pages"))
}
