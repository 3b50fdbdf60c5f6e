//! Words with a wrong letter, and words that nobody here has written.

use hermes_search::{Fit, Library, Query};

use crate::support::{document, embed, first};

const TOOLS: &[(&str, &str)] = &[
    ("one", "Set the isolation of a facility."),
    ("two", "Buy material for the hospital."),
    ("three", "Separate the changes of a file."),
    ("four", "Measure the latency of a network."),
    ("five", "Write an invoice."),
];

fn library() -> Library {
    let mut library = Library::default();
    for (name, description) in TOOLS {
        library.insert(document(name, "s", name, description));
    }
    library
}

#[test]
fn one_wrong_letter_finds_the_word() {
    let library = library();
    for (word, name) in [
        ("isloation", "one"),
        ("facliity", "one"),
        ("mterial", "two"),
        ("hfspital", "two"),
        ("seprate", "three"),
        ("chnages", "three"),
        ("ltaency", "four"),
    ] {
        assert_eq!(first(&library, word, 1), [name], "{word}");
    }
}

#[test]
fn a_word_that_nobody_wrote_gets_the_nearest_and_a_row_of_letters_gets_nothing() {
    let mut library = library();
    embed(&mut library);
    for word in ["photosynthesis", "Bodenfeuchte", "toprak nemi", "Spieler sperren"] {
        let query = Query { text: word, limit: 3, ..Query::default() };
        let answer = library.search(&query, &library.everything());
        assert_eq!((answer.hits.len(), answer.fit), (3, Fit::Weak), "{word}: {answer:?}");
    }
    for noise in ["xqzv wkjh", "zzzz"] {
        assert!(first(&library, noise, 3).is_empty(), "{noise}");
    }
}
