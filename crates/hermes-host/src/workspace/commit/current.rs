//! What a file is before it is edited.

use std::io::Read;
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, ToolError};

use crate::workspace::errors::too_large_to_edit;
use crate::workspace::hashing::hash_bytes;
use crate::workspace::{Found, Workspace};

/// Larger files are not edited in memory.
const MAX_EDITED: u64 = 10 * 1024 * 1024;

/// A file as it is now.
#[derive(Clone, Debug)]
pub struct Current {
    path: PathBuf,
    content: Option<Vec<u8>>,
    sha256: Option<String>,
    was_missed: bool,
}

impl Current {
    /// `content` is `None` if nothing is there.
    pub(crate) fn new(path: PathBuf, content: Option<Vec<u8>>) -> Self {
        let sha256 = content.as_deref().map(hash_bytes);
        Current { path, content, sha256, was_missed: false }
    }

    /// The same, with whether the session has seen the file before, but not as it is now.
    pub(crate) fn noting(self, was_missed: impl FnOnce(&str) -> bool) -> Self {
        let was_missed = self.sha256.as_deref().is_some_and(was_missed);
        Current { was_missed, ..self }
    }

    /// Whether somebody else changed the file since this session saw it.
    pub fn was_missed(&self) -> bool {
        self.was_missed
    }

    /// The path with all links followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `None` if nothing is there.
    pub fn content(&self) -> Option<&[u8]> {
        self.content.as_deref()
    }

    pub fn sha256(&self) -> Option<&str> {
        self.sha256.as_deref()
    }
}

impl Workspace {
    /// Reads a file that is to be edited: all of it, or that there is none.
    pub fn current(&self, cx: &CallContext, raw: &str) -> Result<Current, ToolError> {
        let path = self.judge(cx, raw, &hermes_core::Permission::FILE_READ)?;
        if self.look(cx, raw)? == Found::Nothing {
            return Ok(Current::new(path, None));
        }
        let mut file = self.open_read(cx, raw)?;
        let mut content = Vec::new();
        let read = file.by_ref().take(MAX_EDITED + 1).read_to_end(&mut content);
        read.map_err(|error| file.explain(error))?;
        if content.len() as u64 > MAX_EDITED {
            return Err(too_large_to_edit(&path, MAX_EDITED));
        }
        Ok(Current::new(path, Some(content)).noting(|sha256| file.was_missed(sha256)))
    }
}
