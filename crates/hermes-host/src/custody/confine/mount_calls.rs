//! The few mount calls that the view is made of, with texts that say what failed.

use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(super) type Outcome<T = ()> = Result<T, String>;

fn c_path(path: &Path) -> Outcome<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| format!("{}: a NUL in a path", path.display()))
}

fn check(result: i64, what: &str, path: &Path) -> Outcome {
    match result {
        0.. => Ok(()),
        _ => Err(format!("{what} {}: {}", path.display(), std::io::Error::last_os_error())),
    }
}

/// A fresh file system of its own kind.
pub(super) fn mount_new(kind: &str, at: &Path, flags: u64, options: &str) -> Outcome {
    let (kind, options) = (c_path(Path::new(kind))?, c_path(Path::new(options))?);
    let target = c_path(at)?;
    // SAFETY: NUL-ended strings that live through the call.
    let result =
        unsafe { libc::mount(kind.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast()) };
    check(i64::from(result), "mounting", at)
}

/// From here on nothing that is mounted shows outside, nor the other way round.
pub(super) fn separate() -> Outcome {
    // SAFETY: constant strings.
    let result = unsafe {
        libc::mount(
            std::ptr::null(),
            c"/".as_ptr(),
            std::ptr::null(),
            libc::MS_REC | libc::MS_PRIVATE,
            std::ptr::null(),
        )
    };
    check(i64::from(result), "separating", Path::new("/"))
}

/// Whether what is mounted below comes along.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Whole,
    One,
}

impl Depth {
    fn flag(self) -> u32 {
        match self {
            Depth::Whole => libc::AT_RECURSIVE as u32,
            Depth::One => 0,
        }
    }
}

/// A second handle on what stands at a path, to be placed elsewhere or above itself.
pub(super) fn picked(path: &Path, depth: Depth) -> Outcome<OwnedFd> {
    picked_up(libc::AT_FDCWD, &c_path(path)?, depth.flag(), path)
}

/// The same for what is open already, be it a link; `path` is for the text if that fails.
pub(super) fn picked_at(place: &OwnedFd, depth: Depth, path: &Path) -> Outcome<OwnedFd> {
    picked_up(place.as_raw_fd(), c"", depth.flag() | libc::AT_EMPTY_PATH as u32, path)
}

fn picked_up(folder: i32, target: &CStr, more: u32, path: &Path) -> Outcome<OwnedFd> {
    let flags = libc::OPEN_TREE_CLONE | libc::OPEN_TREE_CLOEXEC | more;
    // SAFETY: a NUL-ended string; the descriptor that comes back is ours alone.
    unsafe {
        let descriptor = libc::syscall(libc::SYS_open_tree, folder, target.as_ptr(), flags);
        check(descriptor, "picking up", path)?;
        Ok(OwnedFd::from_raw_fd(i32::try_from(descriptor).unwrap_or(-1)))
    }
}

/// Places what stands at one path above another, without what is mounted below it.
pub(super) fn place_one(from: &Path, at: &Path) -> Outcome {
    let (from, target) = (c_path(from)?, c_path(at)?);
    let none = std::ptr::null();
    // SAFETY: NUL-ended strings that live through the call.
    let result = unsafe { libc::mount(from.as_ptr(), target.as_ptr(), none, libc::MS_BIND, none.cast()) };
    check(i64::from(result), "placing", at)
}

const FROM_DESCRIPTOR: u32 = 0x4;
const ONTO_DESCRIPTOR: u32 = 0x40;

pub(super) fn place(tree: &OwnedFd, at: &Path) -> Outcome {
    let target = c_path(at)?;
    check(moved(tree, libc::AT_FDCWD, &target, FROM_DESCRIPTOR), "placing", at)
}

/// The same for a place that is open already; `path` is for the text if that fails.
pub(super) fn place_above(tree: &OwnedFd, at: &OwnedFd, path: &Path) -> Outcome {
    check(moved(tree, at.as_raw_fd(), c"", FROM_DESCRIPTOR | ONTO_DESCRIPTOR), "placing", path)
}

fn moved(tree: &OwnedFd, folder: i32, target: &CStr, flags: u32) -> i64 {
    // SAFETY: an open descriptor and NUL-ended strings.
    unsafe {
        libc::syscall(libc::SYS_move_mount, tree.as_raw_fd(), c"".as_ptr(), folder, target.as_ptr(), flags)
    }
}

#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

pub(super) const READ_ONLY: u64 = 0x1;
pub(super) const NO_SETUID: u64 = 0x2;
pub(super) const NO_DEVICES: u64 = 0x4;

/// Changes what may be done with what is mounted at a path.
pub(super) fn change(at: &Path, depth: Depth, set: u64, clear: u64) -> Outcome {
    changed((libc::AT_FDCWD, &c_path(at)?), depth.flag(), (set, clear), at)
}

/// The same for what was picked up and is placed nowhere yet; `path` is for the text if that fails.
pub(super) fn change_tree(tree: &OwnedFd, depth: Depth, change: (u64, u64), path: &Path) -> Outcome {
    changed((tree.as_raw_fd(), c""), depth.flag() | libc::AT_EMPTY_PATH as u32, change, path)
}

fn changed((folder, target): (i32, &CStr), flags: u32, (set, clear): (u64, u64), at: &Path) -> Outcome {
    let attributes = Attributes { set, clear, propagation: 0, user_namespace: 0 };
    // SAFETY: a NUL-ended string and a struct of the size that is named.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            folder,
            target.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    check(result, "changing", at)
}
