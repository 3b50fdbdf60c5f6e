//! How much runs and returns at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much runs and returns at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Calls of one batch that may run side by side.
    #[schemars(range(min = 1, max = 64))]
    pub batch_width: usize,
    /// Calls that may run at the same time in the whole process.
    #[schemars(range(min = 1, max = 10_000))]
    pub concurrent_calls: usize,
    /// Calls that may wait for a free place. Further calls are refused at once.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub queued_calls: usize,
    /// Characters of one result that the model sees. The rest is kept behind a handle.
    #[schemars(range(min = 1_000, max = 10_000_000))]
    pub result_chars: usize,
    /// Characters of all results of one turn together.
    #[schemars(range(min = 1_000, max = 10_000_000))]
    pub turn_result_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            batch_width: 8,
            concurrent_calls: 256,
            queued_calls: 100_000,
            result_chars: 100_000,
            turn_result_chars: 200_000,
        }
    }
}
