//! Under what bounds a process runs, and with how much of the machine. A program without walls may change that of any
//! custodian, and whatever that one started next would run under it.

use rustix::process::{Resource, getrlimit};
use rustix::thread::{CpuSet, sched_getaffinity};

/// What others can change of this process from outside, and a program that it starts would inherit.
#[derive(PartialEq, Eq)]
pub(super) struct Circumstances {
    bounds: [(Option<u64>, Option<u64>); BOUNDS.len()],
    processors: Option<CpuSet>,
    scheduling: Scheduling,
    told: [Option<Vec<u8>>; TOLD.len()],
}

/// How soon it is ended where memory runs short, what is written down of it where it fails, and its groups.
const TOLD: [&str; 3] = ["/proc/self/oom_score_adj", "/proc/self/coredump_filter", "/proc/self/cgroup"];

const BOUNDS: [Resource; 16] = [
    Resource::Cpu,
    Resource::Fsize,
    Resource::Data,
    Resource::Stack,
    Resource::Core,
    Resource::Rss,
    Resource::Nproc,
    Resource::Nofile,
    Resource::Memlock,
    Resource::As,
    Resource::Locks,
    Resource::Sigpending,
    Resource::Msgqueue,
    Resource::Nice,
    Resource::Rtprio,
    Resource::Rttime,
];

impl Circumstances {
    pub(super) fn now() -> Self {
        let bound = |which| {
            let bound = getrlimit(which);
            (bound.current, bound.maximum)
        };
        Circumstances {
            bounds: BOUNDS.map(bound),
            processors: sched_getaffinity(None).ok(),
            scheduling: scheduling(),
            told: TOLD.map(|file| std::fs::read(file).ok()),
        }
    }
}

/// Longer than all that the kernel tells of how a process takes turns.
const TURNS: usize = 128;

/// How a process takes turns, of reading and writing too, how exactly it is woken, and the keys at hand.
#[derive(PartialEq, Eq)]
struct Scheduling {
    turns: [u8; TURNS],
    rest: [i64; 3],
}

fn scheduling() -> Scheduling {
    const WHO_IS_A_PROCESS: i32 = 1;
    const OWN: i32 = 0;
    const KEYS_OF_WHICH: i32 = 0;
    const KEYS_OF_THE_SESSION: i32 = -3;
    let mut turns = [0; TURNS];
    // SAFETY: system calls that only tell, the first one into memory that is as long as it is told; a number that is none
    // tells that there is nothing to tell.
    let rest = unsafe {
        libc::syscall(libc::SYS_sched_getattr, OWN, turns.as_mut_ptr(), TURNS, 0);
        [
            libc::syscall(libc::SYS_ioprio_get, WHO_IS_A_PROCESS, OWN),
            i64::from(libc::prctl(libc::PR_GET_TIMERSLACK, 0, 0, 0, 0)),
            libc::syscall(libc::SYS_keyctl, KEYS_OF_WHICH, KEYS_OF_THE_SESSION, 0),
        ]
    };
    Scheduling { turns, rest }
}
