//! Puts the bounds of one program on the process that becomes it.

use super::open_files;
use crate::process::Limits;

/// `grouped`: a control group counts the processes, and not those of the user that have nothing to do with this one.
pub(super) fn apply(limits: &Limits, grouped: bool) {
    set(libc::RLIMIT_CORE, Some(0));
    set(libc::RLIMIT_FSIZE, limits.file_bytes);
    let (usual, most) = open_files::of_program(limits.open_files);
    set_both(libc::RLIMIT_NOFILE, usual, most);
    set(libc::RLIMIT_NPROC, limits.processes.filter(|_| !grouped));
    // What a process really fills, unlike its address space, of which some runtimes reserve a lot.
    set(libc::RLIMIT_DATA, limits.memory_bytes);
}

/// A bound can be lowered only, so one that is lower already stays.
fn set(which: libc::__rlimit_resource_t, value: Option<u64>) {
    if let Some(value) = value {
        set_both(which, value, value);
    }
}

fn set_both(which: libc::__rlimit_resource_t, value: u64, most: u64) {
    // SAFETY: a struct that lives through both calls.
    unsafe {
        let mut bound = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::getrlimit(which, &raw mut bound) == 0 {
            let most = most.min(bound.rlim_max);
            let lowered = libc::rlimit { rlim_cur: value.min(most), rlim_max: most };
            libc::setrlimit(which, &raw const lowered);
        }
    }
}
