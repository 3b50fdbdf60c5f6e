//! One registered tool with everything derived from it, computed once.

use std::sync::{Arc, OnceLock};

use hermes_core::redact::Redactor;
use hermes_core::schema::{Effort, Provider, checked, notes};
use hermes_core::{AnyTool, Owner, Permission, ToolInfo};
use jsonschema::Validator;
use serde_json::Value;
use tokio::sync::Mutex;

use super::uses::uses;
use crate::availability::Slot;
use crate::catalog::Definitions;
use crate::lifecycle::Lifecycle;

/// A tool in the registry. Replacing a tool makes a new entry; calls in flight keep the old one.
pub struct Entry {
    pub tool: Arc<dyn AnyTool>,
    pub owner: Owner,
    pub lifecycle: Lifecycle,
    pub(crate) definitions: Definitions,
    pub(crate) availability: Mutex<Slot>,
    checker: OnceLock<Result<Checker, String>>,
    uses: OnceLock<Vec<Vec<Permission>>>,
}

impl Entry {
    pub(crate) fn new(owner: Owner, tool: Arc<dyn AnyTool>) -> Self {
        Entry {
            definitions: Definitions::of(tool.info()),
            tool,
            owner,
            lifecycle: Lifecycle::new(),
            availability: Mutex::default(),
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

/// Compiles a schema of any origin: as it is, or else without what means nothing in it, so that what a model is
/// shown can be called.
pub(crate) fn compile(schema: &Value) -> Result<Checker, String> {
    let means_all_it_says = notes(schema, Provider::Generic, &Redactor::none()).is_empty();
    let as_is = means_all_it_says.then(|| compile_as_is(schema).ok()).flatten();
    as_is.map_or_else(|| compile_as_is(&checked(schema)?), Ok)
}

/// Patterns come from foreign schemas: the linear-time engine cannot be made to hang.
fn compile_as_is(schema: &Value) -> Result<Checker, String> {
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
