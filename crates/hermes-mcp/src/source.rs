//! All servers of a process, each a source of tools for the registry.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{BoxFuture, join_all};
use hermes_core::{AnyTool, Owner, Source};
use hermes_host::home::Home;
use hermes_host::{Clock, Env, Http};
use tokio::sync::{broadcast, mpsc, watch};

use crate::assistant::Desk;
use crate::client::{Server, ServerParts, Status, Updated, Updates};
use crate::config::ServerConfig;
use crate::login::LoginStore;
use crate::manifest::{ManifestStore, Record, ToolDef};
use crate::names::{self, Named};
use crate::tool::McpTool;
use crate::utility::{Utility, UtilityTool};

/// What the servers need of the application around them.
pub struct HubParts {
    pub home: Home,
    pub env: Env,
    pub clock: Clock,
    pub http: Http,
    /// Who answers what servers ask.
    pub desk: Desk,
}

/// All configured servers.
pub struct Hub {
    servers: BTreeMap<String, Arc<Server>>,
    /// Names that tools have, by server: no name may mean two tools.
    names: Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>,
    changed: Mutex<Option<mpsc::UnboundedReceiver<String>>>,
    updates: Updates,
    settled: watch::Sender<()>,
}

impl Hub {
    /// Nothing is started.
    pub fn new(configs: Vec<ServerConfig>, parts: HubParts) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let updates = Updates::default();
        let shared = ServerParts {
            store: ManifestStore::of(&parts.home),
            logs: parts.home.logs_dir(),
            logins: LoginStore::of(&parts.home),
            env: parts.env,
            clock: parts.clock,
            http: parts.http,
            desk: parts.desk,
            changed: sender,
            updates: updates.clone(),
        };
        let server = |config: ServerConfig| (config.name.clone(), Server::new(config, shared.clone()));
        Hub {
            servers: configs.into_iter().map(server).collect(),
            names: Arc::default(),
            changed: Mutex::new(Some(receiver)),
            updates,
            settled: watch::Sender::new(()),
        }
    }

    /// All servers, by name.
    pub fn servers(&self) -> impl Iterator<Item = &Arc<Server>> {
        self.servers.values()
    }

    pub fn server(&self, name: &str) -> Option<&Arc<Server>> {
        self.servers.get(name)
    }

    /// The source of one server's tools.
    pub fn source(&self, name: &str) -> Option<ServerSource> {
        let server = Arc::clone(self.servers.get(name)?);
        Some(ServerSource { server, names: Arc::clone(&self.names) })
    }

    pub fn sources(&self) -> Vec<ServerSource> {
        self.servers.keys().filter_map(|name| self.source(name)).collect()
    }

    /// The names of servers whose tools may be others than before, as it happens. There is one such stream.
    pub fn changes(&self) -> Option<mpsc::UnboundedReceiver<String>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Says that what [`Hub::changes`] told has been taken over.
    pub fn settle(&self) {
        self.settled.send_replace(());
    }

    /// Fires when a change has been taken over.
    pub fn settled(&self) -> watch::Receiver<()> {
        self.settled.subscribe()
    }

    /// Resources that changed, of those that somebody follows.
    pub fn updates(&self) -> broadcast::Receiver<Updated> {
        self.updates.listen()
    }

    /// Looks whether other processes know more of the servers by now.
    pub fn look_again(&self) {
        self.servers.values().for_each(|server| server.look_again());
    }

    pub fn status(&self) -> Vec<Status> {
        self.servers.values().map(|server| server.status()).collect()
    }

    /// Ends all programs.
    pub async fn shut_down(&self) {
        join_all(self.servers.values().map(|server| server.shut_down())).await;
    }
}

/// A server's tools and what else is reached through tools, each by its name here.
type NamedTools<'a> = (Vec<(&'a ToolDef, Named)>, Vec<(Utility, Named)>);

/// One server as a source of tools.
pub struct ServerSource {
    server: Arc<Server>,
    names: Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>,
}

impl ServerSource {
    pub fn server(&self) -> &Arc<Server> {
        &self.server
    }

    fn make(&self) -> Vec<Arc<dyn AnyTool>> {
        let Some(record) = self.server.record() else { return Vec::new() };
        let (tools, utilities) = self.named(&record);
        let own = tools.into_iter().map(|(definition, named)| {
            let verdict = record.judge(definition);
            Arc::new(McpTool::new(Arc::clone(&self.server), definition, named, verdict)) as Arc<dyn AnyTool>
        });
        let more = utilities.into_iter().map(|(utility, named)| {
            Arc::new(UtilityTool::new(Arc::clone(&self.server), utility, named)) as Arc<dyn AnyTool>
        });
        own.chain(more).collect()
    }

    /// The server's tools and what else is reached through tools, each by its name here.
    pub(crate) fn named<'a>(&self, record: &'a Record) -> NamedTools<'a> {
        let config = self.server.config();
        let tools: Vec<_> = record.seen.tools.iter().filter(|tool| config.filter.takes(&tool.name)).collect();
        let utilities = Utility::of(&record.seen, &self.server);
        let raw = tools.iter().map(|tool| tool.name.as_str());
        let raw: Vec<&str> = raw.chain(utilities.iter().map(|utility| utility.name())).collect();
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.remove(&config.name);
        let taken: BTreeSet<String> = names.values().flatten().cloned().collect();
        let named = names::assign(&config.name, &raw, &taken);
        let mine = named.iter().flatten();
        let mine = mine.flat_map(|named| std::iter::once(named.name.clone()).chain(named.alias.clone()));
        names.insert(config.name.clone(), mine.collect());
        let mut named = named.into_iter();
        let tools = tools.into_iter().zip(named.by_ref());
        let tools = tools.filter_map(|(definition, named)| Some((definition, named?))).collect();
        let utilities = utilities.into_iter().zip(named);
        (tools, utilities.filter_map(|(utility, named)| Some((utility, named?))).collect())
    }
}

impl Source for ServerSource {
    fn owner(&self) -> Owner {
        Owner::Mcp(self.server.config().name.clone())
    }

    fn tools(&self) -> BoxFuture<'_, Result<Vec<Arc<dyn AnyTool>>, String>> {
        Box::pin(std::future::ready(Ok(self.make())))
    }
}
