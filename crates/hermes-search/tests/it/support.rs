//! Libraries from fixture lines.

use std::collections::HashMap;

use hermes_search::encoder::{Encoder, TOOL_TOKENS};
use hermes_search::{Document, Library, Query};
use serde_json::Value;

pub(crate) fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn document(name: &str, server: &str, bare: &str, description: &str) -> Document {
    Document {
        name: name.to_owned(),
        bare: bare.to_owned(),
        server: server.to_owned(),
        description: description.to_owned(),
        ..Document::default()
    }
}

pub(crate) fn embed(library: &mut Library) {
    let encoder = Encoder::shared().unwrap();
    let missing = library.without_vector(usize::MAX);
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let made: HashMap<_, _> =
        missing.iter().map(|(hash, _)| *hash).zip(encoder.embed_all(&texts, TOOL_TOKENS)).collect();
    library.set_vectors(&|hash| made.get(hash).cloned());
}

pub(crate) fn first(library: &Library, query: &str, limit: usize) -> Vec<String> {
    let scope = library.everything();
    let answer = library.search(&Query { text: query, limit, ..Query::default() }, &scope);
    answer.hits.into_iter().map(|hit| hit.name).collect()
}
