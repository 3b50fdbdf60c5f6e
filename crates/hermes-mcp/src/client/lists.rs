//! What a server has on offer, page by page.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rmcp::model::PaginatedRequestParams;
use serde_json::Value;

use super::entries::{List, Read, called};
use super::execution::restored;
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
        let cover = self.cover();
        let all = known.is_none();
        let seen = self.plain_manifest(known).await.map_err(|reason| cover.text(reason))?;
        self.looked_at.fetch_or(all, Ordering::Relaxed);
        cover.whole(seen).map_err(|_| "what it offers cannot be shown without its secrets".to_owned())
    }

    async fn plain_manifest(&self, known: Option<Listed>) -> Result<Manifest, String> {
        let info = self.service.peer_info().ok_or("the server did not say who it is")?;
        let capabilities = &info.capabilities;
        let (resources, prompts) = (capabilities.resources.is_some(), capabilities.prompts.is_some());
        let tools =
            async { if capabilities.tools.is_some() { self.tools().await } else { Ok(Default::default()) } };
        let listed = async {
            match known {
                Some(known) => known,
                None => self.listed(resources, prompts).await,
            }
        };
        let (tools, listed) = tokio::join!(tools, listed);
        let (tools, left_out) = tools?;
        let identity = info.server_info.as_ref();
        Ok(Manifest {
            server: Identity {
                name: identity.map(|server| server.name.clone()).unwrap_or_default(),
                version: identity.map(|server| server.version.clone()).unwrap_or_default(),
            },
            configured_as: None,
            protocol: info.protocol_version.to_string(),
            resources,
            prompts,
            tools,
            left_out,
            listed,
        })
    }

    /// Its tools, and what was left out of them with the reason. Of several definitions of one tool the first counts.
    async fn tools(&self) -> Result<(Vec<ToolDef>, Vec<String>), String> {
        let listed = self.pages(List::Tools).await?;
        let (mut tools, mut left_out, mut names) = (Vec::new(), listed.left_out, BTreeSet::new());
        for entry in listed.entries {
            let name = called(&entry);
            match serde_json::from_value::<ToolDef>(restored(entry)) {
                Ok(tool) if tool.name.is_empty() => left_out.push("one of them: it has no name".to_owned()),
                Ok(tool) if names.insert(tool.name.clone()) => tools.push(tool),
                Ok(_) => left_out.push(format!("{name}: it is listed twice")),
                Err(error) => left_out.push(format!("{name}: {error}")),
            }
        }
        Ok((tools, left_out))
    }

    /// What it has beside tools. A list that cannot be had is empty: the tools work without it.
    async fn listed(&self, resources: bool, prompts: bool) -> Listed {
        let (prompts, resources, templates) = tokio::join!(
            self.side_list(prompts, List::Prompts),
            self.side_list(resources, List::Resources),
            self.side_list(resources, List::Templates),
        );
        Listed { prompts, resources, templates }
    }

    async fn side_list(&self, has: bool, list: List) -> Vec<Value> {
        if !has {
            return Vec::new();
        }
        let what = list.what();
        let listed = tokio::time::timeout(SIDE_LIST_LIMIT, self.pages(list)).await;
        let listed = listed.unwrap_or_else(|_| Err(format!("the list of {what} took too long")));
        listed.map(|listed| listed.entries).unwrap_or_else(|reason| {
            self.service.service().log.line(&format!("[its {what} could not be listed: {reason}]"));
            Vec::new()
        })
    }

    /// All pages of one list.
    async fn pages(&self, list: List) -> Result<Read, String> {
        let what = list.what();
        let mut all = Read::default();
        let mut cursor: Option<String> = None;
        let mut begun = BTreeSet::new();
        for _ in 0..MAX_PAGES {
            let mut asked = PaginatedRequestParams::default();
            asked.cursor = cursor;
            let (page, next) = list.page(&self.service, asked).await?;
            for left_out in &page.left_out {
                self.service.service().log.line(&format!("[of its {what} one is left out: {left_out}]"));
            }
            all.entries.extend(page.entries);
            all.left_out.extend(page.left_out);
            if all.entries.len() > MAX_ENTRIES {
                return Err(format!("the server lists more than {MAX_ENTRIES} {what}"));
            }
            // A server that sends its reader back would do so forever: what it showed is all there is.
            cursor = next.filter(|next| begun.insert(next.clone()));
            if cursor.is_none() {
                return Ok(all);
            }
        }
        Err(format!("the server's list of {what} has more than {MAX_PAGES} pages"))
    }
}
