//! Opening exactly the object that a resolved path names.

use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::{Errno, Result};

/// Opens `path`, which must be absolute and free of `..`. Fails with `ELOOP` if any part of it has become
/// a symbolic link since it was resolved. Never creates anything.
pub(crate) fn open_exact(path: &Path, flags: OFlags) -> Result<OwnedFd> {
    open_exact_if(path, flags, ResolveFlags::empty())
}

/// The same under one more condition, which only `openat2` can keep.
pub(super) fn open_exact_if(path: &Path, flags: OFlags, condition: ResolveFlags) -> Result<OwnedFd> {
    let plain = |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
    let is_exact = is_plain(path) || (path.is_absolute() && path.components().all(plain));
    if !is_exact {
        return Err(Errno::INVAL);
    }
    let flags = flags | OFlags::CLOEXEC;
    let strict = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(CWD, path, flags, Mode::empty(), strict | condition) {
        // Old kernels answer ENOSYS, old container filters EPERM; a true EPERM comes back from the walk too.
        Err(Errno::NOSYS | Errno::PERM) if condition.is_empty() => open_stepwise(path, flags),
        other => other,
    }
}

/// Whether the path is absolute and spelled with nothing that [`Path::components`] would leave out or take apart.
pub(super) fn is_plain(path: &Path) -> bool {
    let below_root = path.as_os_str().as_bytes().strip_prefix(b"/");
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..");
    below_root.is_some_and(|names| names.split(|byte| *byte == b'/').all(is_name))
}

/// The path as its components spell it. Most are spelled so already.
pub(super) fn plain(path: PathBuf) -> PathBuf {
    if is_plain(&path) { path } else { path.components().collect() }
}

/// The same promise without `openat2`: one component at a time, following no link.
fn open_stepwise(path: &Path, flags: OFlags) -> Result<OwnedFd> {
    let folder_flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut names = path.components().filter(|part| *part != Component::RootDir).peekable();
    if names.peek().is_none() {
        return openat(CWD, "/", flags | OFlags::CLOEXEC, Mode::empty());
    }
    let mut folder = openat(CWD, "/", folder_flags, Mode::empty())?;
    while let Some(name) = names.next() {
        let last = names.peek().is_none();
        let flags = if last { flags } else { folder_flags };
        folder = openat(&folder, name.as_os_str(), flags | OFlags::NOFOLLOW, Mode::empty())
            .map_err(|errno| link_or(&folder, name.as_os_str(), errno))?;
    }
    Ok(folder)
}

/// A link where a folder was expected fails with `ENOTDIR`; say `ELOOP`, as `openat2` does.
fn link_or(folder: &OwnedFd, name: &std::ffi::OsStr, errno: Errno) -> Errno {
    let is_link = rustix::fs::statat(folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink());
    if is_link { Errno::LOOP } else { errno }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn plain_paths_are_those_that_components_leave_alone() {
        for path in
            ["/", "//", "/a", "/a/b.c", "/a//b", "/a/", "/./a", "/a/.", "/a/..", "/..a/...", "a/b", "", "."]
        {
            let path = Path::new(path);
            let spelled: PathBuf = path.components().collect();
            let is_left_alone = path.is_absolute()
                && spelled.as_os_str() == path.as_os_str()
                && !path.components().any(|part| part == Component::ParentDir);
            // The root alone has no name to speak of.
            assert_eq!(is_plain(path), is_left_alone && path != Path::new("/"), "{path:?}");
            assert_eq!(plain(path.to_owned()).as_os_str(), spelled.as_os_str(), "{path:?}");
        }
    }

    #[test]
    fn both_ways_open_files_and_refuse_links() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("d")).unwrap();
        std::fs::write(root.join("d/f"), "x").unwrap();
        symlink("d", root.join("link")).unwrap();
        symlink("d/f", root.join("file_link")).unwrap();
        for open in [open_exact, open_stepwise] {
            assert!(open(&root.join("d/f"), OFlags::RDONLY).is_ok());
            assert!(open(Path::new("/"), OFlags::RDONLY).is_ok());
            assert_eq!(open(&root.join("link/f"), OFlags::RDONLY).unwrap_err(), Errno::LOOP);
            assert_eq!(open(&root.join("file_link"), OFlags::RDONLY).unwrap_err(), Errno::LOOP);
            assert_eq!(open(&root.join("d/none"), OFlags::RDONLY).unwrap_err(), Errno::NOENT);
            assert_eq!(open(&root.join("d/f/x"), OFlags::RDONLY).unwrap_err(), Errno::NOTDIR);
        }
        assert_eq!(open_exact(Path::new("relative"), OFlags::RDONLY).unwrap_err(), Errno::INVAL);
        assert_eq!(open_exact(&root.join("d/../d/f"), OFlags::RDONLY).unwrap_err(), Errno::INVAL);
    }
}
