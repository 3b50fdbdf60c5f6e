//! A child that borrows our memory while we wait for it to become another program: nothing is copied, and what it
//! leaves in the memory we can read.

use std::ffi::c_void;
use std::io;

use rustix::process::Pid;

/// What the work may use; pages that are not touched cost nothing.
const STACK: usize = 256 * 1024;

/// Does the work in a child process, and goes on once that is another program or has ended. Only for a process with
/// one thread.
pub(super) fn child_in_place(mut work: &mut dyn FnMut()) -> io::Result<Pid> {
    let mut stack: Vec<u128> = Vec::with_capacity(STACK / size_of::<u128>());
    // SAFETY: the child runs on the stack made here, and this thread, the only one, stands still until the child
    // has given the memory back; so `work` and the stack live as long as it needs them. Descriptors, signal handlers
    // and the working folder are its own.
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(stack.capacity()).cast();
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        libc::clone(enter, top, flags, (&raw mut work).cast())
    };
    child(pid)
}

/// The child by what the call said that made it.
pub(super) fn child(made: libc::pid_t) -> io::Result<Pid> {
    let pid = if made > 0 { Pid::from_raw(made) } else { None };
    pid.ok_or_else(io::Error::last_os_error)
}

extern "C" fn enter(work: *mut c_void) -> libc::c_int {
    // SAFETY: what `child_in_place` handed over.
    let work = unsafe { &mut *work.cast::<&mut dyn FnMut()>() };
    work();
    127
}
