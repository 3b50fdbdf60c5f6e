//! How secrets are kept away from the model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How secrets are kept away from the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Security {
    /// Whether the values of known secrets are blotted out of results, logs and errors.
    pub redact: bool,
    /// Names of environment variables whose values are secrets, beyond the ones Hermes knows.
    #[schemars(inner(regex(pattern = "^[A-Za-z_][A-Za-z0-9_]*$")))]
    pub secret_env: Vec<String>,
}

impl Default for Security {
    fn default() -> Self {
        Security { redact: true, secret_env: Vec::new() }
    }
}
