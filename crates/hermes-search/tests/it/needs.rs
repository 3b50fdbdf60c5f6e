//! Several needs in one query: what fits each of them best has a place, however many others fit the whole better.

use hermes_search::Library;

use crate::support::{document, embed, first};

const TOOLS: &[(&str, &str, &str)] = &[
    ("stage", "buy_tickets", "Buy tickets for a show."),
    ("stage", "exchange_tickets", "Exchange tickets for another show."),
    ("stage", "refund_tickets", "Give the money for tickets back."),
    ("stage", "scan_tickets", "Scan tickets at the door of the theatre."),
    ("stage", "hold_tickets", "Hold tickets at the theatre's box office."),
    ("kitchen", "find_recipe", "Find a recipe for a dish."),
    ("gym", "book_class", "Book a yoga class or another course."),
    ("fleet", "locate_truck", "The position of a truck on the road."),
    ("library", "pay_fine", "Pay a fine for a book that came back late."),
    ("courier", "track_parcel", "Where a parcel is now."),
    ("clinic", "call_doctor", "Call a doctor."),
];

fn library() -> Library {
    let mut library = Library::default();
    for (server, bare, description) in TOOLS {
        library.insert(document(bare, server, bare, description));
    }
    embed(&mut library);
    library
}

fn all_found(library: &Library, query: &str, limit: usize, tools: &[&str]) {
    let found = first(library, query, limit);
    let missing: Vec<_> = tools.iter().filter(|tool| !found.iter().any(|name| name == *tool)).collect();
    assert!(missing.is_empty() && found.len() <= limit, "{query}: {missing:?} not in {found:?}");
}

#[test]
fn every_need_has_a_place_within_the_limit() {
    let library = library();
    let five = ["find_recipe", "book_class", "locate_truck", "pay_fine", "buy_tickets"];
    for query in [
        "recipe; yoga class; truck position; fine; buy theatre tickets",
        "(1) recipe (2) yoga class (3) truck position (4) pay a fine (5) buy theatre tickets",
        "- recipe\n- yoga class\n- truck position\n- pay a fine\n- buy theatre tickets",
        "find a recipe, book a yoga class, truck position, pay a fine and buy theatre tickets",
    ] {
        all_found(&library, query, 5, &five);
    }
    let seven = "buy tickets; recipe; yoga class; truck position; pay a fine; track a parcel; call a doctor";
    all_found(
        &library,
        seven,
        7,
        &["buy_tickets", "find_recipe", "book_class", "track_parcel", "call_doctor"],
    );
}

#[test]
fn the_parts_of_a_foreign_query_are_read_too() {
    let library = library();
    all_found(
        &library,
        "查找食谱，然后预订瑜伽课程，最后卡车位置",
        3,
        &["find_recipe", "book_class", "locate_truck"],
    );
    all_found(&library, "Rezept suchen und dann das Paket verfolgen", 2, &["find_recipe", "track_parcel"]);
    all_found(&library, "найти рецепт, отследить посылку", 2, &["find_recipe", "track_parcel"]);
}

#[test]
fn a_comma_cuts_only_where_both_sides_fit_something() {
    let library = library();
    // Nothing is about Norway or Sunday: these take nobody's place.
    let plain = first(&library, "buy tickets for the theatre", 5);
    let more = first(&library, "buy tickets for the theatre, Sunday", 5);
    assert_eq!(plain[0], more[0]);
    assert_eq!(more.iter().filter(|name| name.ends_with("_tickets")).count(), 5, "{more:?}");
}
