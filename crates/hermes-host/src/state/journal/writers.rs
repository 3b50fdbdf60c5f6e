//! Which writers are alive: each holds a kernel lock on a file of its own, which ends with the process.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use uuid::Uuid;

use crate::state::files;

/// The file that guards the folder itself. Whoever holds it may register or sweep.
const GATE: &str = ".gate";

/// The folder of writers, held against everybody else: nobody comes or is buried meanwhile.
pub(super) struct Registry {
    folder: PathBuf,
    _gate: File,
}

/// A registered writer. Alive as long as this is.
pub(super) struct Writer {
    pub(super) id: String,
    path: PathBuf,
    _lock: File,
}

impl Registry {
    pub(super) fn enter(folder: &Path) -> io::Result<Registry> {
        files::private_dir(folder)?;
        let gate = files::lock(&folder.join(GATE))?;
        Ok(Registry { folder: folder.to_owned(), _gate: gate })
    }

    /// A new writer with an id no other had or will have.
    pub(super) fn register(&self) -> io::Result<Writer> {
        let id = Uuid::now_v7().simple().to_string();
        let path = self.folder.join(&id);
        let lock = files::lock(&path)?;
        Ok(Writer { id, path, _lock: lock })
    }

    /// The ids of the living. The files of the dead are removed; a writer without a file is dead too.
    pub(super) fn living(&self) -> io::Result<BTreeSet<String>> {
        let mut living = BTreeSet::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let entry = entry?;
            let Ok(id) = entry.file_name().into_string() else { continue };
            if id.starts_with('.') {
                continue;
            }
            if is_held(&entry.path())? {
                living.insert(id);
            } else {
                remove(&entry.path())?;
            }
        }
        Ok(living)
    }
}

/// The ids of the living, for those who only read. Where no writer ever was, nothing is made.
pub(super) fn living(folder: &Path) -> io::Result<BTreeSet<String>> {
    match folder.exists() {
        true => Registry::enter(folder)?.living(),
        false => Ok(BTreeSet::new()),
    }
}

impl Drop for Writer {
    /// A tidy end leaves no file. If this fails, the next start sweeps it.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn is_held(path: &Path) -> io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        // A writer that ended just now.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(false),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
