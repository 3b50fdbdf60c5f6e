//! Open descriptors on their way from one process to another.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::io::{Errno, Result};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// Sends descriptors, of which there are at most four. Never waits: `AGAIN` where too much is on its way already.
pub(crate) fn send(socket: impl AsFd, descriptors: &[BorrowedFd<'_>]) -> Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(descriptors));
    // Descriptors travel with at least one byte.
    sendmsg(socket, &[IoSlice::new(b"!")], &mut ancillary, SendFlags::NOSIGNAL | SendFlags::DONTWAIT)
        .map(|_| ())
}

/// Whether the other side has taken everything that was sent.
pub(crate) fn is_all_taken(socket: impl AsFd) -> bool {
    let mut waiting: libc::c_int = 0;
    // SAFETY: the kernel writes one number, which lives as long as the call.
    let told = unsafe { libc::ioctl(socket.as_fd().as_raw_fd(), libc::TIOCOUTQ, &raw mut waiting) };
    told == 0 && waiting == 0
}

/// What came.
pub(super) enum Received<const COUNT: usize> {
    Set([OwnedFd; COUNT]),
    /// Something that cannot be used: most often because this process may not have so many open.
    Broken,
    /// The other side is gone.
    Nothing,
}

impl<const COUNT: usize> Received<COUNT> {
    pub(super) fn set(self) -> Option<[OwnedFd; COUNT]> {
        match self {
            Received::Set(set) => Some(set),
            Received::Broken | Received::Nothing => None,
        }
    }
}

/// The next set of so many.
pub(super) fn receive<const COUNT: usize>(socket: impl AsFd) -> Received<COUNT> {
    loop {
        let mut byte = [0];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let into = &mut [IoSliceMut::new(&mut byte)];
        match recvmsg(&socket, into, &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Ok(message) if message.bytes == 0 => return Received::Nothing,
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return Received::Broken,
        }
        let handed = ancillary.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        });
        let set = handed.flatten().collect::<Vec<OwnedFd>>().try_into();
        return set.map_or(Received::Broken, Received::Set);
    }
}
