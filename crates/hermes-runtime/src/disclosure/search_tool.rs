//! `tool_search`: words in, tools out.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{Access, AnyTool, CallContext, ErrorCode, Prepared, ToolError, ToolInfo};
use hermes_search::Query;
use serde_json::{Value, json};

use super::bridge::info;
use super::deferred::Deferred;
use super::reply::{reply, schemas};
use super::service::{Found, ToolSearch};

/// Queries in one call.
const MOST_QUERIES: usize = 8;
/// Tools that are embedded before a call is answered: about a second, once. The others have time.
const MOST_EMBEDDED: usize = 240;
/// Letters of a query that are searched for; behind them only names are looked for.
const LONGEST_QUERY: usize = 2_000;
/// Letters of a query, and names behind the part that is searched for, that are looked at.
const MOST_LETTERS: usize = 200_000;
const MOST_NAMES: usize = 50;

pub(super) struct SearchTool {
    info: ToolInfo,
    deferred: Arc<Deferred>,
    search: Arc<ToolSearch>,
}

impl SearchTool {
    pub(super) fn new(
        deferred: Arc<Deferred>,
        search: Arc<ToolSearch>,
        count: usize,
        directory: &str,
    ) -> Self {
        let settings = search.settings();
        let description = format!(
            "Find tools by what they do, then use tool_call. {count} more tools are behind this search, from: \
             {directory}. The best hits come with their parameters; `fit: weak` means that likely nothing fits."
        );
        let parameters = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "query": {"type": "string", "description": "What the tool should do, or its name."},
                "queries": {"type": "array", "items": {"type": "string"}, "description": "Several needs at once."},
                "service": {"type": "string", "description": "The service or kind of server, if known."},
                // Any type: a limit that is not a number means the default, not a failed search.
                "limit": {"description": format!(
                    "Hits, {} by default, at most {}.", settings.default_limit, settings.max_limit
                )},
            },
        });
        SearchTool { info: info("tool_search", description, parameters), deferred, search }
    }

    /// What of a query is searched for: its beginning, and the names in the rest.
    fn shortened(&self, query: &str) -> String {
        let Some((end, _)) = query.char_indices().nth(LONGEST_QUERY) else { return query.to_owned() };
        let (start, rest) = query.split_at(end);
        let rest = rest.char_indices().nth(MOST_LETTERS).map_or(rest, |(end, _)| rest.split_at(end).0);
        let names: BTreeSet<&str> = self.deferred.named_in(rest).take(MOST_NAMES).collect();
        [start].into_iter().chain(names).collect::<Vec<_>>().join(" ")
    }
}

impl AnyTool for SearchTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str);
        let more = arguments.get("queries").and_then(Value::as_array).into_iter().flatten();
        let mut queries: Vec<String> = text("query")
            .into_iter()
            .chain(more.filter_map(Value::as_str))
            .map(|query| self.shortened(query))
            .collect();
        let left_out = queries.len().saturating_sub(MOST_QUERIES);
        queries.truncate(MOST_QUERIES);
        if queries.is_empty() {
            return Err(ToolError::invalid("query is required: say what the tool should do"));
        }
        let service = text("service").map(|service| self.shortened(service));
        let limit = self.search.settings().limit(arguments.get("limit"));
        Ok(Box::new(Search { tool: self, queries, left_out, service, limit }))
    }
}

struct Search {
    tool: Arc<SearchTool>,
    queries: Vec<String>,
    /// Queries beyond those that one call answers.
    left_out: usize,
    service: Option<String>,
    limit: usize,
}

impl Prepared for Search {
    fn access(&self) -> Vec<Access> {
        Vec::new()
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(async move {
            // Milliseconds of arithmetic, and more at the first search of a large catalog.
            let searching = tokio::task::spawn_blocking(move || self.answer(&cx.session().id));
            searching.await.map_err(|error| {
                ToolError::new(ErrorCode::Internal, "the search failed").with_operator(error.to_string())
            })
        })
    }
}

impl Search {
    fn wanted<'a>(&'a self, query: &'a str) -> Query<'a> {
        Query { text: query, service: self.service.as_deref(), limit: self.limit, ..Query::default() }
    }

    fn answer(&self, session: &str) -> Value {
        let SearchTool { deferred, search, .. } = &*self.tool;
        search.follow(deferred.registered());
        let mut room = MOST_EMBEDDED;
        for query in &self.queries {
            room -= search.embed_first(&self.wanted(query), deferred, room);
        }
        let found: Vec<Found> =
            self.queries.iter().map(|query| search.find(&self.wanted(query), deferred)).collect();
        // Behind the search, so that the same first search finds the same however fast the machine is.
        search.embed_in_background();
        search.searched(session, &self.queries, &found);
        let schemas = schemas(&found, deferred, search.settings().schema_tokens);
        let answers = self.queries.iter().zip(&found).zip(schemas);
        let mut answers: Vec<Value> = answers
            .map(|((query, found), schemas)| {
                let direct = search.direct(&self.wanted(query), deferred);
                reply((query, direct), found, deferred, schemas)
            })
            .collect();
        match (answers.len(), answers.pop()) {
            (1, Some(only)) => only,
            (_, Some(last)) => {
                answers.push(last);
                match self.left_out {
                    0 => json!({"answers": answers}),
                    more => json!({"answers": answers, "hint": format!(
                        "The last {more} queries were not searched: {MOST_QUERIES} fit into one call."
                    )}),
                }
            }
            (_, None) => Value::Null,
        }
    }
}
