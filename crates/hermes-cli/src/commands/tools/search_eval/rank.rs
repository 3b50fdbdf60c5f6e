//! Ranks every query in its catalog. Vectors are kept between runs, since a catalog is measured often.

use std::collections::{BTreeMap, BTreeSet};

use hermes_core::ports::CacheStore;
use hermes_search::encoder::{Encoder, TOOL_TOKENS, tool_text};
use hermes_search::{DefinitionHash, Document, Library, Query, Shelf};

use super::args::SearchEvalArgs;
use super::asked::Asked;
use crate::commands::tools::catalog_file::Tool;

/// Names in a ranking.
const DEPTH: usize = 50;
/// The file of vectors in the cache.
const VECTORS: &str = "eval-vectors";

/// The rankings, in the order of the queries.
pub(super) fn rank(
    tools: &[Tool],
    asked: &[Asked],
    args: &SearchEvalArgs,
    cache: &dyn CacheStore,
) -> Vec<Vec<String>> {
    let documents: Vec<Document> = tools.iter().map(Tool::document).collect();
    let shelf = if args.words { Shelf::default() } else { vectors(&documents, cache) };
    let catalogs: BTreeSet<&str> = asked.iter().map(|asked| asked.catalog.as_str()).collect();
    let mut ranked: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for catalog in catalogs {
        let mut library = Library::default();
        for (document, _) in
            documents.iter().zip(tools).filter(|(_, tool)| catalog.is_empty() || tool.is_in(catalog))
        {
            library.insert(document.clone());
        }
        library.set_vectors(&|hash| shelf.get(hash));
        let scope = library.everything();
        for (place, asked) in asked.iter().enumerate().filter(|(_, asked)| asked.catalog == catalog) {
            let service = asked.server_hint.as_deref().filter(|_| args.hints);
            let answer = library
                .search(&Query { text: &asked.query, service, limit: DEPTH, ..Query::default() }, &scope);
            ranked.insert(place, answer.hits.into_iter().map(|hit| hit.name).collect());
        }
    }
    ranked.into_values().collect()
}

/// The vectors of all documents: from the cache, or made now.
fn vectors(documents: &[Document], cache: &dyn CacheStore) -> Shelf {
    let mut shelf = cache.load(VECTORS).map(|bytes| Shelf::read(&bytes)).unwrap_or_default();
    let mut missing: BTreeMap<DefinitionHash, String> = BTreeMap::new();
    for document in documents {
        let hash = document.hash();
        if shelf.get(&hash).is_none() {
            missing.insert(hash, tool_text(document));
        }
    }
    let Some(encoder) = Encoder::shared().filter(|_| !missing.is_empty()) else { return shelf };
    let texts: Vec<&str> = missing.values().map(String::as_str).collect();
    for (hash, vector) in missing.keys().zip(encoder.embed_all(&texts, TOOL_TOKENS)) {
        shelf.put(*hash, vector);
    }
    let own: BTreeSet<DefinitionHash> = documents.iter().map(Document::hash).collect();
    // Without the cache the next run takes longer, and that is all.
    let _ = cache.save(VECTORS, &shelf.write(&|hash| own.contains(hash)));
    shelf
}
