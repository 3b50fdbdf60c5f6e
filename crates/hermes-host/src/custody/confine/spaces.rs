//! Own namespaces: users, mounts, processes and messages; those of programs without a network come later.

use std::fs;

use rustix::process::Pid;

/// Which side of the fork we are on.
pub(in crate::custody) enum Clone {
    Parent(Pid),
    /// With the ids to map first, where there is a user namespace.
    Child(Option<Ids>),
}

/// The user and group of whoever runs us.
pub(in crate::custody) struct Ids((u32, u32));

/// Forks a child into namespaces of its own. With privileges no user namespace is needed, and without one
/// nothing inside can ever regain what it drops.
pub(in crate::custody) fn clone_into_spaces() -> Result<Clone, String> {
    let ids = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let mut spaces = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC;
    let privileged = may_mount();
    if !privileged {
        spaces |= libc::CLONE_NEWUSER;
    }
    match raw_clone(spaces) {
        -1 => Err(format!("own namespaces: {}", reason(&std::io::Error::last_os_error()))),
        0 => Ok(Clone::Child((!privileged).then_some(Ids(ids)))),
        pid => Pid::from_raw(pid).map(Clone::Parent).ok_or_else(|| "own namespaces: no process".to_owned()),
    }
}

/// Why there are none. The kernel has no word of its own for a limit that is reached.
fn reason(error: &std::io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOSPC) => "as many as user.max_user_namespaces allows are there".to_owned(),
        _ => error.to_string(),
    }
}

fn raw_clone(spaces: i32) -> i32 {
    let flags = i64::from(spaces | libc::SIGCHLD);
    // SAFETY: without a stack of its own the child goes on as after `fork`; there is one thread.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    i32::try_from(pid).unwrap_or(-1)
}

/// The ids stay what they are; no others exist inside.
pub(in crate::custody) fn map_ids(Ids((user, group)): Ids) -> Result<(), String> {
    // SAFETY: a plain system call. Whoever may not be looked into may not write its own maps either.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 1) };
    let write = |file: &str, text: String| {
        fs::write(format!("/proc/self/{file}"), text).map_err(|error| format!("own {file}: {error}"))
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{user} {user} 1"))?;
    write("gid_map", format!("{group} {group} 1"))
}

fn may_mount() -> bool {
    use rustix::thread::{CapabilitySet, capabilities};
    capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN))
}
