//! Starts the program itself: streams, session, folder, then the new image.

use rustix::process::{Pid, WaitOptions, waitpid};

use super::confine::{drop_privileges, fence, filter, gain_no_privileges};
use super::group::Group;
use super::image::image;
use super::in_place::child_in_place;
use super::limits;
use super::order::Order;
use crate::process::Confinement;

/// What the program is put behind before it begins.
#[derive(Clone, Copy)]
pub(super) enum Walls<'a> {
    None,
    Fenced(&'a Confinement),
    /// In a view of its own.
    Sealed(&'a Confinement),
}

/// Starts the program as a child of this process. An error says why it is not there.
/// `group` is one for it to join.
pub(super) fn execute(
    order: &Order,
    streams: [i32; 3],
    walls: Walls<'_>,
    group: Option<&Group>,
) -> Result<Pid, String> {
    let mut failure = None;
    let pid = child_in_place(&mut || failure = Some(become_program(order, streams, walls, group)))
        .map_err(|error| error.to_string())?;
    match failure {
        // The child is the program now, and the line after that never ran.
        None => Ok(pid),
        Some(reason) => {
            let _ = waitpid(Some(pid), WaitOptions::empty());
            Err(reason)
        }
    }
}

/// Returns only what went wrong.
fn become_program(order: &Order, streams: [i32; 3], walls: Walls<'_>, group: Option<&Group>) -> String {
    let prepared = prepare(order, streams)
        .and_then(|()| group.map_or(Ok(()), |group| group.admit(None)))
        .and_then(|()| without_privileges(order, walls))
        .and_then(|()| enter(order))
        .and_then(|()| behind(walls));
    prepared.map_or_else(|reason| reason, |()| image(order))
}

/// What the program tells by.
const TOLD: i32 = 3;

fn prepare(order: &Order, [stdin, stdout, third]: [i32; 3]) -> Result<(), String> {
    let stderr = if order.tells { stdout } else { third };
    // Last, because any of the streams may have this number until then.
    let told = order.tells.then_some((third, TOLD));
    let first_closed = if order.tells { TOLD + 1 } else { TOLD };
    // SAFETY: plain system calls of a process with one thread.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::setsid();
        for (stream, descriptor) in [(stdin, 0), (stdout, 1), (stderr, 2)].into_iter().chain(told) {
            // One that has its number already keeps its flags.
            let placed = match stream == descriptor {
                true => libc::fcntl(stream, libc::F_SETFD, 0),
                false => libc::dup2(stream, descriptor),
            };
            if placed < 0 {
                return Err(std::io::Error::last_os_error().to_string());
            }
        }
        if order.pty {
            libc::ioctl(0, libc::TIOCSCTTY, 0);
        }
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        // Every other descriptor closes when the program begins.
        libc::close_range(first_closed.unsigned_abs(), u32::MAX, libc::CLOSE_RANGE_CLOEXEC as i32);
    }
    Ok(())
}

fn without_privileges(order: &Order, walls: Walls<'_>) -> Result<(), String> {
    limits::apply(&order.limits, order.grouped);
    match walls {
        Walls::None => Ok(()),
        // Whoever starts it can gain none any more.
        Walls::Sealed(_) => drop_privileges(),
        Walls::Fenced(_) => {
            gain_no_privileges();
            drop_privileges()
        }
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
            fence(confinement, true)?;
            filter(confinement, !confinement.network)
        }
    }
}
