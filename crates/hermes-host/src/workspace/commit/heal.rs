//! What becomes of a commit whose process was killed. What somebody else changed since then is left as it is.

use std::ffi::OsStr;
use std::fs::File;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, openat, renameat, renameat_with, statat, unlinkat};
use rustix::io::Errno;
use tokio_util::sync::CancellationToken;

use super::intent::{Plan, Step};
use crate::workspace::folder::{Folder, unmake};
use crate::workspace::hashing::hash_file;

/// Every file as it was before. False if that has to be tried again.
pub(super) fn take_back(plan: &Plan) -> bool {
    let healed = each(plan.steps.iter().rev(), |folder, name, step| match (&step.aside, &step.after) {
        (None, Some(after)) if has(folder, name, after) => {
            let _ = unlinkat(folder.handle(), name, AtFlags::empty());
        }
        (Some(aside), Some(after)) if has(folder, name, after) => {
            let _ = renameat(folder.handle(), aside.as_str(), folder.handle(), name);
        }
        // It was linked and not replaced yet.
        (Some(aside), Some(_)) if is_same(folder, name, aside) => drop_aside(folder, aside),
        (Some(aside), None) => {
            let folder = folder.handle();
            let _ = renameat_with(folder, aside.as_str(), folder, name, RenameFlags::NOREPLACE);
        }
        _ => {}
    });
    if healed {
        let made: Vec<_> = plan.made.iter().map(|made| made.path().to_owned()).collect();
        unmake(&made);
    }
    healed
}

/// All was in place: the old contents are let go.
pub(super) fn finish(plan: &Plan) -> bool {
    each(plan.steps.iter(), |folder, _, step| {
        if let Some(aside) = &step.aside {
            drop_aside(folder, aside);
        }
    })
}

fn each<'a>(steps: impl Iterator<Item = &'a Step>, mut act: impl FnMut(&Folder, &OsStr, &Step)) -> bool {
    let mut all = true;
    for step in steps {
        let path = step.path.path();
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { continue };
        match Folder::open(parent) {
            // With the folder everything in it is gone.
            Ok(None) => {}
            Ok(Some(folder)) if folder.lock(&CancellationToken::new()).is_ok() => {
                act(&folder, name, step);
                let _ = folder.sync();
            }
            _ => all = false,
        }
    }
    all
}

fn drop_aside(folder: &Folder, aside: &str) {
    let _ = unlinkat(folder.handle(), aside, AtFlags::empty());
}

/// Whether a plain file of that content has the name.
fn has(folder: &Folder, name: &OsStr, sha256: &str) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(handle) = openat(folder.handle(), name, flags, Mode::empty()) else { return false };
    let file = File::from(handle);
    file.metadata().is_ok_and(|facts| facts.is_file())
        && hash_file(Some(&file), &CancellationToken::new()).is_ok_and(|found| found == sha256)
}

fn is_same(folder: &Folder, name: &OsStr, aside: &str) -> bool {
    let object = |name: &OsStr| -> Result<(u64, u64), Errno> {
        statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW).map(|facts| (facts.st_dev, facts.st_ino))
    };
    object(name).is_ok() && object(name) == object(OsStr::new(aside))
}
