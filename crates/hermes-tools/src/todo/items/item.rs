//! One task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Parts of the arguments: no doc comments on types and variants, because the model would read them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Pending,
    InProgress,
    Completed,
    Cancelled,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The item's id from an earlier answer; leave it out for a new item.
    pub(in crate::todo) id: Option<String>,
    /// What is to be done; may be left out when an existing item only changes its status.
    pub(in crate::todo) content: Option<String>,
    /// Where the item stands; pending if left out for a new item.
    pub(in crate::todo) status: Option<Status>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    pub(in crate::todo) id: String,
    pub(in crate::todo) content: String,
    pub(in crate::todo) status: Status,
}
