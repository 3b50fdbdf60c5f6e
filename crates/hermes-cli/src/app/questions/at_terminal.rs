//! The person at this terminal, as servers reach them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use hermes_core::text::visible;
use hermes_host::Env;
use hermes_mcp::{Assistant, Desk, Elicitation, Elicited, Progress};
use hermes_runtime::config::McpServer;
use serde_json::Value;
use tokio::sync::Mutex;

use super::form;
use super::sampling;
use crate::app::approver::terminal::{Typed, forget_typed, is_attended, read_line, say};
use crate::app::surroundings::{GlobalOptions, Surroundings};

/// Answers of the person, if one is there; otherwise every question is declined.
pub(in crate::app) struct AtTerminal {
    timeout: Duration,
    env: Env,
    /// Where the programs run that answer for a model: not where somebody else could put code in their way.
    room: PathBuf,
    servers: BTreeMap<String, McpServer>,
    /// To look at the configuration again: servers come while the process runs.
    options: GlobalOptions,
    /// One question at a time on one terminal.
    turn: Mutex<()>,
    may_prompt: Arc<AtomicBool>,
}

/// The desk of this process; its switch takes the terminal away.
pub(in crate::app) fn desk(surroundings: &Surroundings) -> (Desk, Arc<AtomicBool>) {
    let config = surroundings.config();
    let may_prompt = Arc::new(AtomicBool::new(true));
    let person = AtTerminal {
        timeout: Duration::from_secs(config.approvals.timeout_seconds),
        env: surroundings.host.env.clone(),
        room: surroundings.home.root().join("mcp").join("sampling"),
        servers: config.mcp_servers.clone(),
        options: surroundings.options.clone(),
        turn: Mutex::new(()),
        may_prompt: Arc::clone(&may_prompt),
    };
    (Desk::new(Arc::new(person)), may_prompt)
}

impl AtTerminal {
    /// A server as it is configured: one that came later is looked up where the others came from.
    fn server(&self, name: &str) -> Option<McpServer> {
        self.servers.get(name).cloned().or_else(|| {
            let now = Surroundings::discover(&self.options).ok()?;
            now.config().mcp_servers.get(name).cloned()
        })
    }

    /// Holds a conversation on a thread of its own, one at a time. Nothing if nobody is there.
    async fn hold<T: Send + 'static>(
        &self,
        conversation: impl FnOnce(&mut dyn FnMut(&str) -> Option<String>) -> T + Send + 'static,
    ) -> Option<T> {
        let _turn = self.turn.lock().await;
        if !self.may_prompt.load(Ordering::Relaxed) || !is_attended() {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let _stopper = Stopper(Arc::clone(&stop));
        let deadline = Instant::now() + self.timeout;
        let held = tokio::task::spawn_blocking(move || {
            forget_typed();
            conversation(&mut |question: &str| {
                say(question);
                match read_line(deadline, &stop) {
                    Typed::Line(line) => Some(line),
                    Typed::End | Typed::Late => None,
                }
            })
        });
        held.await.ok()
    }
}

impl Assistant for AtTerminal {
    fn shows_forms(&self) -> bool {
        self.may_prompt.load(Ordering::Relaxed) && is_attended()
    }

    fn elicit<'a>(&'a self, server: &'a str, asked: Elicitation) -> BoxFuture<'a, Elicited> {
        let server = visible(server);
        Box::pin(async move {
            let answer = match asked {
                Elicitation::Form { message, schema } => {
                    self.hold(move |ask| form::fill(&server, &message, &schema, ask)).await
                }
                Elicitation::Url { message, url, .. } => {
                    self.hold(move |ask| form::visit(&server, &message, &url, ask)).await
                }
            };
            answer.unwrap_or(Elicited::Declined)
        })
    }

    fn sample<'a>(&'a self, server: &'a str, request: Value) -> BoxFuture<'a, Result<Value, String>> {
        Box::pin(async move {
            let config = self.server(server).filter(|config| !config.sampling_program.is_empty());
            let config = config.ok_or("no sampling_program is configured for this server")?;
            let (name, shown) = (visible(server), request.clone());
            match self.hold(move |ask| sampling::agreed(&name, &shown, ask)).await {
                Some(true) => {}
                Some(false) => return Err("the user said no".to_owned()),
                None if config.sampling_unattended => {}
                None => return Err("nobody is there to agree".to_owned()),
            }
            sampling::run(&config, &request, &self.env, &self.room).await
        })
    }

    fn progress(&self, server: &str, progress: Progress) {
        let total = progress.total.map(|total| format!("/{total}")).unwrap_or_default();
        let text = progress.message.map(|text| format!(" {text}")).unwrap_or_default();
        tracing::info!("{server}: {}{total}{text}", progress.done);
    }
}

struct Stopper(Arc<AtomicBool>);

impl Drop for Stopper {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
