//! What was found out about the paths that calls named last: a piece of work comes back to the same few files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, TryLockError};

use crate::paths::{PathOp, PathVerdict};

/// Paths that are remembered, few enough to look at each.
const MOST: usize = 8;

/// Judgements of one policy, which do not change while it stands.
#[derive(Debug, Default)]
pub(crate) struct JudgedPaths(Mutex<Ring>);

#[derive(Debug, Default)]
struct Ring {
    judged: Vec<Judged>,
    /// Which goes next.
    oldest: usize,
}

#[derive(Debug)]
struct Judged {
    path: PathBuf,
    cwd: PathBuf,
    op: PathOp,
    verdict: PathVerdict,
}

impl Judged {
    /// Spelled alike: to compare paths name by name takes longer, and misses nothing worth it.
    fn is_of(&self, path: &Path, op: PathOp, cwd: &Path) -> bool {
        self.op == op && self.path.as_os_str() == path.as_os_str() && self.cwd.as_os_str() == cwd.as_os_str()
    }
}

impl JudgedPaths {
    /// The verdict on a path, found out by `judge` where it is not known.
    pub(crate) fn verdict(
        &self,
        path: &Path,
        op: PathOp,
        cwd: &Path,
        judge: impl FnOnce() -> PathVerdict,
    ) -> PathVerdict {
        // Whoever would have to wait for it is quicker without it.
        let mut ring = match self.0.try_lock() {
            Ok(ring) => ring,
            Err(TryLockError::Poisoned(ring)) => ring.into_inner(),
            Err(TryLockError::WouldBlock) => return judge(),
        };
        if let Some(known) = ring.judged.iter().find(|known| known.is_of(path, op, cwd)) {
            return known.verdict.clone();
        }
        let verdict = judge();
        let judged = Judged { path: path.to_owned(), cwd: cwd.to_owned(), op, verdict: verdict.clone() };
        let oldest = ring.oldest;
        match ring.judged.get_mut(oldest) {
            Some(place) => *place = judged,
            None => ring.judged.push(judged),
        }
        ring.oldest = (oldest + 1) % MOST;
        verdict
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use hermes_core::Verdict;

    use super::*;

    #[test]
    fn a_path_is_judged_once_for_each_operation_and_folder() {
        let (judged, count) = (JudgedPaths::default(), Cell::new(0));
        let ask = |path: &str, op, cwd: &str| {
            let verdict = || {
                count.set(count.get() + 1);
                PathVerdict::of(Verdict::Ask, path, format!("{op:?} in {cwd}"))
            };
            judged.verdict(Path::new(path), op, Path::new(cwd), verdict)
        };
        let questions = [
            ("/a", PathOp::Read, "/"),
            ("/a", PathOp::Write, "/"),
            ("/a", PathOp::Read, "/b"),
            ("/b", PathOp::Read, "/"),
        ];
        for _ in 0..3 {
            for (path, op, cwd) in questions {
                let verdict = ask(path, op, cwd);
                assert_eq!(verdict.category(), Some(path));
                assert_eq!(verdict.reason(), Some(format!("{op:?} in {cwd}").as_str()));
            }
        }
        assert_eq!(count.get(), questions.len());
        for number in 0..MOST {
            ask(&format!("/{number}"), PathOp::Read, "/");
        }
        ask("/a", PathOp::Read, "/");
        assert_eq!(count.get(), questions.len() + MOST + 1, "what was asked about long ago is judged again");
    }
}
