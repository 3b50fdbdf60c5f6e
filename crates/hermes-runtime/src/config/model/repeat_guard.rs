//! Stops a model that repeats a failing call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stops a model that repeats a failing call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RepeatGuard {
    /// Whether repeated failures are answered without running.
    pub enabled: bool,
    /// Identical failing calls after which the next one is answered without running.
    #[schemars(range(min = 1, max = 100))]
    pub identical_failures: u32,
}

impl Default for RepeatGuard {
    fn default() -> Self {
        RepeatGuard { enabled: true, identical_failures: 3 }
    }
}
