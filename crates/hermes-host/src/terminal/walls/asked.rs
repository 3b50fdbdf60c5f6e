//! The rules as walls ask them: about each place once, since a judgement takes longer than everything else that is done
//! for a place.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hermes_core::ports::Conversation;
use hermes_core::{Access, Decision, Permission, Target, Verdict};

pub(super) struct Asked<'a> {
    rules: &'a dyn Conversation,
    written: RefCell<HashMap<PathBuf, Decision>>,
    read: RefCell<HashMap<PathBuf, Verdict>>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(rules: &'a dyn Conversation) -> Self {
        Asked { rules, written: RefCell::default(), read: RefCell::default() }
    }

    /// What holds for a file tool that would write there.
    pub(super) fn write(&self, path: &Path) -> Decision {
        let judge = || self.rules.decision(&about(Permission::FILE_WRITE, path));
        known(&self.written, path, judge)
    }

    /// What holds for one that would read there.
    pub(super) fn read(&self, path: &Path) -> Verdict {
        let judge = || self.rules.verdict(&about(Permission::FILE_READ, path));
        known(&self.read, path, judge)
    }

    pub(super) fn network(&self) -> Verdict {
        self.rules.verdict(&Access::any(Permission::NETWORK_FETCH))
    }
}

fn about(permission: Permission, path: &Path) -> Access {
    Access::new(permission, Target::Resolved(path.to_owned()))
}

fn known<T: Clone>(answers: &RefCell<HashMap<PathBuf, T>>, path: &Path, judge: impl FnOnce() -> T) -> T {
    if let Some(answer) = answers.borrow().get(path) {
        return answer.clone();
    }
    let answer = judge();
    answers.borrow_mut().insert(path.to_owned(), answer.clone());
    answer
}
