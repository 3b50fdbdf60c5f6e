//! Tells when something in a folder changes, once for a burst of changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;

/// Silence that ends a burst.
const QUIET: Duration = Duration::from_millis(200);
/// A burst is reported after this long, silent or not.
const LONGEST_BURST: Duration = Duration::from_secs(1);

/// Watches folders until it is dropped.
pub struct Watch {
    watcher: RecommendedWatcher,
    folders: BTreeSet<PathBuf>,
    changes: mpsc::Receiver<()>,
}

impl Watch {
    pub fn new() -> Result<Self, String> {
        let (sender, changes) = mpsc::channel(1);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading a file is no change, and one note of a change is enough.
            if event.is_ok_and(|event| !event.kind.is_access()) {
                let _ = sender.try_send(());
            }
        });
        let watcher = watcher.map_err(|error| error.to_string())?;
        Ok(Watch { watcher, folders: BTreeSet::new(), changes })
    }

    /// Watches exactly these folders from now on; a folder that is not there is left out. True if any of them
    /// was not watched before, so that what happened in it until now was not told.
    pub fn set(&mut self, folders: impl IntoIterator<Item = PathBuf>) -> bool {
        let wanted: BTreeSet<PathBuf> = folders.into_iter().collect();
        let gone: Vec<PathBuf> = self.folders.difference(&wanted).cloned().collect();
        for folder in gone {
            let _ = self.watcher.unwatch(&folder);
            self.folders.remove(&folder);
        }
        let mut more = false;
        for folder in wanted {
            if !self.folders.contains(&folder) && self.start(&folder) {
                self.folders.insert(folder);
                more = true;
            }
        }
        more
    }

    fn start(&mut self, folder: &Path) -> bool {
        self.watcher.watch(folder, RecursiveMode::NonRecursive).is_ok()
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
