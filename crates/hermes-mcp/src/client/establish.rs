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
/// How long a new list of tools may take while no call keeps the server busy.
const LIST_LIMIT: Duration = Duration::from_secs(5);
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
        self.stir();
        let made = self.start().await;
        self.starting.store(false, Ordering::Relaxed);
        match &made {
            Ok(_) => self.note_failure(None).await,
            // Waiting mends nothing; the user does.
            Err(Fault::NeedsLogin { challenge, .. }) => {
                self.note_failure(None).await;
                self.note_login(Some(challenge.clone())).await;
            }
            Err(other) => self.failed(other.clone().into_reason()).await,
        }
        self.stir();
        made
    }

    async fn start(self: &Arc<Self>) -> Result<Arc<Link>, Fault> {
        let spoke = self.record().map(|record| record.seen.protocol.clone());
        let (config, parts, allowance, pings) = (&self.config, &self.parts, &self.allowance, &self.pings);
        let connecting = Connecting { config, parts, log: &self.log, allowance, pings, spoke };
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
    pub(super) async fn refresh(&self, link: &Link, known: Option<Listed>) -> Result<(), String> {
        let seen = match self.record() {
            Some(_) => link.manifest(known).await?,
            None => first_look(link).await?,
        };
        let configured_as = Some(self.covered(self.config.endpoint.identity()));
        let seen = Manifest { configured_as, ..seen };
        let (store, name) = (self.parts.store.clone(), self.config.name.clone());
        let accept_new = self.config.accept_new_tools;
        let observed = tokio::task::spawn_blocking(move || store.observe(&name, seen, accept_new)).await;
        let record = observed
            .map_err(|error| error.to_string())?
            .map_err(|error| format!("what it offers could not be noted: {error}"))?;
        self.know(record);
        Ok(())
    }

    /// Asks again what the server offers; nothing if it never says. One that works on a call may take its time: some do
    /// one thing at a time.
    async fn relist(&self, link: &Link) -> Option<Result<(), String>> {
        let refreshing = self.refresh(link, None);
        tokio::pin!(refreshing);
        loop {
            tokio::select! {
                listed = &mut refreshing => return Some(listed),
                () = link.closed.cancelled() => return Some(Ok(())),
                () = tokio::time::sleep(LIST_LIMIT) => {
                    if self.calls.load(Ordering::Relaxed) == 0 {
                        return None;
                    }
                }
            }
        }
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
            self.failed(explain(what, &self.log)).await;
            broken.close().await;
            self.stir();
        }
    }

    /// Takes note of a failure, for the next attempt and for other processes.
    async fn failed(&self, reason: String) {
        self.backoff().failed(reason.clone());
        self.note_failure(Some(reason)).await;
    }

    async fn note_failure(&self, reason: Option<String>) {
        let (board, name) = (self.parts.board.clone(), self.config.name.clone());
        let _ = tokio::task::spawn_blocking(move || board.set_failure(&name, reason.as_deref())).await;
    }

    /// The server does not take who asks any more: the link goes, without blame.
    pub(super) async fn wants_login(&self, link: &Arc<Link>, challenge: &str) {
        self.note_login(Some(challenge.to_owned())).await;
        self.let_go(link).await;
    }

    /// Gives a link up without blame.
    pub(super) async fn let_go(&self, link: &Arc<Link>) {
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
            match server.relist(&link).await {
                Some(Ok(())) => {}
                Some(Err(reason)) => {
                    server.log.line(&format!("[its new list of tools could not be had: {reason}]"));
                }
                // What it offers now is not known, and the next call must not go by what it offered before.
                None => server.retire(&link, "it did not say which tools it has now").await,
            }
        } else if server.is_idle(idle.unwrap_or_default()) {
            server.stop().await;
        }
    }
}
