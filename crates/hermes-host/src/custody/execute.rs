//! Forks the program itself: streams, session, folder, then the new image.

use std::ffi::{CStr, CString, c_char};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;

use super::confine::{drop_privileges, fence, fenceable, filter};
use super::limits;
use super::order::Order;
use crate::process::Confinement;

/// What the program is put behind before it begins.
#[derive(Clone, Copy)]
pub(super) enum Walls<'a> {
    None,
    Fenced(&'a Confinement),
    Sealed(&'a Confinement),
}

/// Starts the program as a child of this process. An error says why it is not there.
pub(super) fn execute(order: &Order, streams: [i32; 3], walls: Walls<'_>) -> Result<Pid, String> {
    let (failure, report) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| error.to_string())?;
    // SAFETY: one thread, so the child may do what it likes.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        become_program(order, streams, walls, &report);
    }
    drop(report);
    let pid =
        Pid::from_raw(pid).filter(|_| pid > 0).ok_or_else(|| std::io::Error::last_os_error().to_string())?;
    let mut reason = Vec::new();
    let _ = File::from(failure).read_to_end(&mut reason);
    if reason.is_empty() {
        return Ok(pid);
    }
    let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
    Err(String::from_utf8_lossy(&reason).into_owned())
}

/// Never returns. What goes wrong is written to `report`, which closes by itself when all is well.
fn become_program(order: &Order, streams: [i32; 3], walls: Walls<'_>, report: &OwnedFd) -> ! {
    let prepared = prepare(order.pty, streams)
        .and_then(|()| without_privileges(order, walls))
        .and_then(|()| enter(order))
        .and_then(|()| behind(walls));
    let reason = prepared.map_or_else(|reason| reason, |()| image(order));
    // SAFETY: `report` is open, `reason` is valid for its length; then the process ends.
    unsafe {
        libc::write(report.as_raw_fd(), reason.as_ptr().cast(), reason.len());
        libc::_exit(127)
    }
}

fn prepare(pty: bool, streams: [i32; 3]) -> Result<(), String> {
    // SAFETY: plain system calls of a process with one thread.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::setsid();
        for (descriptor, stream) in (0..).zip(streams) {
            if libc::dup2(stream, descriptor) < 0 {
                return Err(std::io::Error::last_os_error().to_string());
            }
        }
        if pty {
            libc::ioctl(0, libc::TIOCSCTTY, 0);
        }
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        // Every other descriptor closes when the program begins.
        libc::close_range(3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC as i32);
    }
    Ok(())
}

fn without_privileges(order: &Order, walls: Walls<'_>) -> Result<(), String> {
    limits::apply(&order.limits);
    match walls {
        Walls::None => Ok(()),
        Walls::Fenced(_) | Walls::Sealed(_) => drop_privileges(),
    }
}

fn enter(order: &Order) -> Result<(), String> {
    std::env::set_current_dir(order.cwd())
        .map_err(|error| format!("its working folder {}: {error}", order.cwd().display()))
}

/// Last of all: behind these walls much of the above would fail.
fn behind(walls: Walls<'_>) -> Result<(), String> {
    match walls {
        Walls::None => Ok(()),
        Walls::Fenced(confinement) => {
            fence(confinement, false)?;
            filter(confinement, false)
        }
        Walls::Sealed(confinement) => {
            // An extra behind the view; a kernel without Landlock does without.
            if fenceable() {
                fence(confinement, true)?;
            }
            filter(confinement, !confinement.network)
        }
    }
}

/// Replaces the process by the program; returns only with the reason why it could not.
fn image(order: &Order) -> String {
    let Some(name) = order.argv.first() else { return "the command is empty".to_owned() };
    let argv = pointers(&order.argv);
    let env = pointers(&order.env);
    let mut reason = "it is not on the PATH".to_owned();
    for candidate in candidates(name, &order.env) {
        // SAFETY: NUL-ended strings in arrays that end with a null pointer, alive until the call returns.
        unsafe { libc::execve(candidate.as_ptr(), argv.as_ptr(), env.as_ptr()) };
        let error = std::io::Error::last_os_error();
        if !matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR)) {
            reason = error.to_string();
        } else if name.to_bytes().contains(&b'/') {
            reason = format!("{error} (the program or its interpreter)");
        }
    }
    reason
}

/// Where the program may be: its own path, or its name in every folder of the program's `PATH`.
fn candidates(name: &CStr, env: &[CString]) -> Vec<CString> {
    if name.to_bytes().contains(&b'/') {
        return vec![name.to_owned()];
    }
    let path = env.iter().find_map(|pair| pair.to_bytes().strip_prefix(b"PATH=")).unwrap_or_default();
    path.split(|byte| *byte == b':')
        // An empty entry means the working folder, where a program must not come from by accident.
        .filter(|folder| folder.starts_with(b"/"))
        .filter_map(|folder| CString::new([folder, b"/", name.to_bytes()].concat()).ok())
        .collect()
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}
