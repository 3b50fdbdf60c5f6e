//! Sixty searches of every kind over sixty tools: plain, plural, misspelt, cut short, by argument, in Chinese.

use hermes_search::Library;
use serde_json::{Value, json};

use crate::support::{document, embed, first, lines};

const CASES: &str = include_str!("../fixtures/cases.jsonl");

fn library(catalog: &Value) -> Library {
    let mut library = Library::default();
    for tool in catalog["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let mut parts = name.splitn(3, "__").skip(1);
        let (server, bare) = (parts.next().unwrap(), parts.next().unwrap());
        let mut document = document(name, server, bare, tool["description"].as_str().unwrap());
        let names = tool["params"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
        let properties: serde_json::Map<String, Value> =
            names.map(|name| (name, json!({"type": "string"}))).collect();
        document.parameters = json!({"type": "object", "properties": properties});
        library.insert(document);
    }
    library
}

/// The share of searches whose best tool is among the first five, and the searches where it is not.
fn measure(library: &Library, rows: &[Value]) -> (usize, Vec<String>) {
    let mut missed = Vec::new();
    let mut count = 0;
    for row in rows {
        let query = row["query"].as_str().unwrap();
        let found = first(library, query, 5);
        let relevant: Vec<&str> =
            row["relevant"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        if relevant.is_empty() {
            assert!(found.is_empty(), "{query}: {found:?}");
            continue;
        }
        count += 1;
        let wanted = match row["expected_first_five_contains"].as_array() {
            Some(expected) => expected.iter().all(|name| found.contains(&name.as_str().unwrap().to_owned())),
            None => {
                found.iter().any(|name| name == relevant[0])
                    || found.first().is_some_and(|name| relevant.contains(&name.as_str()))
            }
        };
        if !wanted {
            missed.push(format!("{query}: {found:?}"));
        }
    }
    (count, missed)
}

#[test]
fn the_right_tool_is_among_the_first_five() {
    let rows = lines(CASES);
    let mut library = library(&rows[0]);
    let (count, missed) = measure(&library, &rows[1..]);
    // What only meaning can find: "file a bug", "give money back to customer", "meetings".
    assert!(missed.len() <= 4, "{count}: {missed:#?}");
    embed(&mut library);
    let (count, missed) = measure(&library, &rows[1..]);
    assert!(missed.len() <= 1, "{count}: {missed:#?}");
}

#[test]
fn searches_written_afterwards_find_theirs_too() {
    let rows = lines(include_str!("../fixtures/cases_fresh.jsonl"));
    let mut library = library(&lines(CASES)[0]);
    embed(&mut library);
    let (count, missed) = measure(&library, &rows);
    assert!(missed.is_empty(), "{count}: {missed:#?}");
}

#[test]
fn exact_names_come_first() {
    let rows = lines(CASES);
    let mut library = library(&rows[0]);
    embed(&mut library);
    for row in rows.iter().filter(|row| row["kind"] == "exact_name") {
        let query = row["query"].as_str().unwrap();
        assert_eq!(first(&library, query, 5)[0], row["relevant"][0].as_str().unwrap(), "{query}");
    }
    let names: Vec<String> = library.names().map(str::to_owned).collect();
    for name in names {
        assert_eq!(first(&library, &name, 1).first(), Some(&name));
    }
}
