//! From a folder to tools: looked at, started once to describe itself, agreed to, loaded.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hermes_core::AnyTool;
use hermes_host::Host;
use hermes_host::home::Home;
use hermes_host::process::Level;
use serde_json::Value;

use super::content::digest_of;
use super::describe::Described;
use super::enabled::{Enabled, EnabledPlugin};
use super::folders::{Found, Place};
use super::grant::Grant;
use super::manifest::{Manifest, read_manifest};
use super::plan::Plan;
use super::running::Request;
use super::supervisor::Supervisor;
use super::tool::tools;

/// A plugin that takes longer to say what it is, is not.
const TIME_TO_DESCRIBE: Duration = Duration::from_secs(20);

/// What was found out about a plugin.
pub struct PluginState {
    pub manifest: Manifest,
    pub described: Described,
    pub digest: String,
    pub level: Level,
    pub asked: Grant,
}

/// Starts a plugin with nothing granted and has it describe itself. For `check`, and before `enable`.
pub async fn inspect(found: &Found, host: &Host, cwd: &Path) -> Result<PluginState, String> {
    let manifest = read_manifest(&found.folder)?;
    if manifest.id != found.id {
        return Err(format!(
            "its manifest says it is {}, but its folder is called {}",
            manifest.id, found.id
        ));
    }
    let digest = digest_of(&found.folder)?;
    let plan = Plan {
        manifest: manifest.clone(),
        folder: found.folder.clone(),
        grant: Grant::default(),
        host: host.clone(),
        digest: Some(digest.clone()),
        cwd: cwd.to_owned(),
    };
    plan.program_is_there()?;
    let supervisor = Supervisor::new(plan);
    let described = describe(&supervisor).await;
    let level = supervisor.level().await.unwrap_or(Level::Open);
    supervisor.shut_down().await;
    let described = described?.checked(&manifest)?;
    let asked = Grant::asked_by(&manifest, &described);
    Ok(PluginState { manifest, described, digest, level, asked })
}

async fn describe(supervisor: &Supervisor) -> Result<Described, String> {
    let asking = supervisor.ask(&Request::Describe);
    let answer = match tokio::time::timeout(TIME_TO_DESCRIBE, asking).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            let words = supervisor.last_words().await;
            let last = words.lines().last().unwrap_or_default();
            return Err(if last.is_empty() { error.message } else { format!("{}: {last}", error.message) });
        }
        Err(_) => return Err("it did not say what it is in time".to_owned()),
    };
    serde_json::from_value(answer).map_err(|error| format!("what it says of itself makes no sense: {error}"))
}

/// Agrees to a plugin as it is now and to everything it asks for.
pub async fn enable(found: &Found, host: &Host, home: &Home, cwd: &Path) -> Result<PluginState, String> {
    let state = inspect(found, host, cwd).await?;
    let plugin = EnabledPlugin {
        folder: found.folder.canonicalize().map_err(|error| error.to_string())?,
        place: found.place,
        digest: state.digest.clone(),
        grant: state.asked.clone(),
        hooks: state.manifest.hooks.clone(),
        described: state.described.clone(),
    };
    Enabled::of(home).set(&found.id, plugin).map_err(|error| error.to_string())?;
    Ok(state)
}

/// The tools of an enabled plugin. One of the user's own that changed is asked again what it is, and keeps
/// working if it asks for no more than it was granted; any other must be enabled again.
pub async fn load(
    id: &str,
    plugin: &EnabledPlugin,
    host: &Host,
    cwd: &Path,
) -> Result<Vec<Arc<dyn AnyTool>>, String> {
    let digest = digest_of(&plugin.folder)?;
    let manifest = read_manifest(&plugin.folder)?;
    let mut described = plugin.described.clone();
    if digest != plugin.digest {
        let again = format!("look at it and run 'hermes plugins enable {id}'");
        if plugin.place != Place::User {
            return Err(format!("the plugin {id} was changed since it was enabled; {again}"));
        }
        let found = Found { id: id.to_owned(), folder: plugin.folder.clone(), place: plugin.place };
        let state = inspect(&found, host, cwd).await.map_err(|why| format!("the plugin {id}: {why}"))?;
        let more = plugin.grant.lacks(&state.asked);
        if !more.is_empty() {
            return Err(format!("the plugin {id} now asks for {}; {again}", more.join(", ")));
        }
        described = state.described;
    }
    let supervisor = Supervisor::new(plan(plugin, manifest, digest, host, cwd));
    Ok(tools(&supervisor, &described))
}

fn plan(plugin: &EnabledPlugin, manifest: Manifest, digest: String, host: &Host, cwd: &Path) -> Plan {
    Plan {
        manifest,
        folder: plugin.folder.clone(),
        grant: plugin.grant.clone(),
        host: host.clone(),
        digest: Some(digest),
        cwd: cwd.to_owned(),
    }
}

/// An enabled plugin as somebody to ask about calls. It answers as what was agreed to, or not at all: a guard
/// that was changed is no guard.
pub struct Witness {
    supervisor: Arc<Supervisor>,
}

impl Witness {
    pub fn new(plugin: &EnabledPlugin, host: &Host, cwd: &Path) -> Result<Self, String> {
        let manifest = read_manifest(&plugin.folder)?;
        let plan = plan(plugin, manifest, plugin.digest.clone(), host, cwd);
        Ok(Witness { supervisor: Supervisor::new(plan) })
    }

    /// Its answer about an event, which is the object that hook programs read.
    pub async fn ask(&self, event: &Value) -> Result<Value, String> {
        self.supervisor.ask(&Request::Hook(event)).await.map_err(|error| error.message)
    }
}
