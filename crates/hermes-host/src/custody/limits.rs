//! Puts the bounds of one program on the process that becomes it.

use crate::process::Limits;

/// `grouped`: a control group counts the processes, and not those of the user that have nothing to do with this one.
pub(super) fn apply(limits: &Limits, grouped: bool) {
    set(libc::RLIMIT_CORE, Some(0));
    set(libc::RLIMIT_FSIZE, limits.file_bytes);
    set(libc::RLIMIT_NOFILE, limits.open_files);
    set(libc::RLIMIT_NPROC, limits.processes.filter(|_| !grouped));
    // What a process really fills, unlike its address space, of which some runtimes reserve a lot.
    set(libc::RLIMIT_DATA, limits.memory_bytes);
}

/// A bound can be lowered only, so one that is lower already stays.
fn set(which: libc::__rlimit_resource_t, value: Option<u64>) {
    let Some(value) = value else { return };
    // SAFETY: a struct that lives through both calls.
    unsafe {
        let mut bound = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::getrlimit(which, &raw mut bound) == 0 {
            let value = value.min(bound.rlim_max);
            let lowered = libc::rlimit { rlim_cur: value, rlim_max: value };
            libc::setrlimit(which, &raw const lowered);
        }
    }
}
