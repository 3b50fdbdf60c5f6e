//! What a client is told without asking: lists that changed, resources that it follows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ResourceUpdatedNotification, ResourceUpdatedNotificationParam, ServerNotification};
use tokio::sync::{broadcast, watch};

use super::backend::{Backend, Epochs};
use crate::client::{Follow, Updated};

/// The resources that a client follows, by its names for them. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Followed(Arc<Mutex<BTreeMap<String, Option<Arc<Follow>>>>>);

impl Followed {
    pub(super) fn add(&self, uri: String, follow: Option<Arc<Follow>>) {
        self.lock().insert(uri, follow);
    }

    pub(super) fn remove(&self, uri: &str) {
        self.lock().remove(uri);
    }

    /// What the client calls a resource that changed, if it follows it.
    fn named(&self, updated: &Updated) -> Option<String> {
        let all = self.lock();
        let mut about =
            all.iter().filter(|(_, follow)| follow.as_ref().is_some_and(|follow| follow.is_about(updated)));
        about.next().map(|(uri, _)| uri.clone())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Option<Arc<Follow>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// News for one client.
pub(super) struct News {
    epochs: Epochs,
    changes: watch::Receiver<Epochs>,
    updates: broadcast::Receiver<Updated>,
    followed: Followed,
}

impl News {
    pub(super) fn new(backend: &dyn Backend, followed: Followed) -> Self {
        let (mut changes, updates) = (backend.changes(), backend.updates());
        let epochs = *changes.borrow_and_update();
        News { epochs, changes, updates, followed }
    }

    /// What is to be said next. Nothing once there will be no more news.
    pub(super) async fn next(&mut self) -> Option<Vec<ServerNotification>> {
        loop {
            tokio::select! {
                changed = self.changes.changed() => {
                    changed.ok()?;
                    return Some(self.changed_lists());
                }
                updated = self.updates.recv() => match updated {
                    Ok(updated) => {
                        if let Some(uri) = self.followed.named(&updated) {
                            let about = ResourceUpdatedNotificationParam::new(uri);
                            let news = ResourceUpdatedNotification::new(about);
                            return Some(vec![ServerNotification::ResourceUpdatedNotification(news)]);
                        }
                    }
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return None,
                },
            }
        }
    }

    fn changed_lists(&mut self) -> Vec<ServerNotification> {
        let now = *self.changes.borrow_and_update();
        let before = std::mem::replace(&mut self.epochs, now);
        let lists = [
            (before.tools != now.tools, ServerNotification::ToolListChangedNotification(Default::default())),
            (
                before.prompts != now.prompts,
                ServerNotification::PromptListChangedNotification(Default::default()),
            ),
            (
                before.resources != now.resources,
                ServerNotification::ResourceListChangedNotification(Default::default()),
            ),
        ];
        lists.into_iter().filter(|(changed, _)| *changed).map(|(_, news)| news).collect()
    }
}
