//! One configured server: its link when it has one, what is known of it, and how it heals.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;

use hermes_host::{Clock, Env, Http};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::allowance::Allowance;
use super::backoff::Backoff;
use super::follow::Follow;
use super::http::Pings;
use super::link::Link;
use super::log::Log;
use super::state::{State, Status};
use super::updates::Updates;
use super::verdicts::Verdicts;
use crate::assistant::Desk;
use crate::board::Board;
use crate::config::ServerConfig;
use crate::login::LoginStore;
use crate::manifest::{ManifestStore, Record, Stamp};
use crate::secrets::{Cover, Secrets};
use crate::utility::Utility;

/// How often a server that is configured no more is looked at, whether it still has calls.
const LEAVING: Duration = Duration::from_millis(100);

/// What all servers of a process share.
#[derive(Clone)]
pub struct ServerParts {
    pub env: Env,
    pub clock: Clock,
    pub store: ManifestStore,
    pub logs: PathBuf,
    /// Where servers have the folders that they are started in.
    pub rooms: PathBuf,
    pub http: Http,
    pub logins: LoginStore,
    pub desk: Desk,
    /// Hears the name of a server whose tools may be others than before.
    pub changed: mpsc::UnboundedSender<String>,
    /// Where it is said that a resource changed.
    pub(crate) updates: Updates,
    /// Where other processes learn how servers fare, and who is told when that may be another.
    pub(crate) board: Board,
    pub(crate) stirred: Arc<Notify>,
    /// What no log may show.
    pub(crate) secrets: Secrets,
}

/// One server. All sessions of a process share it, and so the program behind it.
pub struct Server {
    pub(super) config: ServerConfig,
    pub(super) parts: ServerParts,
    pub(super) log: Log,
    pub(super) places: Semaphore,
    pub(super) calls: AtomicUsize,
    pub(super) starting: AtomicBool,
    pub(super) connecting: tokio::sync::Mutex<()>,
    backoff: Mutex<Backoff>,
    pub(super) link: RwLock<Option<Arc<Link>>>,
    record: RwLock<Option<Arc<Record>>>,
    pub(super) verdicts: Verdicts,
    /// What it may still ask.
    pub(super) allowance: Allowance,
    pub(super) pings: Pings,
    /// The file that the record was read from, as it was then.
    read_from: Mutex<Option<Stamp>>,
    last_used: Mutex<Instant>,
    /// Fires when there is a new link.
    pub(super) linked: Notify,
    /// One by one, so that nobody ends what another has just begun.
    pub(super) following: tokio::sync::Mutex<()>,
    pub(super) followed: Mutex<BTreeMap<String, Weak<Follow>>>,
    pub(super) closing: CancellationToken,
}

impl Server {
    /// Nothing is started. A record that cannot be read is reported and counts as none.
    pub fn new(config: ServerConfig, parts: ServerParts) -> Arc<Self> {
        let path = parts.logs.join(format!("mcp-{}.log", config.name));
        let log = Log::at(path, parts.clock.clone(), parts.secrets.cover());
        let read_from = parts.store.stamp(&config.name);
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
            verdicts: Verdicts::default(),
            allowance: Allowance::default(),
            pings: Pings::default(),
            read_from: Mutex::new(read_from),
            last_used: Mutex::new(Instant::now()),
            linked: Notify::new(),
            following: tokio::sync::Mutex::new(()),
            followed: Mutex::default(),
            closing: CancellationToken::new(),
            config,
            parts,
            log,
        })
    }

    pub fn config(&self) -> &ServerConfig {
        &self.config
    }

    /// A text without what the server was given to say who asks, once it was reached for.
    pub fn covered(&self, text: String) -> String {
        self.log.cover.text(text)
    }

    pub(crate) fn cover(&self) -> &Cover {
        &self.log.cover
    }

    pub(crate) fn parts(&self) -> &ServerParts {
        &self.parts
    }

    /// What is known of the server's tools.
    pub fn record(&self) -> Option<Arc<Record>> {
        self.record.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_known(&self) -> bool {
        self.record.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Looks whether another process has written down more of the server since, such as the user's word for a tool.
    pub fn look_again(&self) {
        let now = self.parts.store.stamp(&self.config.name);
        let before =
            std::mem::replace(&mut *self.read_from.lock().unwrap_or_else(PoisonError::into_inner), now);
        if now == before {
            return;
        }
        if let Ok(Some(record)) = self.parts.store.load(&self.config.name) {
            self.know(record);
        }
    }

    /// Takes a record over, and tells everybody if it is another.
    pub(super) fn know(&self, record: Record) {
        let mut known = self.record.write().unwrap_or_else(PoisonError::into_inner);
        let news = known.as_deref() != Some(&record);
        *known = Some(Arc::new(record));
        drop(known);
        if news {
            let _ = self.parts.changed.send(self.config.name.clone());
        }
    }

    /// Where the server stands.
    pub fn status(&self) -> Status {
        let record = self.record();
        let (mut tools, mut quarantined) = (0, 0);
        if let Some(record) = &record {
            let offered = record.seen.tools.iter().filter(|tool| self.config.filter.takes(&tool.name));
            for tool in offered {
                let kept_back = !record.judge(tool).is_accepted();
                *if kept_back { &mut quarantined } else { &mut tools } += 1;
            }
            let prompts = record.seen.listed.prompts.iter().filter(|_| self.config.filter.prompts);
            // A server that is another one has nothing to offer beside tools either.
            quarantined += match record.other_server() {
                Some(_) => Utility::of(&record.seen, self).len(),
                None => prompts.filter(|prompt| !record.judge_prompt(prompt).is_accepted()).count(),
            };
        }
        Status { name: self.config.name.clone(), state: self.state(), tools, quarantined }
    }

    /// The same without its tools, whose definitions are all gone through to count them: this is asked for while calls
    /// run.
    pub(crate) fn state(&self) -> State {
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
            None if self.parts.logins.is_wanted(&self.config.name) => State::NeedsLogin,
            None => match self.parts.board.failure(&self.config.name) {
                Some(reason) => State::Failed { reason, retry_seconds: 0 },
                None if self.is_known() => State::Known,
                None => State::Configured,
            },
        }
    }

    /// Says to whoever publishes it that the state may be another.
    pub(super) fn stir(&self) {
        self.parts.stirred.notify_one();
    }

    pub(super) fn backoff(&self) -> std::sync::MutexGuard<'_, Backoff> {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn touch(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Whether the program runs now.
    pub fn is_running(&self) -> bool {
        self.live_link().is_some()
    }

    pub(super) fn live_link(&self) -> Option<Arc<Link>> {
        let link = self.link.read().unwrap_or_else(PoisonError::into_inner);
        link.as_ref().filter(|link| link.is_alive()).cloned()
    }

    /// Ends the program, if it runs. The next call starts it again.
    pub async fn stop(&self) {
        let link = self.link.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(link) = link {
            link.close().await;
            self.stir();
        }
    }

    /// Ends the program for good.
    pub async fn shut_down(&self) {
        self.closing.cancel();
        self.stop().await;
    }

    /// Ends the program for good once the calls under way have their answers.
    pub(crate) async fn leave(&self) {
        while self.calls.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(LEAVING).await;
        }
        self.shut_down().await;
    }

    pub(super) fn is_idle(&self, limit: Duration) -> bool {
        let unused = self.last_used.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        let followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        let followed = followed.values().any(|follow| follow.strong_count() > 0);
        self.calls.load(Ordering::Relaxed) == 0 && !followed && unused >= limit
    }
}
