//! What one call of start began to watch.

use std::path::Path;
use std::time::Duration;

use hermes_host::workspace::{Watch, WatchEvent};

use super::told::{Kind, Told, tell};
use crate::file::find::glob::Filter;

pub(crate) struct Watched {
    pub(crate) watches: Vec<Watch>,
    /// As the model wrote them, one for each watch.
    pub(crate) paths: Vec<String>,
    pub(crate) patterns: Vec<Filter>,
    pub(crate) events: Vec<Kind>,
    /// How long a file must be quiet before its change is told.
    pub(crate) settle: Duration,
}

impl Watched {
    /// Resolves when something that was asked for has changed and settled.
    pub(crate) async fn settled(&self) {
        let has_settled = |watch: &Watch| watch.has_settled(self.settle, |event| self.wants(event));
        while !self.watches.iter().any(has_settled) {
            let next = self.watches.iter().map(|watch| Box::pin(watch.settled(self.settle)));
            futures_util::future::select_all(next).await;
        }
    }

    /// What has changed since the last time, at most `most`, and how many changes were lost.
    pub(crate) fn take(&self, most: usize) -> (Vec<Told>, u64) {
        let (mut events, mut dropped) = (Vec::new(), 0);
        for (watch, shown) in self.watches.iter().zip(&self.paths) {
            let room = most.saturating_sub(events.len());
            let (taken, lost) = watch.take(self.settle, room, |event| self.wants(event));
            events.extend(taken.iter().map(|event| tell(watch.root(), shown, event)));
            dropped += lost;
        }
        (events, dropped)
    }

    /// What the model should know about how it is watched.
    pub(crate) fn note(&self) -> Option<String> {
        self.watches.iter().any(Watch::is_polled).then(|| {
            "The system has no room for more watches; the folder is looked at once a second instead."
                .to_owned()
        })
    }

    fn wants(&self, event: &WatchEvent) -> bool {
        let fits =
            |path: &Path| self.patterns.is_empty() || self.patterns.iter().any(|glob| glob.matches(path));
        (self.events.is_empty() || self.events.contains(&event.kind.into()))
            && (fits(&event.path) || event.to.as_deref().is_some_and(fits))
    }
}
