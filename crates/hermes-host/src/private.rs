//! Files of Hermes's own that only their owner may read, for parts of the house that keep state in files.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::state::files::{self, Sync};

/// Creates a folder and its missing parents, readable by their owner only.
pub fn folder(path: &Path) -> io::Result<()> {
    files::private_dir(path)
}

/// Waits until no other process holds the lock. It ends with the file that is returned.
pub fn lock(path: &Path) -> io::Result<File> {
    files::lock(path)
}

/// Puts `bytes` at `path`: readers see the old file or the new one, never a part, and after a power cut too.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    files::replace(path, bytes, Sync::Yes)
}
