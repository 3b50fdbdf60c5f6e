//! What `tool_search` answers: enough of each hit to choose, and whole schemas of the best while they fit.

use hermes_core::text::json_len;
use hermes_search::{Fit, Method};
use serde_json::{Map, Value, json};

use super::deferred::Deferred;
use super::detail::{Detail, first_sentence};
use super::directory::source_of;
use super::plan::estimated_tokens;
use super::service::Found;
use crate::catalog::Listed;

/// Letters of a hit's purpose.
const PURPOSE: usize = 200;
/// Letters of the query that are given back.
const ECHOED: usize = 200;
/// Sources that an answer without hits names.
const MOST_SOURCES: usize = 50;
/// Near names in an answer without hits.
const MOST_NEAR: usize = 5;

/// The schemas of the first hits of each answer, as far as the tokens for all of them go. Every query has its
/// best hit's before any has its second, and rather a short one than none.
pub(super) fn schemas(all: &[Found], deferred: &Deferred, mut tokens: usize) -> Vec<Vec<Value>> {
    let tools: Vec<Vec<&Listed>> = all.iter().map(|found| shown(found, deferred)).collect();
    let mut given: Vec<Vec<Value>> = vec![Vec::new(); all.len()];
    let least = |tool: &&Listed| cost(&parameters(tool, Detail::Outline));
    let mut kept_back: usize = tools.iter().filter_map(|tools| tools.first()).map(least).sum();
    for place in 0..tools.iter().map(Vec::len).max().unwrap_or_default() {
        for (tools, given) in tools.iter().zip(&mut given) {
            // A hit whose schema does not fit leaves the room to none behind it: a later schema without an
            // earlier one would look like the better answer.
            let Some(tool) = tools.get(place).filter(|_| given.len() == place) else { continue };
            let detail: &[Detail] = if place == 0 { &Detail::ALL } else { &[Detail::Full] };
            if place == 0 {
                kept_back = kept_back.saturating_sub(least(tool));
            }
            let room = tokens.saturating_sub(kept_back);
            let mut schemas = detail.iter().map(|detail| parameters(tool, *detail));
            if let Some(schema) = schemas.find(|schema| cost(schema) <= room) {
                tokens -= cost(&schema);
                given.push(schema);
            }
        }
    }
    given
}

fn cost(schema: &Value) -> usize {
    estimated_tokens(json_len(schema))
}

fn parameters(tool: &Listed, detail: Detail) -> Value {
    let mut definition = detail.of(&json!({"parameters": tool.entry.info().parameters}));
    definition.get_mut("parameters").map(Value::take).unwrap_or_default()
}

fn shown<'a>(found: &Found, deferred: &'a Deferred) -> Vec<&'a Listed> {
    found.names.iter().filter_map(|name| deferred.get(name)).collect()
}

/// The answer to one query, with the schemas of its first hits. `direct` are tools that need no search.
pub(super) fn reply(
    (query, direct): (&str, Vec<&str>),
    found: &Found,
    deferred: &Deferred,
    schemas: Vec<Value>,
) -> Value {
    let mut matches: Vec<Value> = Vec::with_capacity(found.names.len());
    let mut schemas = schemas.into_iter();
    for tool in shown(found, deferred) {
        let mut hit = hit(tool);
        hit.extend(schemas.next().map(|schema| ("parameters".to_owned(), schema)));
        matches.push(Value::Object(hit));
    }
    let nothing = matches.is_empty();
    let mut answer = Map::new();
    answer.insert("query".to_owned(), echoed(query).into());
    answer.insert("total_available".to_owned(), deferred.len().into());
    answer.insert("matches".to_owned(), matches.into());
    if !direct.is_empty() {
        let hint = format!("Call {} directly: it needs no search.", direct.join(" or "));
        answer.insert("direct".to_owned(), direct.into());
        answer.insert("hint".to_owned(), hint.into());
    }
    if nothing {
        explain_nothing(query, deferred, &mut answer);
    } else {
        if found.fit == Fit::Weak {
            answer.insert("fit".to_owned(), "weak".into());
        }
        if found.method == Method::Words {
            answer.insert("ranked_by".to_owned(), "words".into());
        }
        tell_of_the_rest(query, found, deferred, &mut answer);
    }
    Value::Object(answer)
}

fn echoed(query: &str) -> String {
    match query.char_indices().nth(ECHOED) {
        Some((end, _)) => format!("{}…", query.split_at(end).0),
        None => query.to_owned(),
    }
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

/// Whoever asks for a source is told how many tools it has beside those shown.
fn tell_of_the_rest(query: &str, found: &Found, deferred: &Deferred, answer: &mut Map<String, Value>) {
    let asked = query.trim().to_lowercase();
    let all = deferred.sources().into_iter().find(|(name, _)| name.to_lowercase() == asked);
    if let Some((name, count)) = all
        && let Some(more) = count.checked_sub(found.names.len()).filter(|more| *more > 0)
    {
        let hint = format!("{name} has {more} more tools: say what they should do, or give a larger limit.");
        answer.entry("hint").or_insert_with(|| hint.into());
    }
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
    answer.entry("hint").or_insert_with(|| hint.into());
}
