//! Tells when something that matters changes, once for a burst of changes. What else happens in the same folders is
//! not told: a folder of logs never rests, and a file would be read while it is being written.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;

use crate::trail::trail;

/// Silence that ends a burst.
const QUIET: Duration = Duration::from_millis(200);
/// A burst is reported after this long, silent or not.
const LONGEST_BURST: Duration = Duration::from_secs(1);

/// What is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    folders: BTreeMap<PathBuf, Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Everything,
    Names(BTreeSet<OsString>),
}

impl Watched {
    /// This file, and every name on the way to it, so that an exchanged folder or link shows.
    pub fn file(&mut self, path: &Path) {
        for (folder, name) in trail(path) {
            if let Part::Names(names) =
                self.folders.entry(folder).or_insert_with(|| Part::Names(BTreeSet::new()))
            {
                names.insert(name);
            }
        }
    }

    /// Everything right in this folder, and the way to it.
    pub fn folder(&mut self, path: &Path) {
        self.file(path);
        self.folders.insert(path.to_owned(), Part::Everything);
    }

    fn concerns(&self, path: &Path) -> bool {
        let in_folder = path.parent().zip(path.file_name()).is_some_and(|(folder, name)| {
            match self.folders.get(folder) {
                Some(Part::Everything) => true,
                Some(Part::Names(names)) => names.contains(name),
                None => false,
            }
        });
        in_folder || self.folders.contains_key(path)
    }
}

/// Which folder a path leads to: another one of the same name is another one.
type Identity = (u64, u64, Option<SystemTime>);

/// Watches until it is dropped.
pub struct Watch {
    watcher: RecommendedWatcher,
    watched: Arc<RwLock<Watched>>,
    folders: BTreeMap<PathBuf, Identity>,
    changes: mpsc::Receiver<()>,
}

impl Watch {
    pub fn new() -> Result<Self, String> {
        let (sender, changes) = mpsc::channel(1);
        let watched = Arc::new(RwLock::new(Watched::default()));
        let wanted = Arc::clone(&watched);
        let concerns = move |event: &notify::Event| {
            let wanted = wanted.read().unwrap_or_else(PoisonError::into_inner);
            // An event without a path says that others were lost.
            event.paths.is_empty() || event.paths.iter().any(|path| wanted.concerns(path))
        };
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading a file is no change, and one note of a change is enough.
            if event.is_ok_and(|event| !event.kind.is_access() && concerns(&event)) {
                let _ = sender.try_send(());
            }
        });
        let watcher = watcher.map_err(|error| error.to_string())?;
        Ok(Watch { watcher, watched, folders: BTreeMap::new(), changes })
    }

    /// Watches exactly this from now on; a folder that is not there is left out. True if any of the folders was
    /// not watched before, so that what happened in it until now was not told.
    pub fn set(&mut self, watched: Watched) -> bool {
        let present = watched.folders.keys().filter_map(|folder| Some((folder.clone(), identity(folder)?)));
        let present: BTreeMap<PathBuf, Identity> = present.collect();
        *self.watched.write().unwrap_or_else(PoisonError::into_inner) = watched;
        let watcher = &mut self.watcher;
        self.folders.retain(|folder, known| {
            let kept = present.get(folder) == Some(known);
            if !kept {
                let _ = watcher.unwatch(folder);
            }
            kept
        });
        let mut more = false;
        for (folder, identity) in present {
            if !self.folders.contains_key(&folder)
                && watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok()
            {
                self.folders.insert(folder, identity);
                more = true;
            }
        }
        more
    }

    /// Waits for the end of the next burst of changes.
    pub async fn changed(&mut self) {
        if self.changes.recv().await.is_none() {
            // Without a watcher there is nothing to wait for, ever.
            std::future::pending::<()>().await;
        }
        let _ = tokio::time::timeout(LONGEST_BURST, async {
            while tokio::time::timeout(QUIET, self.changes.recv()).await.is_ok() {}
        })
        .await;
    }
}

/// None where there is no folder. Numbers of files are given out again; the time of birth is not.
fn identity(folder: &Path) -> Option<Identity> {
    let meta = std::fs::metadata(folder).ok().filter(std::fs::Metadata::is_dir)?;
    Some((meta.dev(), meta.ino(), meta.created().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_asked_about_is_not_told() {
        let mut watched = Watched::default();
        watched.file(Path::new("/nowhere/project/tools.yaml"));
        watched.folder(Path::new("/nowhere/plugins/p"));
        for (path, told) in [
            ("/nowhere/project/tools.yaml", true),
            ("/nowhere/project/build.log", false),
            ("/nowhere/project", true),
            ("/nowhere/other", false),
            ("/nowhere/plugins/p/anything", true),
            ("/nowhere/plugins/q", false),
        ] {
            assert_eq!(watched.concerns(Path::new(path)), told, "{path}");
        }
    }
}
