//! Tools that are described in letters the encoder does not read, among others.

use hermes_search::{Fit, Library, Query};

use crate::support::{document, embed, first};

const TOOLS: &[(&str, &str, &str)] = &[
    ("yoyaku", "reserve_room", "会議室を予約する。日付と時間を指定してください。"),
    ("yoyaku", "list_rooms", "空いている会議室の一覧を表示する。"),
    ("sklad", "find_goods", "Найти товар на складе по названию или коду."),
    ("sklad", "write_off", "Списать товар со склада."),
    ("mail", "send_email", "Send an email to somebody."),
    ("files", "delete_file", "Delete a file from the disk."),
    ("maps", "directions", "Get directions from one place to another."),
    ("shop", "refund", "Give a buyer the money back."),
];

fn library() -> Library {
    let mut library = Library::default();
    for (server, bare, description) in TOOLS {
        library.insert(document(bare, server, bare, description));
    }
    embed(&mut library);
    library
}

#[test]
fn unread_letters_do_not_draw_other_unread_letters() {
    let library = library();
    let foreign = ["reserve_room", "list_rooms", "find_goods", "write_off"];
    for query in [
        "أعد المال إلى المشتري",
        "खरीदार को पैसे लौटाओ",
        "구매자에게 환불해 주세요",
        "zwróć kupującemu pieniądze",
        "alıcıya parasını geri ver",
        "ส่งอีเมล",
        "send an email to Bob 🙂",
    ] {
        let found = first(&library, query, 1);
        assert!(!found.iter().any(|name| foreign.contains(&name.as_str())), "{query}: {found:?}");
    }
    for nothing in ["🙂", "\u{200b}", "xxxxxxxxxxxxxxxxxxxxxxxx"] {
        let query = Query { text: nothing, limit: 3, ..Query::default() };
        let answer = library.search(&query, &library.everything());
        assert!(answer.hits.is_empty() || answer.fit == Fit::Weak, "{nothing}: {answer:?}");
        assert!(answer.hits.first().is_none_or(|hit| !foreign.contains(&hit.name.as_str())), "{nothing}");
    }
}

#[test]
fn their_own_language_finds_them() {
    let library = library();
    for (query, name) in [("会議室の予約", "reserve_room"), ("списать товар", "write_off")]
    {
        assert_eq!(first(&library, query, 1), [name], "{query}");
    }
}

#[test]
fn english_finds_what_is_described_in_another_language() {
    let library = library();
    for words_only in [false, true] {
        for (query, name) in [
            ("book a meeting room", "reserve_room"),
            ("show the list of free meeting rooms", "list_rooms"),
            ("search the warehouse for a product", "find_goods"),
        ] {
            let query = Query { text: query, limit: 2, words_only, ..Query::default() };
            let hits = library.search(&query, &library.everything()).hits;
            assert!(hits.iter().any(|hit| hit.name == name), "{} {words_only}: {hits:?}", query.text);
        }
    }
}
