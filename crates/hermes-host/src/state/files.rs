//! Files and folders that only their owner may read, replaced as a whole or not at all.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::FlockOperation;
use uuid::Uuid;

/// The start of the name of a file that is not finished yet.
pub(crate) const TEMPORARY: &str = ".tmp-";

/// Whether a finished write must also survive a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sync {
    No,
    Yes,
}

/// Creates a folder and its missing parents with mode 0700.
pub(crate) fn private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Creates an empty file with mode 0600, or takes other people's rights away from an existing one.
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    let file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

/// Opens a lock file and waits until no other process holds it. The lock ends with the file, and so
/// with the process, however that ends.
pub(crate) fn lock(path: &Path) -> io::Result<File> {
    let file = private_file(path)?;
    loop {
        match rustix::fs::flock(&file, FlockOperation::LockExclusive) {
            Ok(()) => return Ok(file),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Puts `bytes` at `path`: readers see the old file or the new one, never a part.
pub(crate) fn replace(path: &Path, bytes: &[u8], sync: Sync) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let temporary = folder.join(format!("{TEMPORARY}{}", Uuid::now_v7().simple()));
    let written = write_new(&temporary, bytes, sync).and_then(|()| std::fs::rename(&temporary, path));
    if let Err(error) = written {
        // The error that counts is the first one; a leftover is swept later.
        let _ = std::fs::remove_file(&temporary);
        return Err(error);
    }
    if sync == Sync::Yes {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn write_new(path: &Path, bytes: &[u8], sync: Sync) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    if sync == Sync::Yes {
        file.sync_all()?;
    }
    Ok(())
}
