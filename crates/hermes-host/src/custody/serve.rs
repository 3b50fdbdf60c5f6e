//! The keeper: has a custodian ready for whatever the runtime hands over next, until the runtime is gone.

use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio::stdin;

use super::custodian;

/// What comes with one request: the control socket and the three streams.
pub(super) struct Handed {
    pub(super) control: OwnedFd,
    pub(super) streams: [OwnedFd; 3],
}

/// Never returns.
pub(super) fn serve() -> ! {
    // SAFETY: a process with one thread; the handlers are the system's own.
    unsafe {
        // Out of the terminal's reach: an interrupt is the runtime's to handle.
        libc::setsid();
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        // Custodians report by their sockets; nobody waits for them.
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        // Programs must not look into the one that starts them.
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
    }
    while have_one_ready() {}
    // SAFETY: ends the process without running what `main` would have set up.
    unsafe { libc::_exit(0) }
}

/// What a waiting custodian says when the runtime is gone; anything else, also its death, calls for the next one.
const GONE: u8 = b'g';
const TAKEN: u8 = b't';

/// Forks a custodian that waits for work, and waits until it has some. Whether there can be more.
fn have_one_ready() -> bool {
    let Ok((told, tell)) = pipe_with(PipeFlags::CLOEXEC) else { return receive().is_some() };
    // SAFETY: one thread, so the child may do what it likes.
    match unsafe { libc::fork() } {
        0 => {
            drop(told);
            let handed = receive();
            let _ = rustix::io::write(&tell, &[if handed.is_some() { TAKEN } else { GONE }]);
            drop(tell);
            match handed {
                Some(handed) => custodian::keep(handed),
                // SAFETY: as at the end of the keeper.
                None => unsafe { libc::_exit(0) },
            }
        }
        // Whoever handed something over sees its control socket close.
        -1 => receive().is_some(),
        _ => {
            drop(tell);
            let mut word = [0];
            while let Err(rustix::io::Errno::INTR) = rustix::io::read(&told, &mut word) {}
            word != [GONE]
        }
    }
}

/// The next request; `None` once the runtime is gone.
fn receive() -> Option<Handed> {
    loop {
        let mut byte = [0];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let message =
            recvmsg(stdin(), &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::CMSG_CLOEXEC);
        match message {
            Ok(message) if message.bytes == 0 => return None,
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return None,
        }
        let mut handed = ancillary
            .drain()
            .filter_map(|message| match message {
                RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
                _ => None,
            })
            .flatten();
        let set = (handed.next(), handed.next(), handed.next(), handed.next());
        if let (Some(control), Some(stdin), Some(stdout), Some(stderr)) = set {
            return Some(Handed { control, streams: [stdin, stdout, stderr] });
        }
    }
}

impl Handed {
    pub(super) fn raw_streams(&self) -> [i32; 3] {
        let [stdin, stdout, stderr] = &self.streams;
        [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()]
    }
}
