//! Catalogs so small that scaling scores against each other says little: whoever is asked for is found.

use hermes_search::{Fit, Library, Query};

use crate::support::{document, embed, first};

const TOOLS: &[(&str, &str)] = &[
    ("f1", "Send an email to a recipient"),
    ("x_22", "Query the sales database with SQL"),
    ("op3", "Create a calendar appointment"),
    ("zz9", "Translate text into another language"),
];

fn library(count: usize) -> Library {
    let mut library = Library::default();
    for (name, description) in TOOLS.iter().take(count) {
        library.insert(document(name, "s", name, description));
    }
    library
}

#[test]
fn the_only_tool_and_the_last_of_few_are_found() {
    for count in 1..=TOOLS.len() {
        let mut library = library(count);
        for embedded in [false, true] {
            if embedded {
                embed(&mut library);
            }
            for (name, description) in TOOLS.iter().take(count) {
                assert_eq!(first(&library, description, 1), [*name], "{count} {embedded}");
            }
            // All share a word or a meaning with it, and none is left out.
            assert_eq!(first(&library, "a text for another recipient in the database", 5).len(), count);
        }
    }
}

#[test]
fn a_question_in_other_words_is_answered_and_noise_is_not() {
    let mut library = library(TOOLS.len());
    let weak = |library: &Library, text: &str| {
        let answer = library.search(&Query { text, limit: 5, ..Query::default() }, &library.everything());
        (answer.hits.len(), answer.fit == Fit::Weak)
    };
    assert_eq!(weak(&library, "revenue per region last year"), (4, true));
    embed(&mut library);
    assert_eq!(first(&library, "revenue per region last year", 2)[0], "x_22");
    assert_eq!(weak(&library, "order a pizza"), (4, true));
    assert_eq!(weak(&library, "email the new recipient"), (4, false));
    for noise in ["zzzz qqqq", "!!!", "", "the of and"] {
        assert_eq!(weak(&library, noise).0, 0, "{noise}");
    }
}

#[test]
fn english_words_are_neither_translated_nor_respelt() {
    let mut library = Library::default();
    for (name, description) in [
        ("get_recipe", "Find recipes for any dish."),
        ("list_directory", "List a folder or directory."),
        ("get_height", "The height of a mountain."),
        ("scale", "How heavy something is, in kilograms."),
        ("buy_order", "Buy things or order them."),
        ("run_shell", "Run a program in a shell."),
    ] {
        library.insert(document(name, "s", name, description));
    }
    // By words alone such a query finds nothing, instead of something else.
    for query in ["pasta", "weight", "command"] {
        assert!(first(&library, query, 3).is_empty(), "{query}");
    }
    embed(&mut library);
    for (query, name) in [("pasta", "get_recipe"), ("weight", "scale"), ("command", "run_shell")] {
        assert_eq!(first(&library, query, 3)[0], name, "{query}");
    }
}

#[test]
fn words_alone_are_words_alone() {
    let mut library = library(TOOLS.len());
    embed(&mut library);
    let query = Query { text: "picture", limit: 2, words_only: true, ..Query::default() };
    assert!(library.search(&query, &library.everything()).hits.is_empty());
}

#[test]
fn what_was_learned_rises_and_pushes_the_best_out_of_no_answer() {
    let mut library = library(TOOLS.len());
    embed(&mut library);
    let learned = [("zz9", 1.0), ("op3", 0.9), ("x_22", 0.8), ("gone", 0.8)];
    let names = |text: &str, limit: usize| -> Vec<String> {
        let query = Query { text, limit, learned: &learned, ..Query::default() };
        library.search(&query, &library.everything()).hits.into_iter().map(|hit| hit.name).collect()
    };
    let plain = first(&library, "email somebody a letter", 4);
    let risen = names("email somebody a letter", 4);
    let place = |list: &[String], name: &str| list.iter().position(|known| known == name);
    assert!(place(&risen, "op3") < place(&plain, "op3"), "{plain:?} {risen:?}");
    for limit in 1..=4 {
        let found = names("email somebody a letter", limit);
        assert!(found.len() == limit && found.contains(&plain[0]), "{limit} {found:?}");
    }
}

#[test]
fn namesakes_are_held_to_the_limit_and_names_are_not() {
    let mut library = Library::default();
    for server in 0..20 {
        library.insert(document(
            &format!("mcp__s{server}__find_it"),
            &format!("s{server}"),
            "find_it",
            "Find.",
        ));
    }
    library.insert(document("mcp__x__send_it", "x", "send_it", "Send."));
    assert_eq!(first(&library, "find_it", 3).len(), 3);
    let both = first(&library, "select:send_it|find_it", 1);
    assert_eq!((both.len(), both[0].as_str()), (2, "mcp__x__send_it"));
}
