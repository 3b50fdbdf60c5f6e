//! A network namespace of one's own has a loopback that is down; programs that talk to themselves need it up.

/// Brings it up. Without it there is less network, never more, so a failure is no danger.
pub(in crate::custody) fn bring_up() {
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
