//! What a session's shell remembers between commands: its folder and what it exported.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hermes_core::ports::Ports;
use hermes_core::redact::Redactor;
use hermes_core::{CallContext, SessionIdentity, ToolError};
use serde::{Deserialize, Serialize};

use super::environment;
use super::learned::learn;
use super::quote::quoted_text;
use super::script::Stood;
use crate::env_file::{EnvDocument, EnvFile, is_name};
use crate::home::Home;
use crate::secrets;

/// Where the state of a session is kept.
const SLOT: &str = "terminal";

/// The folder, and how the environment differs from what every session starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ShellState {
    pub(super) cwd: Option<PathBuf>,
    /// `None`: taken away.
    pub(super) changed: BTreeMap<String, Option<String>>,
}

impl ShellState {
    /// The whole environment of the next command.
    pub(super) fn environment(&self, base: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut environment = base.clone();
        for (name, value) in &self.changed {
            match value {
                Some(value) => environment.insert(name.clone(), value.clone()),
                // A shell without it would look in places of its own choice, the folder it stands in among them.
                None if name == "PATH" => base.get(name).cloned(),
                None => environment.remove(name),
            };
        }
        // What was kept in another time may have other names.
        environment.retain(|name, _| is_name(name));
        environment
    }

    /// The state after a command that stood like this at its end. `own` were given for that command only.
    pub(super) fn after(
        &self,
        stood: &Stood,
        base: &BTreeMap<String, String>,
        own: &BTreeMap<String, String>,
        keep_cwd: bool,
    ) -> Self {
        let now: BTreeMap<&str, &str> = stood
            .exports
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(|(name, _)| environment::may_be_kept(name))
            .collect();
        let kept = |name: &str| own.contains_key(name).then(|| self.changed.get(name).cloned()).flatten();
        let mut changed: BTreeMap<String, Option<String>> = now
            .iter()
            .filter(|(name, value)| {
                base.get(**name).map(String::as_str) != Some(**value)
                    && own.get(**name).map(String::as_str) != Some(**value)
            })
            .map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())))
            .collect();
        let taken_away = self.changed.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name);
        let gone = base.keys().chain(taken_away).filter(|name| !now.contains_key(name.as_str()));
        changed.extend(gone.map(|name| (name.clone(), None)));
        changed.extend(own.keys().filter_map(|name| Some((name.clone(), kept(name)?))));
        let cwd = if keep_cwd { Some(stood.cwd.clone()) } else { self.cwd.clone() };
        ShellState { cwd, changed }
    }

    /// The state without what is so large that no program could be started with it, and the names of that.
    pub(super) fn bounded(mut self, (most, most_together): (usize, usize)) -> (Self, Vec<String>) {
        let size = |name: &str, value: &str| quoted_text(value).len() + name.len() + 10;
        let values = self.changed.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let mut sizes: Vec<(usize, String)> =
            values.map(|(name, value)| (size(name, value), name.clone())).collect();
        // As many as possible stay.
        sizes.sort_unstable();
        let mut together = 0;
        sizes.retain(|(size, _)| {
            together += size;
            *size > most || together > most_together
        });
        for (_, name) in &sizes {
            self.changed.remove(name);
        }
        (self, sizes.into_iter().map(|(_, name)| name).collect())
    }

    /// The state without what must not be written to a disk.
    fn without_secrets(&self, named: &BTreeSet<String>) -> Self {
        let open = self
            .changed
            .iter()
            .filter(|(name, _)| !environment::is_secret(name) && !named.contains(name.as_str()));
        // A name that is no text cannot be written; the next run begins where the session does.
        let cwd = self.cwd.clone().filter(|cwd| cwd.to_str().is_some());
        ShellState { cwd, changed: open.map(|(k, v)| (k.clone(), v.clone())).collect() }
    }
}

/// The states of all sessions, in memory and, by the session's own port, beyond.
#[derive(Debug)]
pub(super) struct States {
    known: Mutex<HashMap<String, ShellState>>,
    /// What a session begins with.
    lasting: EnvFile,
    /// Variables that hold secrets whatever they are called.
    secret: BTreeSet<String>,
}

impl States {
    pub(super) fn new(hermes_home: &Path, secret: BTreeSet<String>) -> Self {
        States { known: Mutex::default(), lasting: EnvFile::new(Home::at(hermes_home)), secret }
    }

    pub(super) async fn load(&self, cx: &CallContext) -> Result<ShellState, ToolError> {
        self.of(cx.session(), cx.ports()).await
    }

    pub(super) async fn of(&self, session: &SessionIdentity, ports: &Ports) -> Result<ShellState, ToolError> {
        if let Some(state) = self.lock().get(&session.id) {
            return Ok(state.clone());
        }
        let stored = match ports.session_state() {
            Ok(port) => port.load(&session.id, SLOT).await?,
            Err(_) => None,
        };
        // What cannot be read is from another time; a fresh shell is better than none.
        match stored.and_then(|value| serde_json::from_value(value).ok()) {
            Some(state) => Ok(state),
            None => Ok(self.fresh().await),
        }
    }

    /// With the variables that the user keeps for all sessions. Keys of tools are kept in the same file: what looks like
    /// one, by its name or by its value, is not for commands.
    async fn fresh(&self) -> ShellState {
        // Most homes have none, and to look takes no time beside the way to another thread.
        if !self.lasting.is_there() {
            return ShellState::default();
        }
        let file = self.lasting.clone();
        let read = tokio::task::spawn_blocking(move || file.read().ok()).await.ok().flatten();
        let variables = read.as_ref().map(EnvDocument::variables).unwrap_or_default();
        if variables.is_empty() {
            return ShellState::default();
        }
        let keys = Redactor::new([]);
        let is_open = |name: &str, value: &str| {
            environment::may_be_kept(name)
                && !environment::is_secret(name)
                && secrets::gather([(name, value)], &self.secret).is_empty()
                && keys.redact_text(value) == value
        };
        let open = variables.into_iter().filter(|(name, value)| is_open(name, value));
        let changed = open.map(|(name, value)| (name.to_owned(), Some(value.to_owned()))).collect();
        ShellState { cwd: None, changed }
    }

    pub(super) async fn save(
        &self,
        cx: &CallContext,
        before: &ShellState,
        after: ShellState,
    ) -> Result<(), ToolError> {
        if *before == after {
            return Ok(());
        }
        learn(after.newer_than(before), &self.secret, cx).await;
        let value = serde_json::to_value(after.without_secrets(&self.secret))
            .map_err(|error| ToolError::internal(error.to_string()))?;
        self.lock().insert(cx.session().id.clone(), after);
        match cx.ports().session_state() {
            Ok(port) => port.save(&cx.session().id, SLOT, value).await,
            Err(_) => Ok(()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, ShellState>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The nearest folder above that is there, where the wanted one is gone.
pub(super) fn nearest_folder(wanted: &Path) -> PathBuf {
    wanted.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/")).to_owned()
}
