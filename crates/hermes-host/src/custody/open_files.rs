//! How many files processes may have open. Descriptors that are on their way between processes of a user count against
//! whoever sends the next one, so a program that sends itself many could keep everybody else from handing any over.
//! Programs may therefore have half of what the keeper may, and everybody who hands over makes use of all of it.

use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What is usual here, before it was raised. None for everything.
static USUAL: AtomicU64 = AtomicU64::new(0);

/// This process may have as many as it may allow itself. Returns how many were usual before.
pub(crate) fn allow_all(usual: Option<u64>) -> Option<u64> {
    let bound = getrlimit(Resource::Nofile);
    let usual = usual.or(bound.current);
    USUAL.store(usual.unwrap_or(0), Ordering::Relaxed);
    let raised = Rlimit { current: bound.maximum, maximum: bound.maximum };
    // Where that cannot be, it stays as it was.
    let _ = setrlimit(Resource::Nofile, raised);
    usual
}

/// What a program may have, of which it may allow itself the second at most.
pub(super) fn of_program(most: Option<u64>) -> (u64, u64) {
    let half = getrlimit(Resource::Nofile).maximum.map_or(u64::MAX, |all| all.div_ceil(2));
    let maximum = most.map_or(half, |most| most.min(half));
    let usual = Some(USUAL.load(Ordering::Relaxed)).filter(|usual| *usual > 0);
    (usual.map_or(maximum, |usual| most.unwrap_or(usual).min(maximum)), maximum)
}
