//! Contents by their hash.

use std::io;
use std::path::{Path, PathBuf};

use hermes_core::text::hex;
use sha2::{Digest, Sha256};

use crate::state::files::{self, Sync};

/// The folder of contents.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    pub(super) folder: PathBuf,
}

impl Objects {
    /// Keeps a content and returns its hash. What is there already is not written again.
    pub(super) fn put(&self, content: &[u8], sync: Sync) -> io::Result<String> {
        let sha256 = hash(content);
        let path = self.path(&sha256);
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if std::fs::metadata(&path).is_ok_and(|meta| meta.len() == length) {
            return Ok(sha256);
        }
        files::replace(&path, content, sync)?;
        Ok(sha256)
    }

    /// A content, if it is there and whole.
    pub(super) fn get(&self, sha256: &str) -> io::Result<Option<Vec<u8>>> {
        if !is_name(sha256) {
            return Ok(None);
        }
        match std::fs::read(self.path(sha256)) {
            Ok(content) if hash(&content) == sha256 => Ok(Some(content)),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256)
    }
}

/// Whether a file's name is one that a content can have.
pub(super) fn is_name(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
}

pub(super) fn hash(content: &[u8]) -> String {
    hex(Sha256::digest(content))
}

/// The size of a stored content, as far as there is one.
pub(super) fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |meta| meta.len())
}
