//! Hashes of files that were read, for as long as the files stay as they were: whoever pages through a file has it
//! hashed once.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use hermes_host::workspace::FileVersion;

/// Files that are remembered; beyond that all are forgotten.
const MOST: usize = 1_000;

/// By the letters of the path, which are told apart sooner than its names.
#[derive(Debug, Default)]
pub(crate) struct Hashes(Mutex<HashMap<OsString, (FileVersion, String)>>);

impl Hashes {
    pub(crate) fn of(&self, path: &Path, version: FileVersion) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(path.as_os_str()).filter(|(of, _)| *of == version).map(|(_, hash)| hash.clone())
    }

    pub(crate) fn remember(&self, path: &Path, version: FileVersion, hash: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(path.into(), (version, hash.to_owned()));
    }
}
