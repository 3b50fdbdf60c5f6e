//! One registered tool with everything derived from it, computed once.

use std::sync::{Arc, OnceLock};

use hermes_core::schema::Effort;
use hermes_core::{AnyTool, Owner, Permission, ToolInfo};
use jsonschema::Validator;

use super::uses::uses;
use crate::catalog::Definitions;
use crate::lifecycle::Lifecycle;

/// A tool in the registry. Replacing a tool makes a new entry; calls in flight keep the old one.
pub struct Entry {
    pub tool: Arc<dyn AnyTool>,
    pub owner: Owner,
    pub lifecycle: Lifecycle,
    pub(crate) definitions: Definitions,
    checker: OnceLock<Result<Checker, String>>,
    uses: OnceLock<Vec<Vec<Permission>>>,
}

impl Entry {
    pub(crate) fn new(owner: Owner, tool: Arc<dyn AnyTool>) -> Self {
        Entry {
            tool,
            owner,
            lifecycle: Lifecycle::new(),
            definitions: Definitions::default(),
            checker: OnceLock::new(),
            uses: OnceLock::new(),
        }
    }

    pub fn info(&self) -> &ToolInfo {
        self.tool.info()
    }

    /// The permissions that each kind of call of this tool needs; empty if that cannot be told.
    pub fn uses(&self) -> &[Vec<Permission>] {
        self.uses.get_or_init(|| uses(&self.tool))
    }

    /// The compiled form of the tool's own schema. Compiled at the first call, because most tools of a
    /// large catalog are never called.
    pub(crate) fn checker(&self) -> Result<&Checker, String> {
        self.checker.get_or_init(|| compile(&self.info().parameters)).as_ref().map_err(Clone::clone)
    }
}

/// A compiled schema, and what it may cost to check a value against it.
pub(crate) struct Checker {
    pub(crate) validator: Validator,
    pub(crate) effort: Effort,
}

/// Compiles a schema of any origin. Patterns come from foreign schemas: the linear-time engine cannot
/// be made to hang.
pub(crate) fn compile(schema: &serde_json::Value) -> Result<Checker, String> {
    let effort = Effort::of(schema)?;
    let validator = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft7)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(schema)
        .map_err(|error| error.to_string())?;
    Ok(Checker { validator, effort })
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("name", &self.info().name).field("owner", &self.owner).finish()
    }
}
