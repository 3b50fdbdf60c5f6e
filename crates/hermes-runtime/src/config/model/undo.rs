//! How far back changes of files can be taken back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far back changes of files can be taken back with `hermes undo`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Undo {
    /// Keep what was in a file before a tool changes it.
    pub enabled: bool,
    /// Bytes that kept contents may take on disk. The oldest go first.
    #[schemars(range(min = 1_048_576, max = 1_099_511_627_776_u64))]
    pub max_bytes: u64,
    /// A larger file can be changed, but the change cannot be taken back.
    #[schemars(range(min = 1_024, max = 10_485_760))]
    pub max_file_bytes: u64,
    /// Days a change can be taken back.
    #[schemars(range(min = 1, max = 3_650))]
    pub max_age_days: u32,
}

impl Default for Undo {
    fn default() -> Self {
        Undo { enabled: true, max_bytes: 512 << 20, max_file_bytes: 10 << 20, max_age_days: 7 }
    }
}
