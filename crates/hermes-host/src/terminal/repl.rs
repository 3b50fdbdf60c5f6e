//! Interpreters that stay: each takes a line of JSON with code and answers with one line.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hermes_core::{Access, CallContext, ErrorCode, Permission, ToolError};
use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use super::capture::{Capture, Captured};
use super::code::Code;
use super::door::Terminals;
use super::interpreter::{Interpreter, Peer, Remains};
use super::job::Place;
use crate::process::{Child, Exit};

/// Interpreters that one session may have.
const MOST: usize = 8;
/// One that nobody used for so long ends.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// What an interpreter may take beyond the limit that it knows of itself.
const BEYOND: Duration = Duration::from_secs(2);

/// Which interpreter: the name that the session knows it by.
#[derive(Clone, Debug)]
pub struct Repl<'a> {
    pub name: &'a str,
    /// How it is started, where it does not run yet.
    pub code: &'a Code,
    /// Whether the one that runs must be of that language.
    pub exactly: bool,
}

/// What an interpreter answered.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// One line of JSON.
    pub answer: String,
    /// What programs that it started printed.
    pub printed: Captured,
    /// Where it runs.
    pub place: Place,
}

type Key = (String, String);

/// All that run. Ended when dropped.
#[derive(Default)]
pub(super) struct Repls(Mutex<HashMap<Key, Arc<tokio::sync::Mutex<Running>>>>);

struct Running {
    program: &'static str,
    child: Child,
    peer: Peer,
    place: Place,
    used: Instant,
    remains: Remains,
}

impl fmt::Debug for Repls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Repls")
    }
}

impl Terminals {
    /// Has the interpreter evaluate one line of JSON within the limit. One that does not answer is ended.
    pub async fn evaluate(
        &self,
        repl: &Repl<'_>,
        line: &str,
        limit: Duration,
        cx: &CallContext,
    ) -> Result<Evaluated, ToolError> {
        if !cx.permit().covers(&Access::any(Permission::CODE_EXECUTE)) {
            return Err(ToolError::denied("the code was not permitted"));
        }
        let key = (cx.session().id.clone(), repl.name.to_owned());
        let running = match self.inner.repls.get(&key) {
            Some(running) => running,
            None => {
                let started = Arc::new(tokio::sync::Mutex::new(self.start_repl(repl, cx).await?));
                self.inner.repls.add(key.clone(), Arc::clone(&started))?;
                started
            }
        };
        let mut running = running.lock().await;
        if repl.exactly && running.program != repl.code.program {
            let text = format!("the interpreter '{}' is one of {}", repl.name, running.program);
            return Err(ToolError::new(ErrorCode::Conflict, text)
                .with_hint("Give another session_id, or reset this one first."));
        }
        let asked = tokio::select! {
            () = cx.cancel().cancelled() => Err(ToolError::new(
                ErrorCode::OutcomeUnknown,
                "the code had begun and was ended; what it did until then stays done",
            )),
            asked = tokio::time::timeout(limit + BEYOND, running.ask(line)) => asked.unwrap_or_else(|_| {
                Err(ToolError::new(ErrorCode::Timeout, "it did not answer in time and was ended"))
            }),
        };
        if asked.is_err() {
            self.inner.repls.remove(&key);
            let _ = running.child.kill().await;
            running.remains.there.now().await;
        }
        asked
    }

    /// Ends an interpreter; whether there was one.
    pub fn close_repl(&self, name: &str, cx: &CallContext) -> bool {
        self.inner.repls.remove(&(cx.session().id.clone(), name.to_owned()))
    }

    /// The names of the session's interpreters, sorted.
    pub fn repls(&self, cx: &CallContext) -> Vec<String> {
        self.inner.repls.of_session(&cx.session().id)
    }

    async fn start_repl(&self, repl: &Repl<'_>, cx: &CallContext) -> Result<Running, ToolError> {
        let Interpreter { child, peer, place, remains } = self.interpret(repl.code, cx).await?;
        Ok(Running { program: repl.code.program, child, peer, place, used: Instant::now(), remains })
    }
}

impl Running {
    async fn ask(&mut self, line: &str) -> Result<Evaluated, ToolError> {
        self.used = Instant::now();
        if self.peer.say(format!("{line}\n").as_bytes()).await.is_err() {
            return Err(gone(&why_ended(&mut self.child).await));
        }
        let mut capture = Capture::new(20_000, None);
        let mut chunk = vec![0; 16 * 1024];
        let Running { child, peer, .. } = self;
        let answer = {
            let answering = peer.hear();
            tokio::pin!(answering);
            loop {
                let printing = async {
                    match &mut child.stdout {
                        Some(stdout) => stdout.read(&mut chunk).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    biased;
                    printed = printing => match printed {
                        Ok(0) | Err(_) => child.stdout = None,
                        Ok(length) => capture.push(chunk.get(..length).unwrap_or_default()),
                    },
                    answered = &mut answering => break answered,
                }
            }
        };
        // What a program printed before the answer is already there.
        while let Some(length) = child.stdout.as_ref().and_then(|stdout| stdout.try_read(&mut chunk).ok()) {
            if length == 0 {
                break;
            }
            capture.push(chunk.get(..length).unwrap_or_default());
        }
        let answer = match answer {
            Ok(Some(answer)) => answer,
            Ok(None) => return Err(gone(&why_ended(child).await)),
            Err(error) => return Err(gone(&error.to_string())),
        };
        Ok(Evaluated { answer, printed: capture.finish().captured, place: self.place.clone() })
    }
}

/// How long the end of one that speaks no more is waited for.
const ENDING: Duration = Duration::from_secs(1);

fn gone(why: &str) -> ToolError {
    ToolError::new(ErrorCode::ExecFailed, format!("the interpreter ended ({why}); the next call begins anew"))
}

async fn why_ended(child: &mut Child) -> String {
    match tokio::time::timeout(ENDING, child.wait()).await {
        Ok(Ok(Exit { signal: Some(KILLED), .. })) => {
            "it was killed, perhaps because it needed more memory than it may have".to_owned()
        }
        Ok(Ok(Exit { signal: Some(signal), .. })) => format!("by signal {signal}"),
        Ok(Ok(exit)) => format!("with exit code {}", exit.shell_code()),
        Ok(Err(_)) | Err(_) => "it speaks no more".to_owned(),
    }
}

const KILLED: i32 = 9;

impl Repls {
    fn get(&self, key: &Key) -> Option<Arc<tokio::sync::Mutex<Running>>> {
        let mut all = self.lock();
        all.retain(|_, running| running.try_lock().map_or(true, |running| running.used.elapsed() < IDLE));
        all.get(key).cloned()
    }

    fn add(&self, key: Key, running: Arc<tokio::sync::Mutex<Running>>) -> Result<(), ToolError> {
        let mut all = self.lock();
        if all.keys().filter(|(session, _)| *session == key.0).count() >= MOST {
            let text = format!("this session already has {MOST} interpreters");
            return Err(ToolError::new(ErrorCode::Conflict, text).with_hint("Close one first."));
        }
        all.insert(key, running);
        Ok(())
    }

    fn remove(&self, key: &Key) -> bool {
        self.lock().remove(key).is_some()
    }

    fn of_session(&self, session: &str) -> Vec<String> {
        let all = self.lock();
        let own = all.keys().filter(|(of, _)| of == session);
        let mut names: Vec<String> = own.map(|(_, name)| name.clone()).collect();
        names.sort();
        names
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<tokio::sync::Mutex<Running>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
