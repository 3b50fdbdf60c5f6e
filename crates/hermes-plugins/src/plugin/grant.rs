//! What a user gave a plugin, and what that opens.

use serde::{Deserialize, Serialize};

use super::describe::Described;
use super::manifest::Manifest;

/// Permissions and variables, both sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    pub permissions: Vec<String>,
    pub env: Vec<String>,
}

impl Grant {
    /// Everything the plugin asks for.
    pub fn asked_by(manifest: &Manifest, described: &Described) -> Self {
        let mut grant = Grant {
            permissions: manifest.permissions.iter().chain(&described.permissions).cloned().collect(),
            env: described.requires_env.iter().map(|need| need.name.clone()).collect(),
        };
        grant.permissions.sort();
        grant.permissions.dedup();
        grant.env.sort();
        grant.env.dedup();
        grant
    }

    /// What `asked` wants beyond this.
    pub(super) fn lacks(&self, asked: &Grant) -> Vec<String> {
        let permissions = asked.permissions.iter().filter(|name| !self.permissions.contains(name));
        let env = asked.env.iter().filter(|name| !self.env.contains(name));
        permissions.chain(env).cloned().collect()
    }

    /// Whether the plugin may use the network.
    pub(super) fn network(&self) -> bool {
        const REACHING: &[&str] =
            &["network:", "api:", "database:", "email:", "browser:", "storage:", "calendar:"];
        self.permissions.iter().any(|name| REACHING.iter().any(|domain| name.starts_with(domain)))
    }

    /// Whether the plugin may write where its calls are made.
    pub(super) fn writes(&self) -> bool {
        self.permissions.iter().any(|name| matches!(name.as_str(), "file:write" | "file:delete"))
    }
}
