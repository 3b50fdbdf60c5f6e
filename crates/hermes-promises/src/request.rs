//! A request from the wire, through the whole pipeline: every call gets exactly one answer, under an id
//! of its own, and the answers are JSON that reads back the same.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::house::House;
use hermes_runtime::wire::{parse_request, read_json, respond, tool_message};
use serde_json::{Value, json};

static HOUSE: LazyLock<House> = LazyLock::new(|| House::new(json!({"a": ["x", 1], "text": "one\ntwo"})));

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok((value, _)) = read_json(text) else { return };
    let Ok(request) = parse_request(&value) else { return };
    assert!(!request.calls.is_empty());
    let asked = request.calls.len();
    if asked > 64 {
        return;
    }
    let outcomes = HOUSE.answer(request.calls);
    assert_eq!(outcomes.len(), asked);
    let ids: HashSet<_> = outcomes.iter().map(|outcome| outcome.call_id.as_str()).collect();
    assert_eq!(ids.len(), asked, "every call has an id of its own");
    let response = respond(&outcomes);
    assert_eq!(serde_json::from_str::<Value>(&response.to_string()).unwrap(), response);
    for outcome in &outcomes {
        let content = tool_message(outcome)["content"].as_str().unwrap().to_owned();
        assert!(serde_json::from_str::<Value>(&content).unwrap().is_object());
    }
}
