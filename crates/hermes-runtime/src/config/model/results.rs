//! Where large results are kept, and for how long.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where large results are kept, and for how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Results {
    /// Bytes that kept results may take on disk. The oldest go first.
    #[schemars(range(min = 1_048_576, max = 1_099_511_627_776_u64))]
    pub max_bytes: u64,
    /// Days a kept result can be fetched again.
    #[schemars(range(min = 1, max = 3_650))]
    pub max_age_days: u32,
}

impl Default for Results {
    fn default() -> Self {
        Results { max_bytes: 1 << 30, max_age_days: 7 }
    }
}
