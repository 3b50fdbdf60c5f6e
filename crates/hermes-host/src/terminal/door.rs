//! Runs commands for sessions: judged where they really run, bounded, ended when told to.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_core::ports::Ports;
use hermes_core::{CallContext, ErrorCode, SessionIdentity, ToolError};

use tokio::io::AsyncWriteExt as _;
use tokio::time::Instant;

use super::arranged::Arranged;
use super::backends::{Backend, Prepared, backend};
use super::follow::{Following, follow};
use super::job::{Command, Ending, Ran};
use super::judged::Remembered;
use super::processes::Registry;
use super::release::unset_only;
use super::repl::Repls;
use super::settings::{BackendSettings, TerminalSettings};
use super::state::{ShellState, States, nearest_folder};
use super::{environment, script, walls};
use crate::env::Env;
use crate::process::{Bounds, Child, PROCESS_LIMIT};

/// The exit code of ssh where the connection failed.
pub(super) const CLIENT_FAILED: i32 = 255;

/// The terminals of an application. Cheap to clone.
#[derive(Clone)]
pub struct Terminals {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) settings: TerminalSettings,
    pub(super) env: Env,
    base: BTreeMap<String, String>,
    pub(super) user_home: PathBuf,
    pub(super) hermes_home: PathBuf,
    states: States,
    pub(super) backend: Box<dyn Backend>,
    pub(super) processes: Registry,
    pub(super) repls: Repls,
    /// Where sessions are at home on the other side.
    pub(super) homes: Mutex<HashMap<String, PathBuf>>,
    pub(super) typing: tokio::sync::Mutex<()>,
    pub(super) known_walls: Mutex<HashMap<(String, String), Remembered>>,
    /// Sessions whose commands run somewhere else than those of the others.
    pub(super) sessions: BTreeMap<String, Terminals>,
}

impl fmt::Debug for Terminals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminals").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}

impl Terminals {
    pub fn new(settings: TerminalSettings, env: Env, hermes_home: PathBuf) -> Self {
        let user_home = env.get("HOME").map(PathBuf::from).or_else(std::env::home_dir);
        let user_home = user_home.unwrap_or_else(|| PathBuf::from("/"));
        let local = matches!(settings.backend, BackendSettings::Local);
        // Elsewhere the environment is the other side's own.
        let base = if local { environment::base(&env, &settings.env_passthrough) } else { BTreeMap::new() };
        let backend = backend(&settings, &env, &hermes_home);
        let sessions = settings.sessions.iter().map(|(session, elsewhere)| {
            let own = TerminalSettings {
                backend: elsewhere.clone(),
                sessions: BTreeMap::new(),
                ..settings.clone()
            };
            (session.clone(), Terminals::new(own, env.clone(), hermes_home.clone()))
        });
        let inner = Inner {
            sessions: sessions.collect(),
            states: States::new(&hermes_home, settings.secret_env.clone()),
            settings,
            env,
            base,
            user_home,
            backend,
            processes: Registry::new(&hermes_home),
            repls: Repls::default(),
            homes: Mutex::default(),
            typing: tokio::sync::Mutex::default(),
            known_walls: Mutex::default(),
            hermes_home,
        };
        Terminals { inner: Arc::new(inner) }
    }

    /// Where the commands of a session run.
    pub(crate) fn of(&self, session: &str) -> &Terminals {
        self.inner.sessions.get(session).unwrap_or(self)
    }

    pub fn settings(&self) -> &TerminalSettings {
        &self.inner.settings
    }

    /// Whether commands can run where the settings say; what is there, or what to do about it.
    pub async fn check(&self) -> Result<String, String> {
        self.inner.backend.check().await
    }

    /// Takes away the containers that sessions left to be used again; how many there were.
    pub async fn clean(&self) -> Result<usize, String> {
        self.inner.backend.clean().await
    }

    /// Where the session's next command would run, on this machine.
    pub(crate) async fn standing(
        &self,
        session: &SessionIdentity,
        ports: &Ports,
    ) -> Result<Option<PathBuf>, ToolError> {
        let inner = &*self.of(&session.id).inner;
        if !inner.is_local() {
            return Ok(None);
        }
        let state = inner.states.of(session, ports).await?;
        let standing = state.cwd.unwrap_or_else(|| inner.first_folder(&session.cwd));
        Ok(Some(nearest_folder(&standing)))
    }

    /// Runs a command to its end.
    pub async fn run(&self, command: &Command, cx: &CallContext) -> Result<Ran, ToolError> {
        let own_place = self.of(&cx.session().id);
        let inner = &*own_place.inner;
        let state = inner.states.load(cx).await?;
        own_place.learn_home(cx).await;
        let (name, mark) = (script::new_mark(), script::new_mark());
        let own = command.variables(inner.is_local());
        let unset = unset_only(&command.line).filter(|_| command.env.is_empty());
        let standing = if unset.is_some() { state.bare() } else { state.clone() };
        let Arranged { prepared, cwd, closed, kept, moved, there, announced } =
            own_place.arrange(command, &standing, (&name, Some(&mark)), cx).await?;
        let Prepared { launch, input, mut place } = prepared;
        let limit = command.timeout.unwrap_or(inner.settings.timeout);
        let begun = Instant::now();
        let started = tokio::time::timeout(limit, Child::start(&launch)).await;
        let mut child = started.map_err(|_| not_begun(limit))?.map_err(|reason| failed(&reason))?;
        announced.begun();
        let mut stdin = child.stdin.take();
        let telling = async {
            if let Some(stdin) = &mut stdin {
                // A shell that ends before it has read this tells nothing, and that is what is taken then. The stream
                // stays open: by its end the other side knows that nobody waits any more.
                let _ = stdin.write_all(&input).await;
            }
        };
        if launch.confinement.is_some() {
            let (level, lacking) = child.level();
            (place.sandbox, place.lacking) = (level.as_str(), walls::lacking(level, lacking));
        }
        place.bounds = child.bounds().map(Bounds::as_str);
        let following = Following {
            mark: (!launch.tells).then_some(&mark),
            timeout: limit,
            begun,
            most: inner.settings.output_chars,
            there: &there,
        };
        let (mut ran, told) = follow(child, telling, place, &following, cx).await?;
        ran.closed = closed;
        ran.kept = kept;
        ran.moved = moved;
        let stood = told.as_deref().and_then(script::read);
        // A client that fails or is killed may have lost a command that goes on.
        if ran.ending == Ending::Exited {
            let is_known = ran.exit_code != CLIENT_FAILED && ran.signal.is_none();
            match stood.is_some() || is_known {
                true => there.disarm(),
                false => ran.unsure = !inner.is_local(),
            }
        }
        let after = match &stood {
            Some(stood) => {
                let after = match &unset {
                    Some(names) => state.without(names, &inner.base),
                    None => state.after(stood, &inner.base, &own, command.workdir.is_none()),
                };
                let (after, unkept) = after.bounded(inner.backend.most_kept());
                ran.unkept = unkept.into_iter().chain(stood.unreadable.iter().cloned()).collect();
                after
            }
            // Killed before it could tell: everything stays as it was before.
            None => state.clone(),
        };
        ran.cwd = after.cwd.clone().unwrap_or(cwd);
        inner.states.save(cx, &state, after).await?;
        Ok(ran)
    }
}

pub(super) fn failed(reason: &str) -> ToolError {
    let error = ToolError::new(ErrorCode::Unavailable, format!("the command could not be started: {reason}"));
    if reason.contains("sandbox") {
        let hint = "'hermes sandbox test' shows what this machine can enforce.";
        return error.for_good().with_hint(hint);
    }
    if reason.contains(PROCESS_LIMIT) {
        return error.for_good().with_hint("The user can raise terminal.limits.processes.");
    }
    error
}

fn not_begun(limit: Duration) -> ToolError {
    let message = format!("the command had not begun after {} s and was given up", limit.as_secs());
    ToolError::new(ErrorCode::Timeout, message).with_hint(
        "The machine may be busy. What began in the last moment was ended: look whether it took effect before you try again.",
    )
}

pub(super) fn no_folder(wanted: &str) -> ToolError {
    ToolError::not_found(format!("workdir '{wanted}' is not a folder"))
        .with_hint("Give a folder that exists, absolute or relative to the session's current one.")
}

impl Inner {
    pub(super) fn base(&self) -> &BTreeMap<String, String> {
        &self.base
    }

    pub(super) async fn state(&self, cx: &CallContext) -> Result<ShellState, ToolError> {
        self.states.load(cx).await
    }

    pub(super) async fn save_state(
        &self,
        cx: &CallContext,
        before: &ShellState,
        after: ShellState,
    ) -> Result<(), ToolError> {
        self.states.save(cx, before, after).await
    }

    /// The folder of this command: its own, else where the session's last one stood.
    pub(super) fn folder(
        &self,
        command: &Command,
        state: &ShellState,
        cx: &CallContext,
    ) -> Result<PathBuf, ToolError> {
        let standing = self.standing_folder(state, cx);
        if !self.is_local() {
            // Whether it is there is asked on the other side, once that may be known.
            return Ok(command.workdir.as_ref().map_or(standing.clone(), |wanted| {
                match wanted.starts_with('~') {
                    true => PathBuf::from(wanted),
                    false => standing.join(wanted),
                }
            }));
        }
        let Some(wanted) = &command.workdir else { return Ok(nearest_folder(&standing)) };
        let path = standing.join(self.expanded(wanted));
        path.canonicalize().ok().filter(|path| path.is_dir()).ok_or_else(|| no_folder(wanted))
    }

    /// Where the session's last command stood.
    pub(super) fn standing_folder(&self, state: &ShellState, cx: &CallContext) -> PathBuf {
        state.cwd.clone().unwrap_or_else(|| self.first_folder(cx.cwd()))
    }

    pub(super) fn first_folder(&self, own: &Path) -> PathBuf {
        let configured = self.settings.cwd.as_deref().filter(|cwd| *cwd != ".");
        if let Some(first) = self.backend.first_folder() {
            return PathBuf::from(configured.unwrap_or(first));
        }
        configured.map_or_else(|| own.to_owned(), |cwd| own.join(self.expanded(cwd)))
    }

    pub(super) fn expanded(&self, path: &str) -> PathBuf {
        match path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => self.user_home.join(rest.trim_start_matches('/')),
            None => PathBuf::from(path),
        }
    }

    pub(super) fn is_local(&self) -> bool {
        self.backend.first_folder().is_none()
    }
}
