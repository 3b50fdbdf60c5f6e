//! What `tool_search` answers: enough of each hit to choose, and whole schemas of the best while they fit.

use hermes_core::text::json_len;
use hermes_search::{Fit, Method};
use serde_json::{Map, Value, json};

use super::deferred::Deferred;
use super::detail::first_sentence;
use super::directory::source_of;
use super::plan::estimated_tokens;
use super::service::Found;
use crate::catalog::Listed;

/// Letters of a hit's purpose.
const PURPOSE: usize = 200;
/// Sources that an answer without hits names.
const MOST_SOURCES: usize = 50;
/// Near names in an answer without hits.
const MOST_NEAR: usize = 5;

/// The answer to one query.
pub(super) fn reply(query: &str, found: &Found, deferred: &Deferred, mut schema_tokens: usize) -> Value {
    let mut matches = Vec::with_capacity(found.names.len());
    for name in &found.names {
        let Some(tool) = deferred.get(name) else { continue };
        let mut hit = hit(tool);
        let parameters = &tool.entry.info().parameters;
        let cost = estimated_tokens(json_len(parameters));
        // The best hit that does not fit leaves the room to none behind it: a later schema without an
        // earlier one would look like the better answer.
        if cost <= schema_tokens {
            schema_tokens -= cost;
            hit.insert("parameters".to_owned(), parameters.clone());
        } else {
            schema_tokens = 0;
        }
        matches.push(Value::Object(hit));
    }
    let nothing = matches.is_empty();
    let mut answer = Map::new();
    answer.insert("query".to_owned(), query.into());
    answer.insert("total_available".to_owned(), deferred.len().into());
    answer.insert("matches".to_owned(), matches.into());
    if nothing {
        explain_nothing(query, deferred, &mut answer);
    } else {
        if found.fit == Fit::Weak {
            answer.insert("fit".to_owned(), "weak".into());
        }
        if found.method == Method::Words {
            answer.insert("ranked_by".to_owned(), "words".into());
        }
    }
    Value::Object(answer)
}

fn hit(tool: &Listed) -> Map<String, Value> {
    let info = tool.entry.info();
    let (kind, source) = source_of(tool);
    let required = info.parameters.get("required").cloned().unwrap_or_else(|| json!([]));
    Map::from_iter([
        ("name".to_owned(), tool.shown_name.as_str().into()),
        ("source".to_owned(), kind.into()),
        ("source_name".to_owned(), source.into()),
        ("description".to_owned(), first_sentence(&info.description, PURPOSE).into()),
        ("required".to_owned(), required),
    ])
}

/// Never nothing: what is connected, and which names come near.
fn explain_nothing(query: &str, deferred: &Deferred, answer: &mut Map<String, Value>) {
    let sources = deferred.sources();
    let named: Map<String, Value> =
        sources.iter().take(MOST_SOURCES).map(|(name, count)| (name.clone(), (*count).into())).collect();
    answer.insert("sources".to_owned(), named.into());
    if sources.len() > MOST_SOURCES {
        answer.insert("more_sources".to_owned(), (sources.len() - MOST_SOURCES).into());
    }
    let near = deferred.near(query, MOST_NEAR);
    if !near.is_empty() {
        answer.insert("near".to_owned(), near.into());
    }
    let hint = "Nothing fits. Search with other words, or with the name of a source to see its tools.";
    answer.insert("hint".to_owned(), hint.into());
}
