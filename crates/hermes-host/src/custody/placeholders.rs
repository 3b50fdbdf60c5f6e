//! What stands in for protected places that are not there yet: something must be there to be made read-only.
//! It goes away with the last program that needed it.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, flock};

/// Nobody gives a folder or file these modes by accident: they say it is ours to remove.
const OUR_FOLDER: u32 = 0o1555;
const OUR_FILE: u32 = 0o1444;

/// Files that git reads wherever they are, and what they say there without changing anything: that settings are
/// where they are without the file, and no settings.
const FILES: &[(&str, &str)] = &[("commondir", ".\n"), ("config", ""), ("config.worktree", "")];

/// Held as long as a program needs them.
pub(super) struct Placeholders(Vec<(PathBuf, File)>);

impl Placeholders {
    /// Makes the missing ones, where the folder around them is there.
    pub(super) fn make(protected: &[PathBuf]) -> Self {
        Placeholders(protected.iter().filter_map(|path| Some((path.clone(), hold(path)?))).collect())
    }

    /// Removes those that no other program holds.
    pub(super) fn remove(self) {
        for (path, held) in self.0 {
            if flock(&held, FlockOperation::NonBlockingLockExclusive).is_ok() {
                let _ = fs::remove_dir(&path).or_else(|_| fs::remove_file(&path));
            }
        }
    }
}

fn hold(path: &Path) -> Option<File> {
    // It may be there, and another program may remove it between our looking and our holding it.
    for _ in 0..8 {
        // Most of what is protected has long been there.
        if fs::symlink_metadata(path).is_ok_and(|facts| !is_ours(&facts)) {
            return None;
        }
        make(path)?;
        let held = File::open(path).ok()?;
        if !is_ours(&held.metadata().ok()?) {
            return None;
        }
        flock(&held, FlockOperation::NonBlockingLockShared).ok()?;
        if path.exists() {
            return Some(held);
        }
    }
    None
}

/// Whether it stands in for what is not there, for some other program.
pub(crate) fn is_placeholder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| is_ours(&facts) && facts.is_dir())
        && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

fn is_ours(facts: &Metadata) -> bool {
    matches!(facts.permissions().mode() & 0o7777, OUR_FOLDER | OUR_FILE)
}

/// `None` if it was made and cannot be ours; what is there already is left alone.
fn make(path: &Path) -> Option<()> {
    let name = path.file_name().and_then(|name| name.to_str());
    let file = FILES.iter().find(|(file, _)| name == Some(file));
    let Some((_, text)) = file else {
        // Nobody else must see it with other modes, so they are not changed afterwards.
        let mask = rustix::process::umask(Mode::empty());
        let _ = fs::DirBuilder::new().mode(OUR_FOLDER).create(path);
        rustix::process::umask(mask);
        return Some(());
    };
    if let Ok(mut made) = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        made.write_all(text.as_bytes()).ok()?;
        made.set_permissions(Permissions::from_mode(OUR_FILE)).ok()?;
    }
    Some(())
}
