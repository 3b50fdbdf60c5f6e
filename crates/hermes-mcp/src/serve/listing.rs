//! Lists as clients get them.

use rmcp::model::{ErrorData, PaginatedRequestParams};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a server defined, in the protocol's own types; what does not fit them is left out.
pub(super) fn defined<T: DeserializeOwned>(definitions: Vec<Value>) -> Vec<T> {
    definitions.into_iter().filter_map(|definition| serde_json::from_value(definition).ok()).collect()
}

/// Lists have one page here, and nobody was told of another.
pub(super) fn whole(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match page.and_then(|page| page.cursor).filter(|cursor| !cursor.is_empty()) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params("there is no such page: the list has one", None)),
    }
}
