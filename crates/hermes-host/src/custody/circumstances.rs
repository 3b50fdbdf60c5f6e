//! Under what bounds a process runs, and with how much of the machine. A program without walls may change that of any
//! custodian, and whatever that one started next would run under it.

use rustix::process::{Resource, getpriority_process, getrlimit};
use rustix::thread::{CpuSet, sched_getaffinity};

/// What others can change of this process from outside, and a program that it starts would inherit.
#[derive(PartialEq, Eq)]
pub(super) struct Circumstances {
    bounds: [(Option<u64>, Option<u64>); BOUNDS.len()],
    nice: Option<i32>,
    processors: Option<CpuSet>,
    scheduling: [i64; 4],
    /// How soon it is ended where memory runs short.
    expendable: Option<Vec<u8>>,
    groups: Option<Vec<u8>>,
}

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
            nice: getpriority_process(None).ok(),
            processors: sched_getaffinity(None).ok(),
            scheduling: scheduling(),
            expendable: std::fs::read("/proc/self/oom_score_adj").ok(),
            groups: std::fs::read("/proc/self/cgroup").ok(),
        }
    }
}

/// Policy and urgency, those of reading and writing, and the keys at hand.
fn scheduling() -> [i64; 4] {
    const WHO_IS_A_PROCESS: i32 = 1;
    const OWN: i32 = 0;
    const KEYS_OF_WHICH: i32 = 0;
    const KEYS_OF_THE_SESSION: i32 = -3;
    // SAFETY: system calls that only tell; a number that is none tells that there is nothing to tell.
    unsafe {
        let mut urgency: libc::sched_param = std::mem::zeroed();
        libc::sched_getparam(0, &raw mut urgency);
        [
            i64::from(libc::sched_getscheduler(0)),
            i64::from(urgency.sched_priority),
            libc::syscall(libc::SYS_ioprio_get, WHO_IS_A_PROCESS, OWN),
            libc::syscall(libc::SYS_keyctl, KEYS_OF_WHICH, KEYS_OF_THE_SESSION, 0),
        ]
    }
}
