//! A network of one's own that leads nowhere.

use super::mount_calls::Outcome;

/// Leaves the network behind for one with nothing but a loopback.
pub(in crate::custody) fn leave_network() -> Outcome {
    // SAFETY: a plain system call.
    if unsafe { libc::unshare(libc::CLONE_NEWNET) } < 0 {
        return Err(format!("own network: {}", std::io::Error::last_os_error()));
    }
    bring_up();
    Ok(())
}

/// A new loopback is down; programs that talk to themselves need it up. Without it there is less network, never more,
/// so a failure is no danger.
fn bring_up() {
    // SAFETY: a struct of zeroes is a valid request; the name fits; the socket is closed again.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        if socket < 0 {
            return;
        }
        let mut request: libc::ifreq = std::mem::zeroed();
        for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
            *to = from.cast_signed();
        }
        request.ifr_ifru.ifru_flags = i16::try_from(libc::IFF_UP).unwrap_or_default();
        libc::ioctl(socket, libc::SIOCSIFFLAGS, &raw const request);
        libc::close(socket);
    }
}
