//! Tells when something that matters changes, once for a burst of changes. What else happens in the same folders is
//! not told: a folder of logs never rests, and a file would be read while it is being written.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::events::Events;
use crate::watched::Watched;

/// Silence that ends a burst.
const QUIET: Duration = Duration::from_millis(200);
/// A burst is reported after this long, silent or not.
const LONGEST_BURST: Duration = Duration::from_secs(1);

/// Which folder a path leads to: another one of the same name is another one.
type Identity = (u64, u64, Option<SystemTime>);

/// Watches until it is dropped.
pub struct Watch {
    events: Events,
    watched: Watched,
    folders: BTreeMap<PathBuf, Identity>,
}

impl Watch {
    /// To be called where a runtime is.
    pub fn new() -> Result<Self, String> {
        let events = Events::new().map_err(|error| error.to_string())?;
        Ok(Watch { events, watched: Watched::default(), folders: BTreeMap::new() })
    }

    /// Watches exactly this from now on; a folder that is not there is left out. True if any of the folders was
    /// not watched before, so that what happened in it until now was not told.
    pub fn set(&mut self, watched: Watched) -> bool {
        let present = watched.folders().filter_map(|folder| Some((folder.clone(), identity(folder)?)));
        let present: BTreeMap<PathBuf, Identity> = present.collect();
        self.watched = watched;
        let events = &mut self.events;
        self.folders.retain(|folder, known| {
            let kept = present.get(folder) == Some(known);
            if !kept {
                events.unwatch(folder);
            }
            kept
        });
        let mut more = false;
        for (folder, identity) in present {
            if !self.folders.contains_key(&folder) && events.watch(&folder) {
                self.folders.insert(folder, identity);
                more = true;
            }
        }
        more
    }

    /// Waits for the end of the next burst of changes.
    pub async fn changed(&mut self) {
        let (events, watched) = (&mut self.events, &self.watched);
        let concerns = |folder: &Path, name: Option<&std::ffi::OsStr>| watched.concerns(folder, name);
        if events.until(concerns).await.is_err() {
            // Where nothing is told any more there is nothing to wait for, ever.
            std::future::pending::<()>().await;
        }
        let _ = tokio::time::timeout(LONGEST_BURST, async {
            while matches!(tokio::time::timeout(QUIET, events.until(concerns)).await, Ok(Ok(()))) {}
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
mod tests;
