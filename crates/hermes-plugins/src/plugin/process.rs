//! A running plugin: requests go out, answers come back in any order, and its end answers what is open.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hermes_core::{ErrorCode, ToolError};
use hermes_host::process::{Child, Level};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::line::Lines;
use super::message::{Incoming, note, request};
use super::started::Started;
use super::words::LastWords;

/// Requests that may wait to be written.
const QUEUE: usize = 1024;
const TIME_FOR_LAST_WORDS: Duration = Duration::from_millis(500);
/// How long a plugin that was told to end may take.
pub(super) const TIME_TO_END: Duration = Duration::from_secs(5);

type Answer = Result<Value, ToolError>;

/// What goes to the program.
enum Outgoing {
    Line(String),
    /// Nothing more: its standard input is closed.
    End,
}

/// The connection to a running plugin.
pub(super) struct Process {
    outgoing: mpsc::Sender<Outgoing>,
    shared: Arc<Shared>,
    next: AtomicU64,
    words: LastWords,
    level: Level,
}

struct Shared {
    open: Mutex<HashMap<u64, oneshot::Sender<Answer>>>,
    /// What it did that nobody could go on with.
    fault: Mutex<Option<String>>,
    dead: AtomicBool,
    end: Notify,
    ended: Notify,
}

impl Process {
    pub(super) fn new(started: Started) -> Process {
        let Started { child, stdin, stdout, words, listening, level } = started;
        let shared = Arc::new(Shared {
            open: Mutex::default(),
            fault: Mutex::default(),
            dead: AtomicBool::new(false),
            end: Notify::new(),
            ended: Notify::new(),
        });
        let (outgoing, queue) = mpsc::channel(QUEUE);
        tokio::spawn(write(stdin, queue));
        tokio::spawn(live(child, stdout, Arc::clone(&shared), listening));
        Process { outgoing, shared, next: AtomicU64::new(1), words, level }
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    pub(super) fn is_dead(&self) -> bool {
        self.shared.dead.load(Ordering::SeqCst)
    }

    /// What it said last on standard error.
    pub(super) fn last_words(&self) -> String {
        self.words.text()
    }

    /// Asks and waits. Whoever stops waiting has the request cancelled.
    pub(super) async fn ask(&self, method: &str, params: &Value) -> Answer {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, waiting) = oneshot::channel();
        lock(&self.shared.open).insert(id, answer);
        let mut open = Open { process: self, id, answered: false };
        // Dead before it was noted down: nobody would answer it any more.
        let line = Outgoing::Line(request(id, method, params));
        if self.is_dead() || self.outgoing.send(line).await.is_err() {
            return Err(self.died(false));
        }
        let answer = waiting.await;
        open.answered = true;
        answer.unwrap_or_else(|_| Err(self.died(true)))
    }

    /// The answer of a plugin that is gone. `asked` says whether it had the request by then.
    fn died(&self, asked: bool) -> ToolError {
        let (code, before) = match asked {
            true => (ErrorCode::OutcomeUnknown, "it answered"),
            false => (ErrorCode::Unavailable, "it was asked"),
        };
        let why = match &*lock(&self.shared.fault) {
            Some(fault) => format!("the plugin was stopped before {before}: {fault}"),
            None => format!("the plugin ended before {before}"),
        };
        ToolError::new(code, why)
    }

    /// Lets it finish and end by itself, for a while. It is told, and its input ends: a program that reads to
    /// the end of it, or knows no `shutdown`, has no reason to stay.
    pub(super) async fn shut_down(&self) {
        let ended = self.shared.ended.notified();
        let goodbye = async {
            let _ = self.outgoing.send(Outgoing::Line(request(0, "shutdown", &json!({})))).await;
            let _ = self.outgoing.send(Outgoing::End).await;
            if !self.is_dead() {
                ended.await;
            }
        };
        // A program that reads nothing must not keep the goodbye waiting either.
        let _ = tokio::time::timeout(TIME_TO_END, goodbye).await;
        self.shared.end.notify_one();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The task that holds the child lets go of it, and its whole tree with it.
        self.shared.end.notify_one();
    }
}

/// A request that nobody answered yet.
struct Open<'a> {
    process: &'a Process,
    id: u64,
    answered: bool,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if !self.answered {
            lock(&self.process.shared.open).remove(&self.id);
            let _ = self.process.outgoing.try_send(Outgoing::Line(note("cancel", &json!({"id": self.id}))));
        }
    }
}

async fn write(mut stdin: Sender, mut queue: mpsc::Receiver<Outgoing>) {
    while let Some(Outgoing::Line(line)) = queue.recv().await {
        if stdin.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn live(mut child: Child, stdout: Receiver, shared: Arc<Shared>, listening: JoinHandle<()>) {
    let mut lines = Lines::new(stdout);
    loop {
        let line = tokio::select! {
            () = shared.end.notified() => break,
            line = lines.next() => line,
        };
        let line = match line {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                *lock(&shared.fault) = Some(error.to_string());
                break;
            }
        };
        let Some(message) = Incoming::read(&line) else { continue };
        let asked = lock(&shared.open).remove(&message.id);
        if let Some(asked) = asked {
            let _ = asked.send(message.outcome());
        }
    }
    shared.dead.store(true, Ordering::SeqCst);
    let _ = child.kill().await;
    // Its last words say why; whoever waits is told after they were read.
    let _ = tokio::time::timeout(TIME_FOR_LAST_WORDS, listening).await;
    // Whoever still waits is told by the closed channel.
    lock(&shared.open).clear();
    shared.ended.notify_waiters();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
