//! One call to a server: its place in the queue, its deadline, and whether it may be tried twice.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hermes_core::{CallContext, ToolError};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, JsonObject, PingRequest,
    ServerResult,
};
use tokio_util::sync::CancellationToken;

use super::allowance::PER_CALL;
use super::fault::Fault;
use super::link::Link;
use super::salvage;
use super::server::Server;
use crate::assistant::Assistant;
use crate::manifest::Verdict;

/// How long a server that let a call time out may take to show that it is alive.
const PING_LIMIT: Duration = Duration::from_secs(5);
/// How often a server may ask something back before it answers.
const MAX_ROUNDS: usize = 10;

/// Counts a call of a server as long as it lives.
struct Counted<'a>(&'a Server);

impl<'a> Counted<'a> {
    fn new(server: &'a Server) -> Self {
        server.calls.fetch_add(1, Ordering::Relaxed);
        server.stir();
        Counted(server)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::Relaxed);
        self.0.stir();
    }
}

/// Who makes a call, and how it can be given up.
pub(crate) struct Caller<'a> {
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) behind: Arc<dyn Assistant>,
}

impl Server {
    /// Who makes a call, as the desk of this process knows it.
    pub(crate) fn caller<'a>(&self, cx: &'a CallContext) -> Caller<'a> {
        Caller { cancel: cx.cancel(), behind: self.parts().desk.behind(cx.call_id()) }
    }

    /// Calls a tool by the server's own name for it. `harmless` says that running it twice is as good as once.
    pub(crate) async fn call_tool(
        self: &Arc<Self>,
        tool: &str,
        arguments: JsonObject,
        harmless: bool,
        caller: &Caller<'_>,
    ) -> Result<CallToolResult, ToolError> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let allowed = || self.is_accepted(tool);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        match self.ask(request, allowed, harmless, caller).await? {
            ServerResult::CallToolResult(result) => Ok(result),
            ServerResult::CreateTaskResult(_) => {
                Err(self.nonsense("it made a task, which nobody asked for", harmless))
            }
            // The SDK reads all of a result or nothing of it.
            other => {
                let salvaged = serde_json::to_value(&other).ok().and_then(salvage::call_result);
                salvaged.ok_or_else(|| self.nonsense("not the result of a call", harmless))
            }
        }
    }

    fn nonsense(&self, what: &str, harmless: bool) -> ToolError {
        Fault::Nonsense(what.to_owned()).into_error(&self.config.name, harmless)
    }

    /// A request in its place in the queue, with all the questions that the server has before it answers.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        mut request: ClientRequest,
        allowed: impl Fn() -> Result<(), ToolError>,
        harmless: bool,
        caller: &Caller<'_>,
    ) -> Result<ServerResult, ToolError> {
        let name = &self.config.name;
        let given_up = || Fault::Cancelled { sent: false }.into_error(name, harmless);
        let _counted = Counted::new(self);
        let place = tokio::select! {
            place = self.places.acquire() => place,
            () = caller.cancel.cancelled() => return Err(given_up()),
        };
        let _place = place.map_err(|_| given_up())?;
        let mut questions = 0;
        for _ in 0..MAX_ROUNDS {
            let (link, answer) = self.ask_once(&request, &allowed, harmless, caller).await?;
            let ServerResult::InputRequiredResult(wanted) = answer else { return Ok(answer) };
            questions += wanted.input_requests.as_ref().map_or(0, |asked| asked.len());
            if questions > PER_CALL {
                return Err(self.nonsense("it had more questions than one call may have", harmless));
            }
            let next = tokio::select! {
                next = link.next_round(request, wanted, &*caller.behind) => next,
                () = caller.cancel.cancelled() => return Err(given_up()),
            };
            request = next.map_err(|fault| fault.into_error(name, harmless))?;
        }
        Err(self.nonsense("it had one question after the other", harmless))
    }

    /// One request. It is repeated once, and only if nothing of it was sent or if repeating is harmless.
    async fn ask_once(
        self: &Arc<Self>,
        request: &ClientRequest,
        allowed: &impl Fn() -> Result<(), ToolError>,
        harmless: bool,
        caller: &Caller<'_>,
    ) -> Result<(Arc<Link>, ServerResult), ToolError> {
        let name = &self.config.name;
        let mut repeats = 1;
        loop {
            let link = tokio::select! {
                link = self.link() => link.map_err(|fault| fault.into_error(name, harmless))?,
                () = caller.cancel.cancelled() => {
                    return Err(Fault::Cancelled { sent: false }.into_error(name, harmless));
                }
            };
            // Connecting showed the server's tools anew: what the user agreed to may be another tool now.
            allowed()?;
            let asked = link.asking.begin(Arc::clone(&caller.behind));
            let deadline = self.config.call_timeout;
            let fault = match link.request(request.clone(), deadline, caller.cancel, Some(&asked)).await {
                Ok(result) => {
                    self.backoff().worked();
                    self.touch();
                    return Ok((link, result));
                }
                Err(fault) => fault,
            };
            match &fault {
                Fault::NotSent(reason) | Fault::Lost(reason) => self.retire(&link, reason).await,
                // Sessions end; that is no failure.
                Fault::SessionGone | Fault::SessionEnded => {
                    self.backoff().worked();
                    self.let_go(&link).await;
                }
                Fault::TimedOut { .. } => self.suspect(link),
                Fault::NeedsLogin { challenge, .. } => self.wants_login(&link, challenge).await,
                // Any answer shows a working server, also a refusal.
                _ => self.backoff().worked(),
            }
            let lost = matches!(fault, Fault::Lost(_) | Fault::Unanswered(_) | Fault::SessionEnded);
            let unsent = matches!(fault, Fault::NotSent(_) | Fault::SessionGone);
            let again = unsent || (harmless && lost);
            if again && repeats > 0 {
                repeats -= 1;
                continue;
            }
            return Err(fault.into_error(name, harmless));
        }
    }

    /// After a call that timed out: a server that does not even answer a ping is replaced.
    fn suspect(self: &Arc<Self>, link: Arc<Link>) {
        let server = Arc::clone(self);
        tokio::spawn(async move {
            let ping = ClientRequest::PingRequest(PingRequest::default());
            match link.request(ping, PING_LIMIT, &CancellationToken::new(), None).await {
                Ok(_) | Err(Fault::Refused { .. }) => {}
                Err(_) => server.retire(&link, "it stopped answering").await,
            }
        });
    }

    /// Whether the user agreed to a tool as it is now.
    fn is_accepted(&self, tool: &str) -> Result<(), ToolError> {
        let name = &self.config.name;
        let Some(verdict) = self.record().and_then(|record| self.verdicts.of(&record, tool)) else {
            return Err(ToolError::not_found(format!("MCP server '{name}' has no tool '{tool}' any more")));
        };
        verdict.permits(tool, name)
    }

    /// Whether what the server has beside tools may be used.
    pub(crate) fn is_the_same(&self, what: &str) -> Result<(), ToolError> {
        let verdict = self.record().map_or(Verdict::Accepted, |record| record.judge_server());
        verdict.permits(what, &self.config.name)
    }
}
