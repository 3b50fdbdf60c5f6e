//! From the waiting place to where they belong, reversibly.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use hermes_core::{ErrorCode, ToolError};
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, Stat, fsync, openat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use super::below::{open, open_or_make};
use super::staging::{NewEntry, Unpacking};
use crate::undo::{Before, Touch};
use crate::workspace::errors::changed;
use crate::workspace::stamp::date;
use crate::workspace::temp::is_same;

/// More of an overwritten file is not remembered.
const MAX_KEPT: u64 = 10 * 1024 * 1024;

/// What stands where a new file is to go.
struct Present {
    stat: Stat,
    content: Option<Vec<u8>>,
    size: u64,
}

pub(super) fn place(unpacking: &Unpacking<'_>) -> Result<(), ToolError> {
    let present: Vec<Option<Present>> =
        unpacking.files.iter().map(|entry| present(unpacking, entry)).collect::<Result<_, _>>()?;
    remember(unpacking, &present)?;
    let (mut made, mut moved) = (Vec::new(), Vec::new());
    let placed = place_all(unpacking, &present, &mut made, &mut moved);
    if placed.is_err() {
        take_back(unpacking, &made, &moved);
    }
    placed
}

fn place_all(
    unpacking: &Unpacking<'_>,
    present: &[Option<Present>],
    made: &mut Vec<PathBuf>,
    moved: &mut Vec<(PathBuf, RenameFlags)>,
) -> Result<(), ToolError> {
    let root = unpacking.folder.handle();
    for folder in unpacking.folders.keys() {
        open_or_make(root, folder, made).map_err(|errno| in_the_way(unpacking, folder, errno))?;
    }
    let mut last: Option<(PathBuf, OwnedFd, OwnedFd)> = None;
    for (entry, present) in unpacking.files.iter().zip(present) {
        let (parent, name) = split(&entry.path);
        let failed = |errno| in_the_way(unpacking, &entry.path, errno);
        if last.as_ref().is_none_or(|(path, ..)| path != parent) {
            let to = open_or_make(root, parent, made).map_err(failed)?;
            let from = open(&unpacking.staging, parent).map_err(failed)?;
            last = Some((parent.to_owned(), from, to));
        }
        let Some((_, from, to)) = &last else { continue };
        let how = if present.is_some() { RenameFlags::EXCHANGE } else { RenameFlags::NOREPLACE };
        renameat_with(from, name, to, name, how).map_err(failed)?;
        moved.push((entry.path.clone(), how));
        // What had the name waits where the new file did. What somebody saved since it was looked at goes back.
        if let Some(present) = present {
            is_same(from, name, &present.stat).map_err(|_| changed(&unpacking.path.join(&entry.path)))?;
        }
    }
    for folder in made.iter() {
        if let Ok(handle) = open(root, folder) {
            // Now that nothing more comes into it.
            date(&handle, unpacking.folders.get(folder).copied().flatten());
            let _ = fsync(handle);
        }
    }
    unpacking.folder.sync().map_err(|errno| in_the_way(unpacking, Path::new(""), errno))
}

/// Reverses what was moved, newest first.
fn take_back(unpacking: &Unpacking<'_>, made: &[PathBuf], moved: &[(PathBuf, RenameFlags)]) {
    let root = unpacking.folder.handle();
    for (path, how) in moved.iter().rev() {
        let (parent, name) = split(path);
        if let (Ok(from), Ok(to)) = (open(root, parent), open(&unpacking.staging, parent)) {
            let _ = renameat_with(&from, name, &to, name, *how);
        }
    }
    for path in made.iter().rev() {
        let (parent, name) = split(path);
        if let Ok(folder) = open(root, parent) {
            let _ = unlinkat(&folder, name, AtFlags::REMOVEDIR);
        }
    }
}

/// Looks at what stands where an entry is to go, and refuses what must not be replaced.
fn present(unpacking: &Unpacking<'_>, entry: &NewEntry) -> Result<Option<Present>, ToolError> {
    let (parent, name) = split(&entry.path);
    let folder = match open(unpacking.folder.handle(), parent) {
        Ok(folder) => folder,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(in_the_way(unpacking, &entry.path, errno)),
    };
    let stat = match statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(in_the_way(unpacking, &entry.path, errno)),
    };
    let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    if !is_file {
        return Err(not_replaced(&unpacking.path.join(&entry.path), &stat));
    }
    if !unpacking.overwrite {
        return Err(in_the_way(unpacking, &entry.path, Errno::EXIST));
    }
    unpacking.workspace.admit_others(unpacking.cx, &unpacking.path.join(&entry.path), &stat)?;
    let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let content = openat(&folder, name, flags, Mode::empty()).ok().filter(|_| size <= MAX_KEPT);
    let content = content.and_then(|handle| {
        let mut content = Vec::new();
        File::from(handle).take(MAX_KEPT).read_to_end(&mut content).ok().map(|_| content)
    });
    Ok(Some(Present { stat, content, size }))
}

fn remember(unpacking: &Unpacking<'_>, present: &[Option<Present>]) -> Result<(), ToolError> {
    let Some(undo) = unpacking.workspace.undo() else { return Ok(()) };
    let paths: Vec<PathBuf> = unpacking.files.iter().map(|entry| unpacking.path.join(&entry.path)).collect();
    let touches: Vec<Touch<'_>> = paths
        .iter()
        .zip(&unpacking.files)
        .zip(present)
        .map(|((path, entry), present)| Touch {
            path,
            before: present.as_ref().map(|present| Before {
                content: present.content.as_deref(),
                size: present.size,
                mode: present.stat.st_mode & 0o7777,
                owner: (present.stat.st_uid, present.stat.st_gid),
            }),
            after: Some((&entry.sha256, entry.size)),
        })
        .collect();
    undo.remember(unpacking.cx, &touches, &missing(unpacking)).map(|_| ())
}

/// The folders that are there only because of the archive, outermost first.
fn missing(unpacking: &Unpacking<'_>) -> Vec<PathBuf> {
    let parents = unpacking.files.iter().filter_map(|entry| entry.path.parent());
    let needed: BTreeSet<&Path> = parents.chain(unpacking.folders.keys().map(PathBuf::as_path)).collect();
    let all: BTreeSet<&Path> = needed.into_iter().flat_map(Path::ancestors).collect();
    let root = unpacking.folder.handle();
    let is_missing = |path: &&Path| open(root, path).is_err_and(|errno| errno == Errno::NOENT);
    let inside = all.into_iter().filter(is_missing).map(|path| unpacking.path.join(path));
    unpacking.made.iter().cloned().chain(inside).collect()
}

fn in_the_way(unpacking: &Unpacking<'_>, path: &Path, errno: Errno) -> ToolError {
    let shown = unpacking.path.join(path);
    match errno {
        Errno::EXIST | Errno::NOTDIR | Errno::ISDIR | Errno::LOOP | Errno::NOTEMPTY => ToolError::new(
            ErrorCode::Conflict,
            format!("'{}' is in the way; nothing was unpacked", shown.display()),
        )
        .with_hint(match unpacking.overwrite {
            false => "Choose another destination, or pass overwrite to replace files.",
            true => "Choose another destination: overwrite replaces files, and only by files.",
        }),
        errno => crate::workspace::errors::explain("write", &shown, errno),
    }
}

/// What is no file is not taken away, whether files may be or not.
fn not_replaced(path: &Path, stat: &Stat) -> ToolError {
    let what = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => "a symbolic link",
        FileType::Directory => "a folder",
        _ => "a pipe, socket or device",
    };
    let text = format!("'{}' is in the way: {what} stands there; nothing was unpacked", path.display());
    ToolError::new(ErrorCode::Conflict, text)
        .with_hint("Choose another destination: overwrite replaces only files.")
}

fn split(path: &Path) -> (&Path, &OsStr) {
    (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use hermes_core::{Access, Permission, Target};

    use super::super::staging::UnpackLimits;
    use super::*;
    use crate::workspace::Workspace;
    use crate::workspace::tests::granted;

    #[test]
    fn what_was_saved_since_it_was_looked_at_stays() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().canonicalize().unwrap();
        std::fs::write(root.join("a"), "old").unwrap();
        std::fs::write(root.join("b"), "old").unwrap();
        let workspace = Workspace::new(root.clone(), root.join(".hermes"));
        let cx = granted(&root, &[Access::new(Permission::FILE_WRITE, Target::Resolved(root.clone()))]);
        let limits = UnpackLimits { max_entries: 9, max_bytes: 999, max_ratio: 9, archive_bytes: 999 };
        let mut unpacking = workspace.unpack(&cx, ".", true, limits).unwrap();
        for name in ["a", "b", "sub/c"] {
            unpacking.file(name.as_ref(), (None, None), &mut b"new".as_slice()).unwrap();
        }
        let present: Vec<Option<Present>> =
            unpacking.files.iter().map(|entry| present(&unpacking, entry).unwrap()).collect();
        std::fs::write(root.join("b"), "theirs").unwrap();
        let (mut made, mut moved) = (Vec::new(), Vec::new());
        let error = place_all(&unpacking, &present, &mut made, &mut moved).unwrap_err();
        assert_eq!(error.code, ErrorCode::Conflict);
        take_back(&unpacking, &made, &moved);
        drop(unpacking);
        let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
        assert_eq!((read("a").as_str(), read("b").as_str()), ("old", "theirs"));
        assert_eq!(std::fs::read_dir(&root).unwrap().count(), 2, "nothing else is left");
    }
}
