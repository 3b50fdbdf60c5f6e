//! A session of some hundred tools of real servers: what a model asks for is found.

use hermes_search::{Document, Library};
use serde_json::Value;

use crate::support::{embed, first, lines};

const TOOLS: &str = include_str!("../fixtures/session-tools.jsonl");
const QUERIES: &str = include_str!("../fixtures/session-queries.jsonl");

/// Queries in many languages, and misspelt ones.
const LANGUAGES: &str = include_str!("../fixtures/session-languages.jsonl");

pub(crate) fn library() -> Library {
    let mut library = Library::default();
    for tool in lines(TOOLS) {
        let text = |key: &str| tool[key].as_str().unwrap_or_default().to_owned();
        library.insert(Document {
            name: text("name"),
            bare: text("tool"),
            server: text("server"),
            description: text("description"),
            parameters: tool["parameters"].clone(),
            aliases: Vec::new(),
        });
    }
    library
}

fn recall(library: &Library, queries: &[Value], limit: usize) -> usize {
    let hit = |query: &&Value| {
        let gold: Vec<&str> =
            query["gold"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        first(library, query["query"].as_str().unwrap(), limit)
            .iter()
            .any(|name| gold.contains(&name.as_str()))
    };
    100 * queries.iter().filter(hit).count() / queries.len()
}

#[test]
fn words_find_most_and_meaning_finds_more() {
    let mut library = library();
    assert!(library.len() >= 100);
    let queries = lines(QUERIES);
    let words = (recall(&library, &queries, 1), recall(&library, &queries, 5));
    assert!(words.0 >= 64 && words.1 >= 82, "{words:?}");
    embed(&mut library);
    let both = (recall(&library, &queries, 1), recall(&library, &queries, 5));
    assert!(both.0 >= 75 && both.1 >= 95, "{both:?}");
}

#[test]
fn other_languages_and_misspelt_words_find_their_tools() {
    let mut library = library();
    let queries = lines(LANGUAGES);
    let words = recall(&library, &queries, 5);
    embed(&mut library);
    let both = (recall(&library, &queries, 1), recall(&library, &queries, 5));
    assert!(words >= 85 && both.0 >= 75 && both.1 >= 95, "{words} {both:?}");
}
