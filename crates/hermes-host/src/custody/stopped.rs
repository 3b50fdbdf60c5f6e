//! Custodians that were stopped go on: a program without walls may stop its parent, and whatever waits for a word of
//! that one would wait for good, the keeper among it.

use std::ptr::null_mut;

/// In the keeper, which is the parent of them all. Those that end are nobody's to wait for: they report by their sockets.
pub(super) fn let_go_on() {
    let handler: extern "C" fn(libc::c_int) = wake;
    // SAFETY: a process with one thread; the handler only does what a handler may.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        // Told also of those that stop.
        action.sa_flags = libc::SA_NOCLDWAIT | libc::SA_RESTART;
        libc::sigaction(libc::SIGCHLD, &raw const action, null_mut());
    }
}

/// Right away, not when the keeper comes to it: it may wait for the very one that is stopped.
extern "C" fn wake(_: libc::c_int) {
    // SAFETY: system calls that a handler may make; whoever was interrupted finds the reason of his last failure.
    unsafe {
        let reason = *libc::__errno_location();
        loop {
            let mut which: libc::siginfo_t = std::mem::zeroed();
            let how = libc::WSTOPPED | libc::WNOHANG;
            if libc::waitid(libc::P_ALL, 0, &raw mut which, how) != 0 || which.si_pid() == 0 {
                break;
            }
            libc::kill(which.si_pid(), libc::SIGCONT);
        }
        *libc::__errno_location() = reason;
    }
}
