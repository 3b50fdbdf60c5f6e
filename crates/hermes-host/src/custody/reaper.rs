//! Tells when a child has ended, beside other things that are waited for.

use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};

/// Only for a process that starts no other any more: what it started would not hear of its own children's ends.
pub(super) struct Children(OwnedFd);

impl Children {
    /// Ends from before are not told.
    pub(super) fn watch() -> Option<Self> {
        // SAFETY: a set that is emptied before it is used; the descriptor that comes back is ours alone.
        unsafe {
            let mut ends: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut ends);
            libc::sigaddset(&raw mut ends, libc::SIGCHLD);
            libc::sigprocmask(libc::SIG_BLOCK, &raw const ends, std::ptr::null_mut());
            let told = libc::signalfd(-1, &raw const ends, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
            (told >= 0).then(|| Children(OwnedFd::from_raw_fd(told)))
        }
    }

    /// Whoever was told looks for all that have ended.
    pub(super) fn heard(&self) {
        let mut told = [0; size_of::<libc::signalfd_siginfo>()];
        while rustix::io::read(&self.0, &mut told).is_ok() {}
    }
}

impl AsFd for Children {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
