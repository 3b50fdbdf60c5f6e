//! Keeps a plugin running: started when first needed, again when it died, and not for ever if it always does.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hermes_core::{CallContext, ErrorCode, ToolError};
use hermes_host::process::Level;
use serde_json::Value;
use tokio::sync::Mutex;

use super::plan::Plan;
use super::running::{Request, Running, cancelled};

/// So many starts within this time are a plugin that cannot live.
const MAX_STARTS: usize = 5;
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// One plugin and its process.
pub(super) struct Supervisor {
    plan: Plan,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    process: Option<Arc<Running>>,
    starts: VecDeque<Instant>,
    /// Whether it was started for a call, behind the walls of its rules.
    held: bool,
}

impl Supervisor {
    pub(super) fn new(plan: Plan) -> Arc<Self> {
        Arc::new(Supervisor { plan, state: Mutex::default() })
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Asks the plugin, started if it has to be. A request that it had when it died is not sent again.
    pub(super) async fn ask(&self, request: &Request<'_>) -> Result<Value, ToolError> {
        let process = tokio::select! {
            process = self.process(request.call()) => process?,
            () = request.cancelled() => return Err(cancelled()),
        };
        process.ask(request, &self.plan).await.map_err(|error| match process.is_dead() {
            true => error.with_operator(process.last_words()),
            false => error,
        })
    }

    /// How surely the running plugin is held, starting it if it has to be.
    pub(super) async fn level(&self) -> Result<Level, ToolError> {
        Ok(self.process(None).await?.level())
    }

    /// What it said last on standard error, if it ever ran.
    pub(super) async fn last_words(&self) -> String {
        self.state.lock().await.process.as_ref().map(|process| process.last_words()).unwrap_or_default()
    }

    pub(super) async fn shut_down(&self) {
        let process = self.state.lock().await.process.take();
        if let Some(process) = process {
            process.shut_down().await;
        }
    }

    async fn process(&self, call: Option<&CallContext>) -> Result<Arc<Running>, ToolError> {
        let mut state = self.state.lock().await;
        let is_held = state.held || call.is_none() || !self.plan.grant.writes();
        match state.process.as_ref().filter(|process| !process.is_dead()) {
            Some(process) if is_held => return Ok(Arc::clone(process)),
            // It was only asked what it is.
            Some(process) => process.shut_down().await,
            None => {}
        }
        let now = Instant::now();
        while state.starts.front().is_some_and(|start| now.duration_since(*start) > STARTS_WITHIN) {
            state.starts.pop_front();
        }
        if state.starts.len() >= MAX_STARTS {
            let words = state.process.as_ref().map(|process| process.last_words()).unwrap_or_default();
            return Err(
                self.unavailable("it ended again and again; it is tried once more in a minute", &words)
            );
        }
        state.starts.push_back(now);
        let process = Running::start(&self.plan, call).await.map_err(|why| self.unavailable(&why, ""))?;
        let process = Arc::new(process);
        (state.process, state.held) = (Some(Arc::clone(&process)), call.is_some());
        Ok(process)
    }

    fn unavailable(&self, why: &str, words: &str) -> ToolError {
        let text = format!("the plugin {} cannot be used: {why}", self.plan.manifest.id);
        ToolError::new(ErrorCode::Unavailable, text).with_operator(words)
    }
}
