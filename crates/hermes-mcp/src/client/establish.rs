//! How a server gets its link and loses it again: one attempt at a time, a look at the tools with each, and no blame
//! for what only the user can mend.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use super::connect::{Connecting, explain};
use super::fault::Fault;
use super::link::Link;
use super::server::Server;
use crate::config::Endpoint;
use crate::manifest::{Listed, Manifest};

/// How long the news of a changed list is collected before the list is asked for.
const DEBOUNCE: Duration = Duration::from_millis(250);
/// How often a server that is met for the first time is looked at while it still changes.
const MAX_LOOKS: usize = 8;

impl Server {
    /// Starts the server, if it does not run, so that its tools are known. An error says why it does not.
    pub async fn meet(self: &Arc<Self>) -> Result<(), String> {
        match self.link().await {
            Ok(_) => Ok(()),
            Err(fault) => Err(fault.into_error(&self.config.name, true).message),
        }
    }

    /// The link, made now if there is none. Callers that come meanwhile share the one attempt, and one that
    /// gives up does not end it for the others.
    pub(crate) async fn link(self: &Arc<Self>) -> Result<Arc<Link>, Fault> {
        if let Some(link) = self.live_link() {
            return Ok(link);
        }
        let server = Arc::clone(self);
        let attempt = tokio::spawn(async move { server.establish().await });
        attempt.await.unwrap_or_else(|error| Err(Fault::NotSent(error.to_string())))
    }

    async fn establish(self: Arc<Self>) -> Result<Arc<Link>, Fault> {
        let _turn = self.connecting.lock().await;
        if let Some(link) = self.live_link() {
            return Ok(link);
        }
        if self.closing.is_cancelled() {
            return Err(Fault::NotSent("Hermes is shutting down".to_owned()));
        }
        if let Some((left, reason)) = self.backoff().waiting() {
            let seconds = left.as_secs() + 1;
            return Err(Fault::NotSent(format!("{reason}; it is tried again in {seconds} s")));
        }
        self.starting.store(true, Ordering::Relaxed);
        let made = self.start().await;
        self.starting.store(false, Ordering::Relaxed);
        if let Err(fault) = &made {
            match fault {
                // Waiting mends nothing; the user does.
                Fault::NeedsLogin { challenge } => self.note_login(Some(challenge.clone())).await,
                other => self.backoff().failed(other.clone().into_reason()),
            }
        }
        made
    }

    async fn start(self: &Arc<Self>) -> Result<Arc<Link>, Fault> {
        let spoke = self.record().map(|record| record.seen.protocol.clone());
        let connecting = Connecting { config: &self.config, parts: &self.parts, log: &self.log, spoke };
        let link = Arc::new(connecting.link().await?);
        // The first call waits for the tools alone; what else a known server has is asked for after that.
        let known = self.record().map(|record| record.seen.listed.clone());
        let later = known.is_some() && link.has_more_than_tools();
        let listed = tokio::time::timeout(self.config.connect_timeout, self.refresh(&link, known)).await;
        if let Err(reason) = listed.unwrap_or_else(|_| Err("it did not list its tools in time".to_owned())) {
            let fault = match link.sent.last_fault() {
                Some(fault @ Fault::NeedsLogin { .. }) => fault,
                _ => Fault::NotSent(reason),
            };
            link.close().await;
            return Err(fault);
        }
        self.note_login(None).await;
        *self.link.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&link));
        self.linked.notify_waiters();
        self.touch();
        if later {
            link.lists_changed.notify_one();
        }
        tokio::spawn(watch(Arc::downgrade(self), Arc::clone(&link)));
        let followed = Arc::clone(&link);
        tokio::spawn(async move {
            tokio::select! {
                () = followed.follow_lists() => {}
                () = followed.closed.cancelled() => {}
            }
        });
        Ok(link)
    }

    /// Asks the server what it offers, beside what is `known`, and takes note of it.
    async fn refresh(&self, link: &Link, known: Option<Listed>) -> Result<(), String> {
        let seen = match self.record() {
            Some(_) => link.manifest(known).await?,
            None => first_look(link).await?,
        };
        let (store, name) = (self.parts.store.clone(), self.config.name.clone());
        let accept_new = self.config.accept_new_tools;
        let observed = tokio::task::spawn_blocking(move || store.observe(&name, seen, accept_new)).await;
        let record = observed
            .map_err(|error| error.to_string())?
            .map_err(|error| format!("what it offers could not be noted: {error}"))?;
        self.know(record);
        Ok(())
    }

    /// Takes a broken link away, so that the next call makes a new one.
    pub(super) async fn retire(&self, broken: &Arc<Link>, reason: &str) {
        let mine = {
            let mut link = self.link.write().unwrap_or_else(PoisonError::into_inner);
            link.take_if(|link| Arc::ptr_eq(link, broken)).is_some()
        };
        if mine {
            let what =
                broken.process_end().map_or_else(|| reason.to_owned(), |end| format!("it ended with {end}"));
            self.backoff().failed(explain(what, &self.log));
            broken.close().await;
        }
    }

    /// The server does not take who asks any more: the link goes, without blame.
    pub(super) async fn wants_login(&self, link: &Arc<Link>, challenge: &str) {
        self.note_login(Some(challenge.to_owned())).await;
        let mine = {
            let mut current = self.link.write().unwrap_or_else(PoisonError::into_inner);
            current.take_if(|current| Arc::ptr_eq(current, link)).is_some()
        };
        if mine {
            link.close().await;
        }
    }

    /// Takes note that the server wants a login, or that it is content. A note that cannot be written is missed in
    /// `hermes mcp list` only.
    async fn note_login(&self, challenge: Option<String>) {
        if matches!(self.config.endpoint, Endpoint::Http { .. }) {
            let (store, name) = (self.parts.logins.clone(), self.config.name.clone());
            let _ = tokio::task::spawn_blocking(move || store.set_wanted(&name, challenge.as_deref())).await;
        }
    }

    /// There are new tokens: earlier failures count no more.
    pub(crate) fn login_changed(&self) {
        self.backoff().worked();
    }
}

/// What a server shows when it is met for the first time. Some add tools right after the handshake: those belong to
/// the acquaintance, and are not news that the user would have to agree to.
async fn first_look(link: &Link) -> Result<Manifest, String> {
    let mut seen = link.manifest(None).await?;
    for _ in 0..MAX_LOOKS {
        if !link.announces_tools()
            || tokio::time::timeout(DEBOUNCE, link.lists_changed.notified()).await.is_err()
        {
            break;
        }
        seen = link.manifest(Some(seen.listed)).await?;
    }
    Ok(seen)
}

/// Looks after a link until it is gone: new lists of tools, idleness, its end.
async fn watch(server: Weak<Server>, link: Arc<Link>) {
    loop {
        let idle = server.upgrade().and_then(|server| server.config.idle_timeout);
        let rest = async {
            match idle {
                Some(idle) => tokio::time::sleep(idle).await,
                None => std::future::pending().await,
            }
        };
        let asked = tokio::select! {
            () = link.closed.cancelled() => {
                if let Some(server) = server.upgrade() {
                    server.retire(&link, "it closed its output").await;
                }
                return;
            }
            () = link.lists_changed.notified() => true,
            () = rest => false,
        };
        let Some(server) = server.upgrade() else { return };
        if asked {
            tokio::time::sleep(DEBOUNCE).await;
            if let Err(reason) = server.refresh(&link, None).await {
                server.log.line(&format!("[its new list of tools could not be had: {reason}]"));
            }
        } else if server.is_idle(idle.unwrap_or_default()) {
            server.stop().await;
        }
    }
}
