//! Where web requests may go.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where web requests may go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Network {
    /// Whether tools may reach the local network: loopback, private and shared addresses, local names.
    /// Metadata services stay closed.
    pub allow_private: bool,
    /// Only these hosts, where any are named: `example.com`, or `*.example.com` for every host below it.
    #[schemars(inner(length(min = 1)))]
    pub allowed_hosts: Vec<String>,
    /// Never these hosts, whatever else is allowed.
    #[schemars(inner(length(min = 1)))]
    pub denied_hosts: Vec<String>,
}
