//! Changes of the registry: what is swapped in, and why it was refused, in words the caller sees.

use std::collections::BTreeSet;
use std::sync::Arc;

use hermes_core::{AnyTool, Owner};

/// The whole set of one owner.
pub struct Set {
    pub owner: Owner,
    pub tools: Vec<Arc<dyn AnyTool>>,
    /// Tools of this set that the user lets stand in for others' of the same name.
    pub may_take: BTreeSet<String>,
}

impl Set {
    pub fn new(owner: Owner, tools: Vec<Arc<dyn AnyTool>>) -> Self {
        Set { owner, tools, may_take: BTreeSet::new() }
    }
}

/// Why a tool could not be registered or removed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    #[error("'{name}' is not a valid tool name: use 1 to 64 letters, digits, '_', '-' or '.'")]
    InvalidName { name: String },
    #[error("'{name}' is reserved for the runtime itself")]
    Reserved { name: String },
    #[error("'{name}' is already registered by {held_by}; {claimed_by} may not take it")]
    Collision { name: String, held_by: Owner, claimed_by: Owner },
    #[error(
        "{claimed_by} may not override '{name}' of {held_by}: \
         set plugins.entries.{id}.allow_tool_override to true to permit it", id = claimed_by.id()
    )]
    OverrideNotAllowed { name: String, held_by: Owner, claimed_by: Owner },
    #[error("'{name}' belongs to {held_by}; {claimed_by} may not remove it")]
    NotOwner { name: String, held_by: Owner, claimed_by: Owner },
}

/// A tool that a source offered and the registry refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub name: String,
    pub error: RegistryError,
}

/// What swapping in a source's whole set changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncReport {
    pub added: Vec<String>,
    pub replaced: Vec<String>,
    pub removed: Vec<String>,
    pub refused: Vec<Refused>,
}
