//! All servers of a process, each a source of tools for the registry.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use futures_util::future::{BoxFuture, join_all};
use hermes_core::{AnyTool, Owner, Source};
use hermes_host::home::Home;
use hermes_host::{Clock, Env, Http};
use tokio::sync::{broadcast, mpsc, watch};

use crate::assistant::Desk;
use crate::board::{Board, Notice, Overview, Posted, Using};
use crate::book::{NameBook, Names, Servers};
use crate::client::{Server, ServerParts, State, Status, Updated, Updates};
use crate::config::ServerConfig;
use crate::login::LoginStore;
use crate::manifest::{ManifestStore, Record, ToolDef};
use crate::names::Named;
use crate::secrets::Secrets;
use crate::tool::McpTool;
use crate::unreached::Unreached;
use crate::utility::{Utility, UtilityTool};

/// The shortest time between two words on how the servers fare.
const POSTING: Duration = Duration::from_millis(100);

/// What the servers need of the application around them.
pub struct HubParts {
    pub home: Home,
    pub env: Env,
    pub clock: Clock,
    pub http: Http,
    /// Who answers what servers ask.
    pub desk: Desk,
    /// What no log may show, by name; nothing where all may be shown.
    pub secrets: Option<Vec<(String, String)>>,
}

/// Where servers have the folders that they are started in, one each.
pub fn rooms(home: &Home) -> PathBuf {
    home.root().join("mcp").join("rooms")
}

/// All configured servers.
pub struct Hub {
    servers: Arc<Servers>,
    /// What every server gets.
    shared: ServerParts,
    names: Arc<NameBook>,
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
            rooms: rooms(&parts.home),
            logins: LoginStore::of(&parts.home),
            env: parts.env,
            clock: parts.clock,
            http: parts.http,
            desk: parts.desk,
            changed: sender.clone(),
            updates: updates.clone(),
            board: Board::of(&parts.home),
            stirred: Arc::default(),
            secrets: Secrets::new(parts.secrets),
        };
        let server = |config: ServerConfig| (config.name.clone(), Server::new(config, shared.clone()));
        let servers: Arc<Servers> = Arc::new(RwLock::new(configs.into_iter().map(server).collect()));
        Hub {
            names: Arc::new(NameBook::new(Arc::clone(&servers), sender)),
            servers,
            shared,
            changed: Mutex::new(Some(receiver)),
            updates,
            settled: watch::Sender::new(()),
        }
    }

    /// All servers, by name.
    pub fn servers(&self) -> Vec<Arc<Server>> {
        self.all().values().cloned().collect()
    }

    pub fn server(&self, name: &str) -> Option<Arc<Server>> {
        self.all().get(name).cloned()
    }

    fn all(&self) -> RwLockReadGuard<'_, BTreeMap<String, Arc<Server>>> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has exactly these servers from now on. One whose configuration is another is another server; calls under way
    /// keep the one they have, until they end. [`Hub::changes`] tells the names of all that are not what they were.
    pub fn set(&self, configs: Vec<ServerConfig>) {
        let mut wanted: BTreeMap<String, ServerConfig> =
            configs.into_iter().map(|config| (config.name.clone(), config)).collect();
        let mut servers = self.servers.write().unwrap_or_else(PoisonError::into_inner);
        let others = |name: &String, server: &mut Arc<Server>| wanted.get(name) != Some(server.config());
        let mut changed: BTreeSet<String> = BTreeSet::new();
        for (name, server) in servers.extract_if(.., others) {
            changed.insert(name);
            tokio::spawn(async move { server.leave().await });
        }
        wanted.retain(|name, _| !servers.contains_key(name));
        for (name, config) in wanted {
            servers.insert(name.clone(), Server::new(config, self.shared.clone()));
            changed.insert(name);
        }
        drop(servers);
        for name in changed {
            let _ = self.shared.changed.send(name);
        }
    }

    /// What everything of the servers is called here.
    pub(crate) fn names(&self) -> Arc<Names> {
        self.names.names()
    }

    /// The source of one server's tools.
    pub fn source(&self, name: &str) -> Option<ServerSource> {
        let server = self.server(name)?;
        Some(ServerSource { server, names: Arc::clone(&self.names) })
    }

    pub fn sources(&self) -> Vec<ServerSource> {
        self.servers().iter().filter_map(|server| self.source(&server.config().name)).collect()
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
        self.servers().iter().for_each(|server| server.look_again());
    }

    /// How all servers fare, in this process and in others.
    pub fn status(&self) -> Vec<Overview> {
        let posted = self.shared.board.posted();
        self.servers().iter().map(|server| overview(server.status(), &posted)).collect()
    }

    /// Lets other processes know how the servers fare, as long as this one lives.
    pub fn publish(self: &Arc<Self>) {
        let (stirred, hub) = (Arc::clone(&self.shared.stirred), Arc::downgrade(self));
        tokio::spawn(async move {
            let mut notice = None;
            loop {
                stirred.notified().await;
                let Some(hub) = hub.upgrade() else { return };
                let _ = hub.post(&mut notice);
                drop(hub);
                tokio::time::sleep(POSTING).await;
            }
        });
    }

    fn post(&self, notice: &mut Option<Notice>) -> std::io::Result<()> {
        let states = self.servers().into_iter().map(|server| (server.config().name.clone(), server.state()));
        let states: BTreeMap<_, _> = states.filter(|(_, state)| state.rank() > 1).collect();
        if notice.is_none() && !states.is_empty() {
            *notice = Some(self.shared.board.notice()?);
        }
        notice.as_ref().map_or(Ok(()), |notice| notice.write(states))
    }

    /// Ends all programs.
    pub async fn shut_down(&self) {
        let servers = self.servers();
        join_all(servers.iter().map(|server| server.shut_down())).await;
    }
}

/// A server as all processes see it: the one that makes most of it counts.
fn overview(mut status: Status, posted: &[Posted]) -> Overview {
    let state =
        |posted: &Posted| Some(Using { pid: posted.pid, state: posted.servers.get(&status.name)?.clone() });
    let processes: Vec<Using> = posted.iter().filter_map(state).collect();
    let calls =
        processes.iter().map(|using| if let State::InUse { calls } = using.state { calls } else { 0 }).sum();
    if let Some(most) = processes.iter().map(|using| &using.state).max_by_key(|state| state.rank()) {
        match most {
            State::InUse { .. } => status.state = State::InUse { calls },
            most if most.rank() > status.state.rank() => status.state = most.clone(),
            _ => {}
        }
    }
    Overview { status, processes }
}

/// A server's tools and what else is reached through tools, each by its name here.
type NamedTools<'a> = (Vec<(&'a ToolDef, Named)>, Vec<(Utility, Named)>);

/// One server as a source of tools.
pub struct ServerSource {
    server: Arc<Server>,
    names: Arc<NameBook>,
}

impl ServerSource {
    pub fn server(&self) -> &Arc<Server> {
        &self.server
    }

    /// What stands for tools that were called by these names while the server could not be reached.
    pub fn unreached(&self, called: &[String], reason: &str) -> Vec<Arc<dyn AnyTool>> {
        let tool = |name: &String| Arc::new(Unreached::new(&self.server, name, reason)) as Arc<dyn AnyTool>;
        called.iter().map(tool).collect()
    }

    fn make(&self) -> Vec<Arc<dyn AnyTool>> {
        let Some(record) = self.server.record() else { return Vec::new() };
        let (tools, utilities) = self.named(&record);
        let own = tools.into_iter().map(|(definition, named)| {
            let verdict = record.judge(definition);
            Arc::new(McpTool::new(Arc::clone(&self.server), definition, named, verdict)) as Arc<dyn AnyTool>
        });
        let more = utilities.into_iter().map(|(utility, named)| {
            Arc::new(UtilityTool::new(Arc::clone(&self.server), utility, named, record.judge_server()))
                as Arc<dyn AnyTool>
        });
        own.chain(more).collect()
    }

    /// The server's tools and what else is reached through tools, each by its name here.
    pub(crate) fn named<'a>(&self, record: &'a Record) -> NamedTools<'a> {
        let config = self.server.config();
        let names = self.names.names();
        let name = |raw: &str| names.tools.get(&config.name)?.get(raw).cloned();
        let mut seen = BTreeSet::new();
        let mut tools = Vec::new();
        for tool in record.seen.tools.iter().filter(|tool| config.filter.takes(&tool.name)) {
            // Until the user agrees, what it would replace stays.
            if Utility::is_name(&tool.name, &record.seen) && !record.judge(tool).is_accepted() {
                continue;
            }
            // Of several definitions of one tool the first counts.
            let named = name(&tool.name).filter(|_| seen.insert(tool.name.as_str()));
            tools.extend(named.map(|named| (tool, named)));
        }
        let utilities = Utility::of(&record.seen, &self.server).into_iter();
        // The server's own tool of that name goes first, where the user agreed to it.
        let utilities = utilities.filter(|utility| !seen.contains(utility.name()));
        let utilities = utilities.filter_map(|utility| Some((utility, name(utility.name())?)));
        (tools, utilities.collect())
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
