//! Search by words over anything: what was inserted is found by its name, what was removed is found no more,
//! hits lie in the scope and are distinct, and asking again gives the same answer. Each line is a tool,
//! `name|server|description|argument`; the first line is the query.

use std::collections::HashSet;

use hermes_search::{Document, Library, Query, tokens};

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let query = lines.next().unwrap_or_default();
    for term in tokens::terms(query) {
        assert!(!term.is_empty());
    }
    let mut library = Library::default();
    let mut names = HashSet::new();
    for line in lines.take(32) {
        let mut parts = line.split('|');
        let mut next = || parts.next().unwrap_or_default().to_owned();
        let (name, server, description) = (next(), next(), next());
        let parameters = serde_json::json!({"properties": {next(): {"description": next()}}});
        names.insert(name.clone());
        library.insert(Document {
            bare: name.clone(),
            name,
            server,
            description,
            parameters,
            aliases: Vec::new(),
        });
    }
    assert_eq!(library.len(), names.len());
    let scope = library.everything();
    let asked = Query { text: query, limit: 5, ..Query::default() };
    let answer = library.search(&asked, &scope);
    assert_eq!(answer, library.search(&asked, &scope));
    let found: HashSet<&str> = answer.hits.iter().map(|hit| hit.name.as_str()).collect();
    assert_eq!(found.len(), answer.hits.len());
    assert!(found.iter().all(|name| names.contains(*name)));
    for name in names {
        if tokens::pieces(&name).next().is_some() {
            let hits = library.search(&Query { text: &name, limit: 5, ..Query::default() }, &scope).hits;
            assert!(hits.iter().any(|hit| hit.name == name), "{name:?}");
        }
        library.remove(&name);
        let scope = library.everything();
        let hits = library.search(&Query { text: &name, limit: 5, ..Query::default() }, &scope).hits;
        assert!(hits.iter().all(|hit| hit.name != name), "{name:?}");
    }
    assert!(library.is_empty());
}
