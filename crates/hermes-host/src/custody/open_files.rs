//! How many files processes may have open. Descriptors that are on their way between processes of a user count against
//! whoever sends the next one, so a program that sends itself many could keep everybody else from handing any over.
//! Programs may therefore have a little less than the keeper may, and everybody who hands over makes use of all of it.

use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How many were usual before there were more. None for any number.
static USUAL: OnceLock<Option<u64>> = OnceLock::new();

/// More than one message can carry beyond what a process may send.
const LEAST_KEPT_BACK: u64 = 512;
const PART_KEPT_BACK: u64 = 16;

/// How many files a process may have open here, where nothing of ours has changed it.
pub(crate) fn usual() -> Option<u64> {
    *USUAL.get_or_init(|| getrlimit(Resource::Nofile).current)
}

/// In a process whose parent had raised its own bound, and tells what it was.
pub(super) fn were_usual(told: Option<u64>) {
    let _ = USUAL.set(told);
}

/// This process may have as many as it may allow itself.
pub(crate) fn allow_all() {
    usual();
    let most = getrlimit(Resource::Nofile).maximum;
    // Where that cannot be, it stays as it was.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most });
}

/// What a program may have, of which it may allow itself the second at most.
pub(super) fn of_program(most: Option<u64>) -> (u64, u64) {
    let all = getrlimit(Resource::Nofile).maximum.map_or(u64::MAX, programs_part);
    let maximum = most.map_or(all, |most| most.min(all));
    (usual().map_or(maximum, |usual| most.unwrap_or(usual).min(maximum)), maximum)
}

fn programs_part(all: u64) -> u64 {
    let kept_back = (all / PART_KEPT_BACK).max(LEAST_KEPT_BACK);
    all - kept_back.min(all / 2)
}

#[cfg(test)]
mod tests {
    use super::programs_part;

    #[test]
    fn programs_have_nearly_all_and_of_few_half() {
        assert_eq!([1024, 4096, 1 << 20].map(programs_part), [512, 3584, 983_040]);
        assert_eq!([0, 1, 3].map(programs_part), [0, 1, 2]);
    }
}
