//! What a replaced file hands on to its successor: owner, mode, access list, user attributes.

use std::os::fd::AsFd;

use rustix::fs::{
    Gid, Mode, Stat, Timespec, Timestamps, UTIME_OMIT, Uid, XattrFlags, fchmod, fchown, fgetxattr,
    fgetxattr_query, flistxattr, flistxattr_query, fsetxattr, futimens,
};
use rustix::io::Result;

/// An access list widens or narrows what the mode says, so it must travel with the mode.
const ACCESS_LIST: &[u8] = b"system.posix_acl_access";

/// Makes `new` look like `old`, as far as this user may. `stat` describes `old`.
pub(super) fn hand_on(stat: &Stat, old: Option<impl AsFd>, new: impl AsFd) -> Result<()> {
    give(&new, (stat.st_uid, stat.st_gid));
    // Set-user-id and set-group-id are dropped: the kernel drops them too when content changes.
    fchmod(&new, Mode::from_raw_mode(stat.st_mode & 0o1777))?;
    if let Some(old) = old {
        // Best effort: many file systems have no attributes at all.
        let _ = copy_attributes(old, new);
    }
    Ok(())
}

/// Gives a file to a user and a group. Only a privileged process can give files away; without that it stays ours, as
/// with any editor that saves by rename, and goes to the group if that is one of ours.
pub(super) fn give(file: impl AsFd, (user, group): (u32, u32)) {
    let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
    if fchown(&file, Some(user), Some(group)).is_err() {
        let _ = fchown(&file, None, Some(group));
    }
}

/// Sets when a file or folder was changed last. Best effort: a time that the disk cannot hold is not worth a failure.
pub(super) fn date(file: impl AsFd, modified: Option<i64>) {
    let Some(seconds) = modified else { return };
    let kept = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    let last_modification = Timespec { tv_sec: seconds, tv_nsec: 0 };
    let _ = futimens(file, &Timestamps { last_access: kept, last_modification });
}

fn copy_attributes(old: impl AsFd, new: impl AsFd) -> Result<()> {
    let mut names = vec![0; flistxattr_query(&old)?];
    let length = flistxattr(&old, &mut names)?;
    names.truncate(length);
    for name in names.split(|byte| *byte == 0) {
        if name == ACCESS_LIST || name.starts_with(b"user.") {
            let mut value = vec![0; fgetxattr_query(&old, name)?];
            let length = fgetxattr(&old, name, &mut value)?;
            value.truncate(length);
            fsetxattr(&new, name, &value, XattrFlags::empty())?;
        }
    }
    Ok(())
}
