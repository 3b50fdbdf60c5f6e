//! Queries in other languages: several words for one thing, bent words, words made of words, and loan words.

use hermes_search::{Fit, Library, Query};

use crate::support::{document, embed, first};

const TOOLS: &[(&str, &str, &str)] = &[
    ("courier", "confirm_delivery", "Record that a delivery was handed over."),
    ("courier", "estimate_arrival", "When a delivery arrives; shipping and tracking times."),
    ("courier", "redirect_parcel", "Send a parcel to another address."),
    ("courier", "track_parcel", "Where a parcel is now."),
    ("staff", "request_leave", "Ask for days off."),
    ("staff", "raise_salary", "Change what somebody earns."),
    ("energy", "consumption_report", "Energy, electricity and power used in a month."),
    ("energy", "report_outage", "Say that there is no power: an outage."),
    ("library", "lend_item", "Lend a book to a reader."),
    ("kitchen", "find_recipe", "Find a recipe for a dish."),
    ("garden", "stop_irrigation", "End the watering of a bed by sprinklers."),
];

fn library() -> Library {
    let mut library = Library::default();
    for (server, bare, description) in TOOLS {
        library.insert(document(bare, server, bare, description));
    }
    library
}

#[test]
fn words_that_say_the_same_count_once_and_the_plainest_most() {
    let mut library = library();
    for embedded in [false, true] {
        if embedded {
            embed(&mut library);
        }
        for parcel in ["包裹", "посылка", "荷物", "kargo nerede", "mein Paket", "le colis"] {
            let found = first(&library, parcel, 2);
            assert!(found.iter().all(|name| name.ends_with("_parcel")), "{parcel} {embedded}: {found:?}");
        }
    }
    for outage in ["停电", "mất điện", "elektrik kesintisi"] {
        assert_eq!(first(&library, outage, 1), ["report_outage"], "{outage}");
    }
}

#[test]
fn bent_words_compounds_letters_and_sounds_are_read() {
    let mut library = library();
    embed(&mut library);
    for (query, name) in [
        ("kargom nerede", "track_parcel"),
        ("izin talebi", "request_leave"),
        ("Gehaltsübersicht", "raise_salary"),
        ("借书", "lend_item"),
        ("레시피", "find_recipe"),
        ("पार्सल कहाँ है", "track_parcel"),
    ] {
        assert!(first(&library, query, 2).iter().any(|found| found == name), "{query}");
    }
    // A misspelt word is no other language's.
    assert_eq!(first(&library, "trak parcle", 1), ["track_parcel"]);
}

#[test]
fn particles_do_not_outweigh_what_was_asked() {
    let mut library = library();
    embed(&mut library);
    assert_eq!(first(&library, "turn the sprinklers off", 1), ["stop_irrigation"]);
    let days = Query { text: "days off", limit: 1, words_only: true, ..Query::default() };
    assert_eq!(library.search(&days, &library.everything()).hits[0].name, "request_leave");
}

#[test]
fn what_was_learned_is_no_weak_fit() {
    let mut library = library();
    embed(&mut library);
    let ask = |learned| {
        let query = Query { text: "photosynthesis", limit: 3, learned, ..Query::default() };
        library.search(&query, &library.everything())
    };
    assert_eq!(ask(&[]).fit, Fit::Weak);
    let answer = ask(&[("lend_item", 1.0)]);
    assert_eq!((answer.fit, answer.hits[0].name.as_str()), (Fit::Good, "lend_item"));
}
