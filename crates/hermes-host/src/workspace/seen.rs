//! What each session has seen of files, so that it replaces nothing that others wrote after it looked.
//!
//! A session that read a file and then writes all of it anew has made the new text from the old one. If somebody else
//! changed the file in between, that change would be gone without anybody knowing. Whoever never read a file has made
//! nothing from it and replaces it as before. A change by the session's own commands counts as somebody else's: nobody
//! can tell who wrote what while a command ran, the session has not seen the result either, and being told costs one
//! call, while a wrong guess costs somebody's work.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::FileVersion;

/// Files that are remembered; beyond that those seen longest ago are forgotten.
const MOST: usize = 4_096;
/// Files that are kept between the processes of a session.
const MOST_KEPT: usize = 1_000;

/// A state of a file, by as much as is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeenState {
    version: Option<FileVersion>,
    sha256: Option<String>,
}

impl SeenState {
    pub(crate) fn of_version(version: FileVersion) -> Self {
        SeenState { version: Some(version), sha256: None }
    }

    pub(crate) fn of_hash(sha256: &str) -> Self {
        SeenState { version: None, sha256: Some(sha256.to_owned()) }
    }

    pub(super) fn with_version(self, version: FileVersion) -> Self {
        SeenState { version: Some(version), ..self }
    }

    pub(crate) fn with_hash(self, sha256: Option<&str>) -> Self {
        SeenState { sha256: sha256.map(str::to_owned).or(self.sha256), ..self }
    }

    /// Whether both are the same content, as far as can be told. A file that was only touched is the same; one that was
    /// changed twice within a tick of the kernel's clock is not, where hashes can tell.
    pub(crate) fn is_same(&self, other: &SeenState) -> bool {
        match (&self.sha256, &other.sha256) {
            (Some(own), Some(other)) => own == other,
            _ => self.version.is_some() && self.version == other.version,
        }
    }
}

/// One session's eyes: what it saw, and on which machine.
#[derive(Clone, Debug)]
pub(crate) struct Eyes {
    seen: SeenFiles,
    session: String,
    /// `None` for this machine.
    place: Option<String>,
}

impl Eyes {
    /// The session has seen the file in this state, or made it so.
    pub(crate) fn saw(&self, path: &Path, state: SeenState) {
        let mut memory = self.seen.lock();
        let at = memory.next;
        memory.next += 1;
        match memory.files.entry(self.key(path)) {
            Entry::Occupied(mut entry) => {
                let (known, seen_at) = entry.get_mut();
                // Who saw a page more of what is known knows no less of it.
                if state.sha256.is_some() || !known.is_same(&state) {
                    *known = state;
                }
                *seen_at = at;
            }
            Entry::Vacant(entry) => drop(entry.insert((state, at))),
        }
        if memory.files.len() > MOST {
            memory.forget_older_half();
        }
    }

    /// The last state that the session has seen.
    pub(crate) fn last(&self, path: &Path) -> Option<SeenState> {
        self.seen.lock().files.get(&self.key(path)).map(|(state, _)| state.clone())
    }

    /// Whether the session has seen the file, but not as it is now.
    pub(crate) fn missed(&self, path: &Path, now: &SeenState) -> bool {
        self.last(path).is_some_and(|last| !last.is_same(now))
    }

    pub(crate) fn forget(&self, path: &Path) {
        self.seen.lock().files.remove(&self.key(path));
    }

    fn key(&self, path: &Path) -> Key {
        (self.session.clone(), self.place.clone(), path.to_owned())
    }
}

/// One file as it is kept between processes.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    place: Option<String>,
    path: PathBuf,
    state: SeenState,
}

type Key = (String, Option<String>, PathBuf);

/// What all sessions have seen. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenFiles(Arc<Mutex<Memory>>);

#[derive(Debug, Default)]
struct Memory {
    files: HashMap<Key, (SeenState, u64)>,
    next: u64,
}

impl Memory {
    fn forget_older_half(&mut self) {
        let mut times: Vec<u64> = self.files.values().map(|(_, at)| *at).collect();
        times.sort_unstable();
        let middle = times.get(times.len() / 2).copied().unwrap_or(0);
        self.files.retain(|_, (_, at)| *at >= middle);
    }
}

impl SeenFiles {
    pub(crate) fn eyes(&self, session: &str, place: Option<String>) -> Eyes {
        Eyes { seen: self.clone(), session: session.to_owned(), place }
    }

    /// What a session has seen, for the next process that goes on with it; newest last.
    pub(crate) fn of_session(&self, session: &str) -> Value {
        let memory = self.lock();
        let own = memory.files.iter().filter(|((owner, ..), _)| owner == session);
        let mut own: Vec<(&Key, &(SeenState, u64))> = own.collect();
        own.sort_unstable_by_key(|(_, (_, at))| *at);
        let newest = own.split_off(own.len().saturating_sub(MOST_KEPT));
        let kept = newest.into_iter().filter_map(|((_, place, path), (state, _))| {
            // A name that is no text is not worth a notation of its own here.
            let kept = Kept { place: place.clone(), path: path.clone(), state: state.clone() };
            serde_json::to_value(kept).ok()
        });
        kept.collect()
    }

    /// Takes in what an earlier process of the session had seen. What is not understood is left out.
    pub(crate) fn resume(&self, session: &str, kept: Value) {
        let Value::Array(kept) = kept else { return };
        for kept in kept.into_iter().filter_map(|kept| serde_json::from_value::<Kept>(kept).ok()) {
            self.eyes(session, kept.place).saw(&kept.path, kept.state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_session_has_its_own_eyes_and_the_oldest_looks_are_forgotten() {
        let seen = SeenFiles::default();
        let (one, other) = (seen.eyes("one", None), seen.eyes("other", None));
        let elsewhere = seen.eyes("one", Some("ssh box".into()));
        let (old, new) = (SeenState::of_hash("old"), SeenState::of_hash("new"));
        let path = |number: usize| PathBuf::from(format!("/f{number}"));
        one.saw(&path(0), old.clone());
        assert!(one.missed(&path(0), &new) && !one.missed(&path(0), &old));
        assert!(!other.missed(&path(0), &new) && !elsewhere.missed(&path(0), &new));
        for number in 1..=MOST {
            one.saw(&path(number), old.clone());
        }
        assert_eq!(one.last(&path(0)), None);
        assert_eq!(one.last(&path(MOST)), Some(old));
        assert!(seen.lock().files.len() <= MOST);
    }
}
