//! One configured server: its link when it has one, what is known of it, and how it heals.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;

use hermes_host::{Clock, Env};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::backoff::Backoff;
use super::connect::{connect, explain};
use super::fault::Fault;
use super::link::Link;
use super::log::Log;
use super::state::{State, Status};
use crate::config::ServerConfig;
use crate::manifest::{ManifestStore, Record};

/// How long the news of a changed list is collected before the list is asked for.
const DEBOUNCE: Duration = Duration::from_millis(250);

/// What all servers of a process share.
#[derive(Clone)]
pub struct ServerParts {
    pub env: Env,
    pub clock: Clock,
    pub store: ManifestStore,
    pub logs: PathBuf,
    /// Hears the name of a server whose tools may be others than before.
    pub changed: mpsc::UnboundedSender<String>,
}

/// One server. All sessions of a process share it, and so the program behind it.
pub struct Server {
    pub(super) config: ServerConfig,
    parts: ServerParts,
    log: Log,
    pub(super) places: Semaphore,
    pub(super) calls: AtomicUsize,
    starting: AtomicBool,
    connecting: tokio::sync::Mutex<()>,
    backoff: Mutex<Backoff>,
    link: RwLock<Option<Arc<Link>>>,
    record: RwLock<Option<Arc<Record>>>,
    last_used: Mutex<Instant>,
    closing: CancellationToken,
}

impl Server {
    /// Nothing is started. A record that cannot be read is reported and counts as none.
    pub fn new(config: ServerConfig, parts: ServerParts) -> Arc<Self> {
        let log = Log::at(parts.logs.join(format!("mcp-{}.log", config.name)), parts.clock.clone());
        let record = parts.store.load(&config.name).unwrap_or_else(|error| {
            log.line(&format!("[what is known of the server cannot be read: {error}]"));
            None
        });
        Arc::new(Server {
            places: Semaphore::new(config.parallel.max(1)),
            calls: AtomicUsize::new(0),
            starting: AtomicBool::new(false),
            connecting: tokio::sync::Mutex::new(()),
            backoff: Mutex::default(),
            link: RwLock::new(None),
            record: RwLock::new(record.map(Arc::new)),
            last_used: Mutex::new(Instant::now()),
            closing: CancellationToken::new(),
            config,
            parts,
            log,
        })
    }

    pub fn config(&self) -> &ServerConfig {
        &self.config
    }

    /// What is known of the server's tools.
    pub fn record(&self) -> Option<Arc<Record>> {
        self.record.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where the server stands.
    pub fn status(&self) -> Status {
        let record = self.record();
        let changes = record.as_ref().map_or(0, |record| record.changes().len());
        let seen = record.as_ref().map_or(0, |record| {
            record.seen.tools.iter().filter(|tool| self.config.filter.takes(&tool.name)).count()
        });
        Status {
            name: self.config.name.clone(),
            state: self.state(record.is_some()),
            tools: seen.saturating_sub(changes),
            quarantined: changes,
        }
    }

    fn state(&self, known: bool) -> State {
        let calls = self.calls.load(Ordering::Relaxed);
        if self.live_link().is_some() {
            return if calls > 0 { State::InUse { calls } } else { State::Running };
        }
        if self.starting.load(Ordering::Relaxed) {
            return State::Starting;
        }
        let backoff = self.backoff();
        match backoff.last_failure() {
            Some(reason) => State::Failed {
                reason: reason.to_owned(),
                retry_seconds: backoff.waiting().map_or(0, |(left, _)| left.as_secs() + 1),
            },
            None if known => State::Known,
            None => State::Configured,
        }
    }

    pub(super) fn backoff(&self) -> std::sync::MutexGuard<'_, Backoff> {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn touch(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn live_link(&self) -> Option<Arc<Link>> {
        let link = self.link.read().unwrap_or_else(PoisonError::into_inner);
        link.as_ref().filter(|link| link.is_alive()).cloned()
    }

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
        made.map_err(|reason| {
            self.backoff().failed(reason.clone());
            Fault::NotSent(reason)
        })
    }

    async fn start(self: &Arc<Self>) -> Result<Arc<Link>, String> {
        let link = Arc::new(connect(&self.config, &self.parts.env, &self.log).await?);
        let listed = tokio::time::timeout(self.config.connect_timeout, self.refresh(&link)).await;
        if let Err(reason) = listed.unwrap_or_else(|_| Err("it did not list its tools in time".to_owned())) {
            link.close().await;
            return Err(reason);
        }
        *self.link.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&link));
        self.touch();
        tokio::spawn(watch(Arc::downgrade(self), Arc::clone(&link)));
        Ok(link)
    }

    /// Asks the server for its tools and takes note of them.
    async fn refresh(&self, link: &Link) -> Result<(), String> {
        let seen = link.manifest().await?;
        let (store, name) = (self.parts.store.clone(), self.config.name.clone());
        let accept_new = self.config.accept_new_tools;
        let observed = tokio::task::spawn_blocking(move || store.observe(&name, seen, accept_new)).await;
        let record = observed
            .map_err(|error| error.to_string())?
            .map_err(|error| format!("what it offers could not be noted: {error}"))?;
        let mut known = self.record.write().unwrap_or_else(PoisonError::into_inner);
        let news = known.as_deref() != Some(&record);
        *known = Some(Arc::new(record));
        drop(known);
        if news {
            let _ = self.parts.changed.send(self.config.name.clone());
        }
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

    /// Ends the program, if it runs. The next call starts it again.
    pub async fn stop(&self) {
        let link = self.link.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(link) = link {
            link.close().await;
        }
    }

    /// Ends the program for good.
    pub async fn shut_down(&self) {
        self.closing.cancel();
        self.stop().await;
    }
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
            () = link.tools_changed.notified() => true,
            () = rest => false,
        };
        let Some(server) = server.upgrade() else { return };
        if asked {
            tokio::time::sleep(DEBOUNCE).await;
            if let Err(reason) = server.refresh(&link).await {
                server.log.line(&format!("[its new list of tools could not be had: {reason}]"));
            }
        } else if server.is_idle(idle.unwrap_or_default()) {
            server.stop().await;
        }
    }
}

impl Server {
    fn is_idle(&self, limit: Duration) -> bool {
        let unused = self.last_used.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        self.calls.load(Ordering::Relaxed) == 0 && unused >= limit
    }
}
