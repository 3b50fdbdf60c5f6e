//! Which sockets may be made: those of networks where there is one, or one of its own; local ones reach daemons and agents
//! that act for whoever asks them.

use libc::{BPF_ALU, BPF_AND, BPF_JEQ, BPF_K, sock_filter};

use super::filter::{FIRST_ARGUMENT, REFUSE, SECOND_ARGUMENT};
use super::steps::{ALLOW, answer, jump, load, statement};
use crate::process::Confinement;

/// The part of a socket's type that is no flag.
const SOCKET_TYPE: u32 = 0xf;

/// The kinds of sockets that may be made by themselves.
pub(super) fn families(confinement: &Confinement, own_network: bool) -> Vec<u32> {
    let mut families = Vec::new();
    if confinement.network || own_network {
        families.extend([libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK]);
    }
    if confinement.local_services {
        families.push(libc::AF_UNIX);
    }
    families.into_iter().map(i32::unsigned_abs).collect()
}

/// The calls that make them, each with the steps that decide on it.
pub(super) fn sockets(families: &[u32]) -> Vec<(i64, Vec<sock_filter>)> {
    let mut single = vec![load(FIRST_ARGUMENT)];
    for family in families {
        single.extend([jump(BPF_JEQ, *family, 0, 1), answer(ALLOW)]);
    }
    single.push(answer(REFUSE));
    let mut calls = vec![(libc::SYS_socket, single)];
    if !families.contains(&libc::AF_UNIX.unsigned_abs()) {
        calls.push((libc::SYS_socketpair, connected_pairs()));
    }
    calls
}

/// Of connected pairs those that cannot be told another end: a datagram may go to any address.
fn connected_pairs() -> Vec<sock_filter> {
    let mut steps = vec![load(SECOND_ARGUMENT), statement(BPF_ALU | BPF_AND | BPF_K, SOCKET_TYPE)];
    for kind in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET] {
        steps.extend([jump(BPF_JEQ, kind.unsigned_abs(), 0, 1), answer(ALLOW)]);
    }
    steps.push(answer(REFUSE));
    steps
}
