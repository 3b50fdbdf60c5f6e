//! Where code lies while an interpreter runs it: in Hermes's own folder, which no command sees or writes, and of which
//! only the interpreter itself is shown this one part. A place that commands share would let one of them put words
//! into the mouth of another's code, or have it written through a link of its own.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// How the names of such folders begin.
const BEGINNING: &str = "code-";
/// Tries to make one that nobody takes for a left one.
const TRIES: usize = 5;

/// The folder with the code, for as long as it runs.
pub(super) struct CodeFolder {
    path: PathBuf,
    /// Locked while somebody needs the folder; a killed process gives it free.
    _held: File,
}

impl CodeFolder {
    pub(super) fn make(hermes_home: &Path, files: &[(String, String)]) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(hermes_home)?;
        sweep(hermes_home);
        let folder = Self::empty(hermes_home)?;
        for (name, content) in files {
            let mut options = OpenOptions::new();
            let mut file = options.write(true).create_new(true).mode(0o600).open(folder.path.join(name))?;
            file.write_all(content.as_bytes())?;
        }
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn empty(hermes_home: &Path) -> io::Result<Self> {
        for _ in 0..TRIES {
            let path = hermes_home.join(format!("{BEGINNING}{}", uuid::Uuid::new_v4().simple()));
            DirBuilder::new().mode(0o700).create(&path)?;
            // Another one that sweeps may have been faster than the lock.
            if let Ok(held) = File::open(&path)
                && flock(&held, FlockOperation::NonBlockingLockExclusive).is_ok()
                && is_still_there(&held, &path)
            {
                return Ok(CodeFolder { path, _held: held });
            }
        }
        Err(io::Error::other("its folder is taken away again and again"))
    }
}

impl Drop for CodeFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn is_still_there(held: &File, path: &Path) -> bool {
    let number = |facts: io::Result<fs::Metadata>| facts.map(|facts| (facts.dev(), facts.ino())).ok();
    let own = number(held.metadata());
    own.is_some() && own == number(fs::symlink_metadata(path))
}

/// Takes away what killed processes left.
fn sweep(hermes_home: &Path) {
    let entries = fs::read_dir(hermes_home).into_iter().flatten().flatten();
    let is_code = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(BEGINNING);
    for entry in entries.filter(is_code) {
        let Ok(left) = File::open(entry.path()) else { continue };
        if flock(&left, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
