//! When MCP servers are asked for their tools for the first time: not before somebody wants to know them, and only those
//! whose tools the run would take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use hermes_core::text::visible;
use hermes_core::{Source, names};
use hermes_mcp::{Hub, Server};
use hermes_runtime::Runtime;
use hermes_runtime::toolsets::Selection;

use super::build::App;
use super::mcp::add_tools;
use crate::render::{ColorChoice, Style, warn};

/// How long a search waits for servers whose tools are not known yet.
const MEETING: Duration = Duration::from_millis(1_500);

pub(crate) struct Meeting {
    pub(super) hub: Arc<Hub>,
    pub(super) runtime: Arc<Runtime>,
    selection: Selection,
    /// Whether somebody wanted to know what there is.
    begun: AtomicBool,
}

impl Meeting {
    pub(super) fn new(hub: Arc<Hub>, runtime: Arc<Runtime>, selection: Selection) -> Self {
        Meeting { hub, runtime, selection, begun: AtomicBool::new(false) }
    }

    /// Those of the wanted whose tools are not known yet and would be taken. No other may be started before it is called.
    fn unmet(&self, wanted: impl Fn(&Server) -> bool) -> Vec<Arc<Server>> {
        let mut unmet = self.hub.servers();
        unmet.retain(|server| server.record().is_none() && wanted(server));
        if !unmet.is_empty() {
            let (table, registered) = (self.runtime.toolsets().table(), self.runtime.registry().snapshot());
            unmet.retain(|server| self.selection.may_take(&server.config().name, &table, &registered));
        }
        unmet
    }

    /// Somebody wants to know what there is for the first time: all are asked, and nobody waits for any.
    pub(crate) fn begin(&self) {
        if !self.begun.swap(true, Ordering::Relaxed) {
            self.go_on();
        }
    }

    /// Asks those that came since, if anybody wants to know.
    pub(super) fn go_on(&self) {
        if !self.begun.load(Ordering::Relaxed) {
            return;
        }
        for server in self.unmet(|_| true) {
            tokio::spawn(async move {
                let _ = server.meet().await;
            });
        }
    }

    /// Asks those that a call of this name means, and waits for them.
    pub(crate) async fn of_call(&self, name: &str) {
        let called = names::normalise(name);
        let meant = self.unmet(|server| means(&called, server));
        let meet = |server| self.meet(server, vec![name.to_owned()], Duration::MAX);
        join_all(meant.into_iter().map(meet)).await;
    }

    /// Asks all of them, and waits for them.
    pub(crate) async fn of_all(&self) {
        let meet = |server| self.meet(server, Vec::new(), Duration::MAX);
        join_all(self.unmet(|_| true).into_iter().map(meet)).await;
    }

    /// Asks one server of which these tools are called, and waits so long. After that it is met in the background.
    async fn meet(&self, server: Arc<Server>, called: Vec<String>, limit: Duration) {
        let name = server.config().name.clone();
        let met = tokio::spawn(async move { server.meet().await });
        let told = match tokio::time::timeout(limit, met).await {
            Ok(Ok(Err(reason))) => Some(reason),
            Ok(_) => None,
            Err(_) => Some(format!("MCP server '{name}' is still starting; its tools are not known yet")),
        };
        let Some(source) = self.hub.source(&name) else { return };
        if let Some(reason) = &told {
            warn(Style::for_stderr(ColorChoice::Auto), "note:", &visible(reason));
        }
        match told {
            // The call will find no tool of that name; whoever made it should know why.
            Some(reason) if !called.is_empty() => {
                self.runtime.registry().replace_all(source.owner(), source.unreached(&called, &reason));
            }
            _ => add_tools(self.runtime.registry(), &source).await,
        }
    }
}

/// Whether a call may be one of this server's.
fn means(called: &str, server: &Server) -> bool {
    called.starts_with(&format!("mcp_{}_", names::normalise(&server.config().name)))
}

impl App {
    /// Asks servers whose tools are not known yet, if one of these calls may mean them.
    pub(crate) async fn meet_servers<'a>(&self, called: impl IntoIterator<Item = &'a str>) {
        self.mcp.look_again();
        let called: Vec<(String, &str)> =
            called.into_iter().map(|name| (names::normalise(name), name)).collect();
        let by_search = called.iter().any(|(name, _)| name.starts_with("tool_"));
        let named = |server: &Server| -> Vec<String> {
            let named = called.iter().filter(|(name, _)| means(name, server));
            named.map(|(_, called)| (*called).to_owned()).collect()
        };
        let unmet = self.meeting.unmet(|server| by_search || !named(server).is_empty());
        let meeting = unmet.into_iter().map(|server| {
            let called = named(&server);
            // A search only may mean it.
            let limit = if called.is_empty() { MEETING } else { Duration::MAX };
            self.meeting.meet(server, called, limit)
        });
        join_all(meeting).await;
    }
}
