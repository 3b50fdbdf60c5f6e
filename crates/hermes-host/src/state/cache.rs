//! Files that can be made again, under `cache/` in the home folder. Losing one costs time, nothing else.

use std::path::PathBuf;

use hermes_core::ToolError;
use hermes_core::ports::CacheStore;

use super::files::{Sync, private_dir, replace};
use crate::home::Home;

/// More than any cache file has reason to be; a larger one is not read.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A folder of cache files.
#[derive(Clone, Debug)]
pub struct FileCache {
    folder: PathBuf,
}

impl FileCache {
    pub fn new(home: &Home) -> Self {
        FileCache { folder: home.cache_dir() }
    }

    /// Names are ours; anything that could leave the folder is a mistake.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let plain =
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        plain.then(|| self.folder.join(name))
    }
}

impl CacheStore for FileCache {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.path(name)?;
        let size = std::fs::symlink_metadata(&path).ok().filter(std::fs::Metadata::is_file)?.len();
        if size > MOST_BYTES {
            return None;
        }
        std::fs::read(path).ok()
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), ToolError> {
        let path = self.path(name).ok_or_else(|| ToolError::internal("not the name of a cache file"))?;
        let write = || {
            private_dir(&self.folder)?;
            replace(&path, bytes, Sync::No)
        };
        write().map_err(|error: std::io::Error| {
            ToolError::internal("a cache file could not be written")
                .with_operator(format!("{}: {error}", path.display()))
        })
    }
}
