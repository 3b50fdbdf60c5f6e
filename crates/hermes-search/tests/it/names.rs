//! A name that stands in a query is the first hit, whatever stands around it and however it is spelled.

use std::collections::BTreeSet;

use hermes_search::{Library, Query};

use crate::session;
use crate::support::{document, first};

/// What models and people write around names; `@` is where the name stands.
const SURROUNDINGS: &[&str] = &[
    "@",
    "functions.@",
    "default_api.@",
    "default_api:@",
    "multi_tool_use.@",
    "functions/@",
    "tools.@",
    "to=functions.@",
    "print(default_api.@(a=1))",
    "@({\"a\": 1})",
    "{\"name\": \"@\", \"arguments\": {}}",
    "<invoke name=\"@\">",
    "name:@;",
    "select:@",
    "please call @ for me",
    "use `@` to get it done",
    "I need @ now, and nothing else.",
    "what does @ do?",
    "请用@处理",
    "**@**",
    "(@)",
    "tool/@",
    "@|something_else",
    "→@→",
];

/// The same for one plain word, which is a name only where it is used as one.
const CALLS: &[&str] = &[
    "@({\"a\": 1})",
    "@(query='a')",
    "functions.@",
    "{\"name\": \"@\", \"arguments\": {}}",
    "<invoke name=\"@\">",
    "name:@;",
    "please call @ for me",
    "use @ with what I gave you",
];

fn squeezed(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

fn first_by_words(library: &Library, text: &str) -> String {
    let query = Query { text, limit: 1, words_only: true, ..Query::default() };
    let hits = library.search(&query, &library.everything()).hits;
    hits.into_iter().next().map(|hit| hit.name).unwrap_or_default()
}

#[test]
fn every_name_is_first_in_all_surroundings_and_spellings() {
    let library = session::library();
    let names: Vec<String> = library.names().map(str::to_owned).collect();
    let mut missed = Vec::new();
    for name in &names {
        for around in SURROUNDINGS {
            for spelled in [name.clone(), name.to_lowercase(), name.to_uppercase()] {
                let query = around.replace('@', &spelled);
                let found = first_by_words(&library, &query);
                if squeezed(&found) != squeezed(name) {
                    missed.push(format!("{query}: {found}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} of {} names: {missed:#?}", missed.len(), names.len());
}

#[test]
fn a_name_of_one_word_is_first_in_a_call() {
    let mut library = session::library();
    for (bare, description) in [
        ("fetch", "Read a page of the web."),
        ("deploy", "Put a service on a machine."),
        ("search", "Look for pages."),
    ] {
        let name = format!("mcp__one__{bare}");
        library.insert(crate::support::document(&name, "one", bare, description));
    }
    let bare: BTreeSet<&str> = BTreeSet::from(["fetch", "deploy", "search"]);
    for (bare, around) in bare.iter().flat_map(|bare| CALLS.iter().map(move |around| (bare, around))) {
        let query = around.replace('@', bare);
        let found = first(&library, &query, 1);
        assert!(found.first().is_some_and(|name| name.ends_with(&format!("__{bare}"))), "{query}: {found:?}");
    }
}

#[test]
fn a_name_whose_words_are_written_as_one_is_first() {
    let mut library = session::library();
    let names = ["getEmployeeEngagementScore", "checkInternetConnectivity", "listPRs_forReview"];
    for name in names {
        library.insert(crate::support::document(name, "hr", name, "Nothing that is asked for here."));
        for query in ["@", "please call @ for me", "functions/@", "default_api:@", "@()"] {
            let query = query.replace('@', &name.to_lowercase());
            assert_eq!(first(&library, &query, 1), [name], "{query}");
        }
    }
}

#[test]
fn words_with_a_hyphen_name_nothing_that_is_written_without() {
    let mut library = Library::default();
    library.insert(crate::support::document("email", "s", "email", "Nothing of interest."));
    library.insert(crate::support::document(
        "send_letter",
        "s",
        "send_letter",
        "Send an e-mail to somebody.",
    ));
    assert_eq!(first(&library, "send somebody an e-mail", 1), ["send_letter"]);
}

#[test]
fn a_name_in_one_case_is_known_inside_a_sentence() {
    let mut library = session::library();
    for (bare, description) in [("getReplies", "Read the answers to a post."), ("feedBack", "Answer a post.")]
    {
        library.insert(document(&format!("mcp_forum_{bare}"), "forum", bare, description));
    }
    for query in ["please run getreplies on this post", "GETREPLIES of the last five", "and then getreplies"]
    {
        assert_eq!(first_by_words(&library, query), "mcp_forum_getReplies", "{query}");
    }
    // A word of English says what it says.
    let query =
        Query { text: "what feedback did people give", limit: 1, words_only: true, ..Query::default() };
    assert!(library.search(&query, &library.everything()).hits.iter().all(|hit| !hit.exact));
}
