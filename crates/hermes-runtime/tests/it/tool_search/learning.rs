//! A tool that was called after a search is found sooner the next time, and hides nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use hermes_core::ToolError;
use hermes_core::ports::CacheStore;
use hermes_runtime::disclosure::Mode;
use serde_json::json;

use super::support::{SERVERS, answer, connect, connected, names, with_mode};

#[derive(Default)]
struct MemoryCache(Mutex<BTreeMap<String, Vec<u8>>>);

impl CacheStore for MemoryCache {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(name).cloned()
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), ToolError> {
        self.0.lock().unwrap().insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }
}

const QUERY: &str = "list the repo's latest work";

#[tokio::test]
async fn what_was_called_after_a_search_is_remembered() {
    let store = Arc::new(MemoryCache::default());
    let test = connected().await;
    test.runtime().search().keep_in(store.clone());
    let before = answer(&test, "tool_search", json!({"query": QUERY, "limit": 3})).await;
    let before = names(&before);
    assert!(!before.contains(&"mcp_maps_geocode_address"), "{before:?}");
    let call = json!({"name": "mcp_maps_geocode_address", "arguments": {"address": "x"}});
    answer(&test, "tool_call", call).await;
    let after = answer(&test, "tool_search", json!({"query": QUERY, "limit": 3})).await;
    let after = names(&after);
    assert_eq!(after[0], "mcp_maps_geocode_address");
    assert!(before.iter().all(|name| after.contains(name)), "{before:?} {after:?}");

    // Another process of the same user knows it too.
    let again = connected().await;
    again.runtime().search().keep_in(store);
    let found = answer(&again, "tool_search", json!({"query": QUERY})).await;
    assert_eq!(names(&found)[0], "mcp_maps_geocode_address");
}

#[tokio::test]
async fn learning_can_be_switched_off_and_needs_a_success() {
    let off = with_mode(Mode::On).settings(|settings| settings.search.learn = false).build().await;
    SERVERS.iter().for_each(|server| connect(&off, server));
    let failing = with_mode(Mode::On).build().await;
    SERVERS.iter().for_each(|server| connect(&failing, server));
    for (test, arguments) in [(&off, json!({"address": "x"})), (&failing, json!({}))] {
        answer(test, "tool_search", json!({"query": QUERY})).await;
        let _ = test.call("mcp_maps_geocode_address", arguments).await;
        let found = answer(test, "tool_search", json!({"query": QUERY})).await;
        assert_ne!(names(&found)[0], "mcp_maps_geocode_address");
    }
}

#[tokio::test]
async fn vectors_are_kept_and_meaning_joins() {
    let store = Arc::new(MemoryCache::default());
    let test = connected().await;
    let search = test.runtime().search();
    search.keep_in(store.clone());
    search.follow(&test.runtime().registry().snapshot());
    search.embed_now();
    let found = answer(&test, "tool_search", json!({"query": "give a buyer their money back"})).await;
    assert_eq!(names(&found)[0], "mcp_stripe_create_refund");
    assert!(found.get("ranked_by").is_none(), "{found}");

    // A second runtime takes the vectors from the store: nothing is left to embed.
    let again = connected().await;
    again.runtime().search().keep_in(store);
    let found = answer(&again, "tool_search", json!({"query": "give a buyer their money back"})).await;
    assert!(found.get("ranked_by").is_none(), "{found}");
}
