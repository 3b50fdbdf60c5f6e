//! The system call filter: what no command of an agent needs and every escape begins with.
//!
//! A short program for the kernel, written out by hand: refuse other architectures, refuse the calls of the
//! list and those that came after it was made, look at the arguments of a few. A lease on a file that may only be read would
//! keep everybody else waiting who opens it, for the better part of a minute.

use libc::{BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_K, sock_filter};

use super::mount_calls::Outcome;
use super::sockets::{families, sockets};
use super::special_modes::special_modes;
use super::steps::{answer, decide, jump, load, statement};
use crate::process::Confinement;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
/// On x86-64 the same calls exist a second time above this number.
const SECOND_TABLE: u32 = 0x4000_0000;

/// The first call that nobody has looked at yet: kernels to come have more of them. On all machines the same number.
const NEWER: u32 = 463;

const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;
pub(super) const REFUSE: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
/// A C library that is told this falls back to the older call, whose arguments can be seen.
pub(super) const UNKNOWN: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();

/// Offsets of what the kernel shows: number, architecture, and the lower halves of the arguments.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
pub(super) const FIRST_ARGUMENT: u32 = 16;
pub(super) const SECOND_ARGUMENT: u32 = 24;

const REFUSED: &[i64] = &[
    // Other ways to do I/O and to reach files, past every check.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // The view of the file system.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Namespaces.
    libc::SYS_unshare,
    libc::SYS_setns,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_nfsservctl,
    libc::SYS_lookup_dcookie,
    // Keys of other sessions.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// Namespaces asked for by `clone`.
const SPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Typing into a terminal in somebody's name.
const TYPING: &[u32] = &[libc::TIOCSTI as u32, libc::TIOCLINUX as u32];

/// Filters the calls of this process and all it starts. `own_network`: a network namespace keeps the
/// network away, so sockets may be made.
pub(in crate::custody) fn filter(confinement: &Confinement, own_network: bool) -> Outcome {
    let program = program(&families(confinement, own_network));
    let length = u16::try_from(program.len()).map_err(|_| "the filter is too long".to_owned())?;
    let filter = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    // SAFETY: the struct names a program that lives through the call, by its length.
    let result =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const filter) };
    if result == 0 { Ok(()) } else { Err(format!("system call filter: {}", std::io::Error::last_os_error())) }
}

fn program(families: &[u32]) -> Vec<sock_filter> {
    let mut program = vec![load(ARCH), jump(BPF_JEQ, ARCHITECTURE, 1, 0), answer(KILL), load(NUMBER)];
    // Programs do without what older kernels do not have.
    program.extend([jump(BPF_JGE, NEWER, 0, 3), jump(BPF_JGE, SECOND_TABLE, 0, 1)]);
    program.extend([answer(REFUSE), answer(UNKNOWN)]);
    program.extend(decide(&rules(families)));
    program
}

/// The calls that are not simply allowed, sorted, each with the steps that decide on it. What they do not answer is
/// allowed.
fn rules(families: &[u32]) -> Vec<(u32, Vec<sock_filter>)> {
    let spaces = vec![
        load(FIRST_ARGUMENT),
        statement(BPF_ALU | BPF_AND | BPF_K, SPACES.cast_unsigned()),
        jump(BPF_JEQ, 0, 1, 0),
        answer(REFUSE),
    ];
    let lease =
        vec![load(SECOND_ARGUMENT), jump(BPF_JEQ, libc::F_SETLEASE.unsigned_abs(), 0, 1), answer(REFUSE)];
    let mut typing = vec![load(SECOND_ARGUMENT)];
    for request in TYPING {
        typing.extend([jump(BPF_JEQ, *request, 0, 1), answer(REFUSE)]);
    }
    // Whoever keeps the walls standing does so with files that it may open.
    let bounds = vec![load(FIRST_ARGUMENT), jump(BPF_JEQ, 0, 1, 0), answer(REFUSE)];
    let mut rules = vec![
        (libc::SYS_clone3, vec![answer(UNKNOWN)]),
        (libc::SYS_clone, spaces),
        (libc::SYS_fcntl, lease),
        (libc::SYS_ioctl, typing),
        (libc::SYS_prlimit64, bounds),
    ];
    rules.extend(sockets(families));
    rules.extend(special_modes());
    rules.extend(REFUSED.iter().map(|call| (*call, vec![answer(REFUSE)])));
    let mut rules: Vec<_> = rules.into_iter().map(|(call, steps)| (number(call), steps)).collect();
    rules.sort_by_key(|(call, _)| *call);
    rules
}

fn number(call: i64) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use libc::{BPF_ABS, BPF_JA, BPF_JMP, BPF_LD, BPF_RET, BPF_W};

    use super::super::steps::ALLOW;
    use super::*;

    /// What a program answers to a call, by going through its steps as the kernel does, and how many those are.
    fn verdict(program: &[sock_filter], call: u32, arguments: [u32; 6]) -> (u32, usize) {
        let (mut at, mut steps, mut value) = (0, 0, 0);
        loop {
            let step = program[at];
            let (code, k) = (u32::from(step.code), step.k);
            at += 1;
            steps += 1;
            match code {
                _ if code == BPF_RET | BPF_K => return (k, steps),
                _ if code == BPF_LD | BPF_W | BPF_ABS => {
                    value = match k {
                        NUMBER => call,
                        ARCH => ARCHITECTURE,
                        argument => arguments[(argument as usize - 16) / 8],
                    };
                }
                _ if code == BPF_ALU | BPF_AND | BPF_K => value &= k,
                _ if code == BPF_JMP | BPF_JA => at += k as usize,
                _ if code == BPF_JMP | BPF_JGE | BPF_K => {
                    at += usize::from(if value >= k { step.jt } else { step.jf });
                }
                _ if code == BPF_JMP | BPF_JEQ | BPF_K => {
                    at += usize::from(if value == k { step.jt } else { step.jf });
                }
                code => panic!("no such step: {code}"),
            }
        }
    }

    fn answers(call: i64, arguments: [u32; 6]) -> u32 {
        verdict(&program(&[libc::AF_INET.unsigned_abs()]), number(call), arguments).0
    }

    #[test]
    fn exactly_the_list_is_refused_whatever_the_arguments() {
        let program = program(&[]);
        let rules = rules(&[]);
        for call in 0..1_000 {
            let listed = REFUSED.iter().any(|refused| number(*refused) == call);
            let ruled = rules.iter().any(|(ruled, _)| *ruled == call);
            for argument in [0, 1, 0o6000, u32::MAX] {
                let (answer, _) = verdict(&program, call, [argument; 6]);
                match call {
                    NEWER.. => assert_eq!(answer, UNKNOWN, "{call}"),
                    _ if listed => assert_eq!(answer, REFUSE, "{call}"),
                    _ if !ruled => assert_eq!(answer, ALLOW, "{call}"),
                    _ => {}
                }
            }
        }
        assert_eq!(verdict(&program, SECOND_TABLE, [0; 6]).0, REFUSE);
        assert_eq!(verdict(&program, u32::MAX, [0; 6]).0, REFUSE);
    }

    #[test]
    fn some_calls_are_judged_by_their_arguments() {
        let space = libc::CLONE_NEWUSER.cast_unsigned();
        let stream = libc::SOCK_STREAM.unsigned_abs();
        let datagram = libc::SOCK_DGRAM.unsigned_abs();
        let (inet, unix) = (libc::AF_INET.unsigned_abs(), libc::AF_UNIX.unsigned_abs());
        let creates = libc::O_CREAT.cast_unsigned();
        let lease = libc::F_SETLEASE.unsigned_abs();
        for (call, arguments, expected) in [
            (libc::SYS_clone3, [0; 6], UNKNOWN),
            (libc::SYS_clone, [0; 6], ALLOW),
            (libc::SYS_clone, [space, 0, 0, 0, 0, 0], REFUSE),
            (libc::SYS_fcntl, [3, 1, 0, 0, 0, 0], ALLOW),
            (libc::SYS_fcntl, [3, lease, 0, 0, 0, 0], REFUSE),
            (libc::SYS_ioctl, [0, 0x5401, 0, 0, 0, 0], ALLOW),
            (libc::SYS_ioctl, [0, TYPING[0], 0, 0, 0, 0], REFUSE),
            (libc::SYS_ioctl, [0, TYPING[1], 0, 0, 0, 0], REFUSE),
            (libc::SYS_socket, [inet, stream, 0, 0, 0, 0], ALLOW),
            (libc::SYS_socket, [unix, stream, 0, 0, 0, 0], REFUSE),
            (libc::SYS_socketpair, [unix, stream, 0, 0, 0, 0], ALLOW),
            (libc::SYS_socketpair, [unix, datagram, 0, 0, 0, 0], REFUSE),
            (libc::SYS_prlimit64, [0, 7, 1, 0, 0, 0], ALLOW),
            (libc::SYS_prlimit64, [1, 7, 1, 0, 0, 0], REFUSE),
            (libc::SYS_fchmod, [3, 0o755, 0, 0, 0, 0], ALLOW),
            (libc::SYS_fchmod, [3, 0o4755, 0, 0, 0, 0], REFUSE),
            (libc::SYS_openat, [3, 0, 0, 0o4755, 0, 0], ALLOW),
            (libc::SYS_openat, [3, 0, creates, 0o755, 0, 0], ALLOW),
            (libc::SYS_openat, [3, 0, creates, 0o2755, 0, 0], REFUSE),
            (libc::SYS_openat2, [0; 6], UNKNOWN),
            (libc::SYS_read, [0; 6], ALLOW),
        ] {
            assert_eq!(answers(call, arguments), expected, "{call} {arguments:?}");
        }
    }

    /// Of two rules for one call only the first would be asked.
    #[test]
    fn there_is_one_rule_for_a_call() {
        let rules = rules(&[]);
        assert!(rules.is_sorted_by(|(one, _), (next, _)| one < next));
    }

    #[test]
    fn a_call_is_decided_in_few_steps() {
        let program = program(&[libc::AF_INET.unsigned_abs(), libc::AF_UNIX.unsigned_abs()]);
        let steps: usize = (0..NEWER).map(|call| verdict(&program, call, [0; 6]).1).sum();
        assert!(steps < 16 * NEWER as usize, "{steps} for {NEWER} calls");
    }
}
