//! Documents that come and go leave no trace, and a scope is a world of its own.

use hermes_search::{Document, Library, Query};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{document, first};

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{3,8}",
        Just("邮件".to_owned()),
        Just("Größe".to_owned()),
        Just("getUserInfo".to_owned())
    ]
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let one = (word(), proptest::collection::vec(word(), 1..8), 0..3_u8);
    proptest::collection::vec(one, 1..20).prop_map(|all| {
        let named = all.into_iter().enumerate();
        named
            .map(|(number, (bare, words, server))| {
                let mut document =
                    document(&format!("tool_{number}"), &format!("server{server}"), &bare, &words.join(" "));
                document.parameters = json!({"properties": {bare: {"description": words[0]}}});
                document
            })
            .collect()
    })
}

fn library(documents: &[Document]) -> Library {
    let mut library = Library::default();
    for document in documents {
        library.insert(document.clone());
    }
    library
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn order_and_detours_do_not_matter(documents in documents(), query in word(), gone in any::<prop::sample::Index>()) {
        let straight = library(&documents);
        let mut detour = Library::default();
        for document in documents.iter().rev() {
            detour.insert(document.clone());
        }
        let removed = &documents[gone.index(documents.len())];
        detour.remove(&removed.name);
        prop_assert_eq!(detour.len(), documents.len() - 1);
        prop_assert!(!first(&detour, &query, 20).contains(&removed.name));
        detour.insert(removed.clone());
        detour.insert(removed.clone());
        prop_assert_eq!(first(&straight, &query, 20), first(&detour, &query, 20));
    }

    #[test]
    fn a_scope_searches_like_a_library_of_its_own(documents in documents(), query in word()) {
        let all = library(&documents);
        let part: Vec<Document> = documents.iter().filter(|document| document.server == "server1").cloned().collect();
        let alone = library(&part);
        let scope = all.scope(part.iter().map(|document| document.name.as_str()));
        let asked = Query { text: &query, limit: 20, ..Query::default() };
        let names = |library: &Library, scope| -> Vec<(String, u32)> {
            let hits = library.search(&asked, scope).hits;
            hits.into_iter().map(|hit| (hit.name, (hit.score * 1e4) as u32)).collect()
        };
        prop_assert_eq!(names(&all, &scope), names(&alone, &alone.everything()));
    }
}

#[test]
fn a_vector_stays_while_its_definition_does() {
    let mut library = library(&[document("a", "s", "a", "Sends an email.")]);
    crate::support::embed(&mut library);
    assert!(library.without_vector(9).is_empty());
    let mut same = document("a", "s", "a", "Sends an email.");
    same.aliases.push("mail".to_owned());
    library.insert(same);
    assert!(library.without_vector(9).is_empty());
    library.insert(document("a", "s", "a", "Sends a letter."));
    assert_eq!(library.without_vector(9).len(), 1);
}

#[test]
fn namesakes_of_many_servers_leave_room_for_others() {
    let mut all: Vec<Document> = (0..20)
        .map(|n| {
            let server = format!("s{n:02}");
            document(&format!("mcp_{server}_list_items"), &server, "list_items", "List the items of a store.")
        })
        .collect();
    all.push(document("mcp_other_count_items", "other", "count_items", "Count what a store has."));
    all.push(document("mcp_clock_sleep", "clock", "sleep", "Wait for a while."));
    let library = library(&all);
    let found = |limit| {
        let answer = library.search(
            &Query { text: "list items of the store", limit, ..Query::default() },
            &library.everything(),
        );
        answer.hits.into_iter().map(|hit| hit.name).collect::<Vec<_>>()
    };
    let few = found(5);
    assert_eq!(few.iter().position(|name| name == "mcp_other_count_items"), Some(3), "{few:?}");
    assert_eq!(few.len(), 5, "the rest is filled up with namesakes");
    assert_eq!(found(50).len(), 22, "nothing is hidden where all fit");
}
