//! What a server tells by itself, where it has to be asked for: changed lists, updated resources, its log.

// Newer revisions deprecate the older ways, which older servers know alone.
#![allow(deprecated)]

use std::sync::{Arc, PoisonError};

use rmcp::model::{
    RequestMetaObject, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};

use rmcp::service::Subscription;

use super::connect::is_stateless;
use super::link::Link;
use crate::log_line::LogLevel;

impl Link {
    /// Whether the server says when its tools change.
    pub(crate) fn announces_tools(&self) -> bool {
        let info = self.service.peer_info();
        let tools = info.as_ref().and_then(|info| info.capabilities.tools.as_ref());
        tools.and_then(|tools| tools.list_changed) == Some(true)
    }

    pub(crate) fn has_more_than_tools(&self) -> bool {
        let info = self.service.peer_info();
        info.is_some_and(|info| info.capabilities.prompts.is_some() || info.capabilities.resources.is_some())
    }

    pub(super) fn is_stateless(&self) -> bool {
        let info = self.service.peer_info();
        is_stateless(info.as_ref().map(|info| info.protocol_version.as_str()))
    }

    /// Follows the server's news about its lists, where they have to be asked for.
    pub(crate) async fn follow_lists(&self) {
        let Some(info) = self.service.peer_info().filter(|_| self.is_stateless()) else { return };
        let all = SubscriptionFilter::builder()
            .tools_list_changed()
            .prompts_list_changed()
            .resources_list_changed()
            .build();
        let filter = all.supported_by(&info.capabilities);
        if filter == SubscriptionFilter::new() {
            return;
        }
        let Ok(mut news) = self.service.peer().listen(filter).await else { return };
        while let Ok(Some(_)) = news.next().await {
            self.lists_changed.notify_one();
        }
    }

    /// Follows one resource; `Err` if the server will not tell.
    pub(super) async fn follow_resource(self: &Arc<Self>, uri: &str) -> Result<Followed, String> {
        let told = |error: rmcp::ServiceError| error.to_string();
        let news = match self.is_stateless() {
            true => {
                let filter = SubscriptionFilter::builder().resource_subscription(uri).build();
                Some(self.service.peer().listen(filter).await.map_err(told)?)
            }
            false => {
                self.service.subscribe(SubscribeRequestParams::new(uri)).await.map_err(told)?;
                None
            }
        };
        Ok(Followed { link: Arc::clone(self), uri: uri.to_owned(), news })
    }

    /// Takes note of how much log is wanted: what to say with a request to a server that remembers nothing. One that
    /// does is told once.
    pub(super) fn log_wish(&self, level: LogLevel) -> Option<RequestMetaObject> {
        if self.is_stateless() {
            let mut meta = RequestMetaObject::new();
            meta.set_log_level(level.0);
            return Some(meta);
        }
        let mut told = self.log_level.lock().unwrap_or_else(PoisonError::into_inner);
        let logs = self.service.peer_info().is_some_and(|info| info.capabilities.logging.is_some());
        if logs && told.is_none_or(|told| !level.reaches(told)) {
            *told = Some(level);
            let peer = self.service.peer().clone();
            tokio::spawn(async move {
                let _ = peer.set_level(SetLevelRequestParams::new(level.0)).await;
            });
        }
        None
    }
}

/// A resource that is followed over one link. The server is told when it is followed no more.
pub(super) struct Followed {
    link: Arc<Link>,
    uri: String,
    /// Where the server says it, if not to the link as a whole.
    news: Option<Subscription>,
}

impl Followed {
    /// Says on what the server says, until the link is gone.
    pub(super) async fn ended(&mut self) {
        if let Some(news) = &mut self.news {
            let handler = self.link.service.service();
            while let Ok(Some(_)) = news.next().await {
                handler.updates.tell(&handler.server, self.uri.clone());
            }
        }
        self.link.closed.cancelled().await;
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        if self.news.is_none() && self.link.is_alive() {
            let (peer, uri) = (self.link.service.peer().clone(), std::mem::take(&mut self.uri));
            tokio::spawn(async move {
                let _ = peer.unsubscribe(UnsubscribeRequestParams::new(uri)).await;
            });
        }
    }
}
