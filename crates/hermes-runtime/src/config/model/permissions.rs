//! What tools may do, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DangerousPattern;
use crate::config::json_schema::{permission_items, root_items};

/// What tools may do: a profile, and what is taken away from it here. Deny beats ask, ask beats allow, in
/// whatever order they are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Permissions {
    /// The permission profile in force; `hermes policy profiles` lists them. docs/permissions.md tells how to
    /// write your own.
    #[schemars(length(min = 1))]
    pub profile: String,
    /// The file with your own profiles and rules; a relative path in your own configuration starts at the Hermes
    /// home folder. Without it, `hermes_permissions.yaml` in that folder is read if it is there.
    #[schemars(length(min = 1))]
    pub file: Option<String>,
    /// Permissions that the profile may grant: `domain:action`, with `*` for either half, or `*` alone.
    #[schemars(transform = permission_items)]
    pub allow: Vec<String>,
    /// Permissions never granted. Same patterns.
    #[schemars(transform = permission_items)]
    pub deny: Vec<String>,
    /// Permissions that need a person's word each time. Same patterns.
    #[schemars(transform = permission_items)]
    pub ask: Vec<String>,
    /// Folders that may be read, with everything below them. A relative path starts at the session's folder,
    /// `~` is the home folder.
    #[schemars(transform = root_items)]
    pub read_roots: Vec<String>,
    /// Folders that may be written, with everything below them. Same paths.
    #[schemars(transform = root_items)]
    pub write_roots: Vec<String>,
    /// Globs of paths that no tool may write, wherever they are.
    #[schemars(inner(length(min = 1)))]
    pub protected_paths: Vec<String>,
    /// Commands of your own to ask about or deny, beside those that analysis knows.
    pub dangerous_patterns: Vec<DangerousPattern>,
}

impl Default for Permissions {
    fn default() -> Self {
        Permissions {
            profile: "default".to_owned(),
            file: None,
            allow: vec!["*".to_owned()],
            deny: Vec::new(),
            ask: Vec::new(),
            read_roots: vec!["/".to_owned()],
            write_roots: vec!["/".to_owned()],
            protected_paths: Vec::new(),
            dangerous_patterns: Vec::new(),
        }
    }
}
