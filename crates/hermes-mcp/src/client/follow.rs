//! Resources that somebody follows, through restarts of their server.

use std::sync::{Arc, PoisonError, Weak};

use tokio::task::AbortHandle;

use super::following::Followed;
use super::server::Server;
use super::updates::Updated;

/// A resource is followed until this is dropped.
pub struct Follow {
    what: Updated,
    task: AbortHandle,
}

impl Follow {
    /// Whether word is of this resource.
    pub(crate) fn is_about(&self, updated: &Updated) -> bool {
        self.what == *updated
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Follows a resource by the server's own name for it. Everybody who follows the same one shares it.
    pub async fn follow(self: &Arc<Self>, uri: &str) -> Result<Arc<Follow>, String> {
        let link = self.link().await.map_err(|fault| fault.into_error(&self.config.name, true).message)?;
        let _turn = self.following.lock().await;
        if let Some(follow) = self.followed().get(uri).and_then(Weak::upgrade) {
            return Ok(follow);
        }
        let followed = link.follow_resource(uri).await?;
        let task = tokio::spawn(keep_following(Arc::downgrade(self), uri.to_owned(), followed));
        let what = Updated { server: self.config.name.clone(), uri: uri.to_owned() };
        let follow = Arc::new(Follow { what, task: task.abort_handle() });
        let mut all = self.followed();
        all.retain(|_, follow| follow.strong_count() > 0);
        all.insert(uri.to_owned(), Arc::downgrade(&follow));
        Ok(follow)
    }

    fn followed(&self) -> std::sync::MutexGuard<'_, std::collections::BTreeMap<String, Weak<Follow>>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn keep_following(server: Weak<Server>, uri: String, mut followed: Followed) {
    loop {
        followed.ended().await;
        let Some(server) = server.upgrade() else { return };
        // The server is not started for this; whoever needs it starts it.
        let link = loop {
            let linked = server.linked.notified();
            match server.live_link() {
                Some(link) => break link,
                None => tokio::select! {
                    () = linked => {}
                    () = server.closing.cancelled() => return,
                },
            }
        };
        match link.follow_resource(&uri).await {
            Ok(again) => followed = again,
            Err(reason) => {
                server.log.line(&format!("[it does not tell any more when {uri} changes: {reason}]"));
                return;
            }
        }
        // Nobody knows what happened meanwhile.
        server.parts.updates.tell(&server.config.name, uri.clone());
    }
}
