//! How tools are probed before they are offered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How tools are probed before they are offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Availability {
    /// Milliseconds a probe may take. A slower probe counts as failed.
    #[schemars(range(min = 10, max = 10_000))]
    pub deadline_ms: u64,
    /// Seconds an answer is believed before the tool is probed again.
    #[schemars(range(min = 1, max = 3_600))]
    pub ttl_seconds: u64,
    /// Seconds a tool stays offered after its last good probe although a later probe failed.
    #[schemars(range(min = 0, max = 3_600))]
    pub grace_seconds: u64,
}

impl Default for Availability {
    fn default() -> Self {
        Availability { deadline_ms: 500, ttl_seconds: 30, grace_seconds: 60 }
    }
}
