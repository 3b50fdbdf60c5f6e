//! Programs that run as somebody else: none may be made. Where Hermes is root, a file that a command gives the setuid bit
//! to would hand its powers to whoever finds it later, outside of every wall.

use libc::{BPF_ALU, BPF_AND, BPF_JEQ, BPF_K, sock_filter};

use super::filter::{REFUSE, UNKNOWN};
use super::steps::{answer, jump, load, statement};

/// Setuid and setgid.
const SPECIAL: u32 = 0o6000;
/// Only then a mode is given.
const CREATES: i32 = libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY);

/// The lower halves of the arguments.
const SECOND: u32 = 24;
const THIRD: u32 = 32;
const FOURTH: u32 = 40;

/// Each call that gives a file a mode, and what is looked at.
pub(super) fn special_modes() -> Vec<(i64, Vec<sock_filter>)> {
    let mut calls = vec![
        (libc::SYS_fchmod, refuse_in(SECOND)),
        (libc::SYS_fchmodat, refuse_in(THIRD)),
        (libc::SYS_fchmodat2, refuse_in(THIRD)),
        (libc::SYS_mknodat, refuse_in(THIRD)),
        (libc::SYS_openat, refuse_new(THIRD, FOURTH)),
        // Its mode cannot be seen; programs fall back to the call above.
        (libc::SYS_openat2, vec![answer(UNKNOWN)]),
    ];
    #[cfg(target_arch = "x86_64")]
    calls.extend([
        (libc::SYS_chmod, refuse_in(SECOND)),
        (libc::SYS_creat, refuse_in(SECOND)),
        (libc::SYS_mknod, refuse_in(SECOND)),
        (libc::SYS_open, refuse_new(SECOND, THIRD)),
    ]);
    calls
}

fn refuse_in(mode: u32) -> Vec<sock_filter> {
    vec![load(mode), masked(SPECIAL), jump(BPF_JEQ, 0, 1, 0), answer(REFUSE)]
}

fn refuse_new(flags: u32, mode: u32) -> Vec<sock_filter> {
    let steps = refuse_in(mode);
    let over = u8::try_from(steps.len()).unwrap_or(u8::MAX);
    let creates = [load(flags), masked(CREATES.cast_unsigned()), jump(BPF_JEQ, 0, over, 0)];
    creates.into_iter().chain(steps).collect()
}

fn masked(bits: u32) -> sock_filter {
    statement(BPF_ALU | BPF_AND | BPF_K, bits)
}
