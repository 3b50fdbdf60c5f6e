//! The door itself, and what a permitted call sees through it.

use std::path::{Path, PathBuf};

use hermes_core::{Access, CallContext, Permission, ToolError};

/// The door. The roots are `/proc` and `/sys`, except in tests.
#[derive(Clone, Debug)]
pub struct System {
    pub(super) proc: PathBuf,
    pub(super) sys: PathBuf,
}

impl Default for System {
    fn default() -> Self {
        System { proc: "/proc".into(), sys: "/sys".into() }
    }
}

impl System {
    /// Opens the door for a call that was granted `system:read`.
    pub fn look<'a>(&'a self, cx: &'a CallContext) -> Result<Look<'a>, ToolError> {
        if !cx.permit().covers(&Access::any(Permission::SYSTEM_READ)) {
            return Err(ToolError::denied("this call was not granted system:read"));
        }
        Ok(Look { system: self, cx })
    }

    /// A small text file below `/proc` or `/sys`; `None` if it is not there or not readable.
    pub(super) fn text(path: impl AsRef<Path>) -> Option<String> {
        std::fs::read_to_string(path).ok()
    }

    /// A number that is the whole content of a file.
    pub(super) fn number(path: impl AsRef<Path>) -> Option<u64> {
        Self::text(path)?.trim().parse().ok()
    }
}

/// What a permitted call sees.
#[derive(Debug)]
pub struct Look<'a> {
    pub(super) system: &'a System,
    pub(super) cx: &'a CallContext,
}
