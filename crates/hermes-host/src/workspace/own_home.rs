//! Where Hermes's own folder really is.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hermes_core::ToolError;

use super::resolve::follow;

/// How long a place that was found is believed; it moves only when a person moves it.
const BELIEVED: Duration = Duration::from_secs(1);

/// A place, and when it was found.
type Found = (Instant, Arc<Path>);

/// Hermes's own folder. Every path that is read is compared with it.
#[derive(Clone, Debug)]
pub(super) struct OwnHome {
    written: PathBuf,
    found: Arc<Mutex<Option<Found>>>,
}

impl OwnHome {
    pub(super) fn new(written: PathBuf) -> Self {
        OwnHome { written, found: Arc::default() }
    }

    /// As the configuration says it.
    pub(super) fn as_written(&self) -> &Path {
        &self.written
    }

    /// Free of links, as of now.
    pub(super) fn now(&self) -> Result<PathBuf, ToolError> {
        follow(&self.written)
    }

    /// Free of links, as of a moment ago.
    pub(super) fn lately(&self) -> Result<Arc<Path>, ToolError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((when, place)) = &*found
            && when.elapsed() < BELIEVED
        {
            return Ok(Arc::clone(place));
        }
        let place: Arc<Path> = self.now()?.into();
        *found = Some((Instant::now(), Arc::clone(&place)));
        Ok(place)
    }
}
