//! The variables that commands of a session see, and where each of them is kept.

use std::collections::BTreeMap;

use hermes_core::{CallContext, ToolError};
use hermes_host::env_file::EnvFile;
use hermes_host::home::Home;
use hermes_host::terminal::Terminals;
use hermes_host::{Env, Host};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::overlay::Overlay;

// A part of the arguments of env_manager: no doc comment, because the model would read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    Session,
    Persistent,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Process,
    Persistent,
    Session,
}

impl From<Scope> for Source {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Session => Source::Session,
            Scope::Persistent => Source::Persistent,
        }
    }
}

type Found = BTreeMap<String, (String, Source)>;

/// The three layers: the process's own, the persistent ones over them, the session's on top.
#[derive(Debug)]
pub(in crate::system) struct Variables {
    process: Env,
    persistent: EnvFile,
    terminals: Terminals,
}

impl Variables {
    pub(in crate::system) fn new(host: &Host) -> Self {
        Variables {
            process: host.env.clone(),
            persistent: EnvFile::new(Home::at(&host.home)),
            terminals: host.terminals.clone(),
        }
    }

    /// What commands of this session see, or what one scope holds.
    pub(in crate::system) async fn visible(
        &self,
        scope: Option<Scope>,
        cx: &CallContext,
    ) -> Result<Found, ToolError> {
        let lasting = self.persistent().await?;
        let mut found = match scope {
            Some(Scope::Persistent) => return Ok(lasting),
            Some(Scope::Session) => Found::new(),
            None => self.process().chain(lasting.clone()).collect(),
        };
        for (name, value) in self.terminals.variables(cx).await? {
            match value {
                // What a session began with is not its own.
                Some(value) if lasting.get(&name).is_some_and(|(kept, _)| *kept == value) => {}
                Some(value) => {
                    found.insert(name, (value, Source::Session));
                }
                None => {
                    found.remove(&name);
                }
            }
        }
        Ok(found)
    }

    pub(in crate::system) async fn set(
        &self,
        scope: Scope,
        name: &str,
        value: &str,
        cx: &CallContext,
    ) -> Result<(), ToolError> {
        match scope {
            Scope::Session => {
                let mut overlay = Overlay::load(cx).await?;
                overlay.set(name, value)?;
                overlay.save(cx).await?;
            }
            Scope::Persistent => {
                let (file, name, value) = (self.persistent.clone(), name.to_owned(), value.to_owned());
                on_disk(move || file.set(&name, &value)).await?;
            }
        }
        self.terminals.set_variable(name, Some(value), cx).await
    }

    pub(in crate::system) async fn unset(
        &self,
        scope: Scope,
        name: &str,
        cx: &CallContext,
    ) -> Result<(), ToolError> {
        match scope {
            Scope::Session => {
                let seen_otherwise =
                    self.process.get(name).is_some() || self.persistent().await?.contains_key(name);
                let mut overlay = Overlay::load(cx).await?;
                overlay.unset(name, seen_otherwise);
                overlay.save(cx).await?;
            }
            Scope::Persistent => {
                let (file, name) = (self.persistent.clone(), name.to_owned());
                on_disk(move || file.unset(&name)).await?;
            }
        }
        self.terminals.set_variable(name, None, cx).await
    }

    async fn persistent(&self) -> Result<Found, ToolError> {
        let file = self.persistent.clone();
        let document = on_disk(move || file.read()).await?;
        let variables = document.variables().into_iter();
        Ok(variables.map(|(name, value)| (name.to_owned(), (value.to_owned(), Source::Persistent))).collect())
    }

    fn process(&self) -> impl Iterator<Item = (String, (String, Source))> {
        self.process.iter().map(|(name, value)| (name.to_owned(), (value.to_owned(), Source::Process)))
    }
}

/// Runs file work where it may block.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| ToolError::internal("the work was interrupted").with_operator(error.to_string()))?
}
