//! Agreeing to a plugin, and taking that back.

use hermes_plugins::plugin::{self, Enabled, Folders, PluginState};

use crate::app::{Surroundings, registry};
use crate::failure::{Failure, exit};
use crate::render::{Style, print_text};

pub(super) async fn enable(
    id: &str,
    folders: &Folders,
    surroundings: &Surroundings,
    style: Style,
) -> Result<u8, Failure> {
    let state = agree(id, folders, surroundings).await?;
    tell(id, &state, surroundings, style)
}

/// Looks at a plugin and agrees to it, if there is nothing against it.
pub(super) async fn agree(
    id: &str,
    folders: &Folders,
    surroundings: &Surroundings,
) -> Result<PluginState, Failure> {
    let found = folders.find(id).ok_or_else(|| unknown(id))?;
    let seen = plugin::inspect(&found, &surroundings.host, &surroundings.cwd).await;
    let seen = seen.map_err(|why| Failure::answer_is_no(format!("the plugin {id}: {why}")))?;
    refuse_taken_names(id, &seen, surroundings).await?;
    plugin::enable(&found, &surroundings.host, &surroundings.home, &surroundings.cwd)
        .await
        .map_err(|why| Failure::answer_is_no(format!("the plugin {id}: {why}")))
}

/// What a plugin brings, may do and reads.
pub(super) fn tell(
    id: &str,
    state: &PluginState,
    surroundings: &Surroundings,
    style: Style,
) -> Result<u8, Failure> {
    let tools: Vec<&str> = state.described.tools.iter().map(|tool| tool.name.as_str()).collect();
    print_text(&format!("{} {id}: {}\n", style.good("enabled"), tools.join(", ")))?;
    print_text(&format!("  it may use: {}\n", none_or(&state.asked.permissions)))?;
    if !state.manifest.hooks.is_empty() {
        print_text(&format!("  it is asked about every call: {}\n", state.manifest.hooks.join(", ")))?;
    }
    for need in &state.described.requires_env {
        let set = surroundings.host.keys.get(&need.name).is_some();
        let note = match (set, need.optional) {
            (true, _) => "",
            (false, true) => " (not set, and it does without)",
            (false, false) => " (not set: 'hermes setup' asks for it)",
        };
        print_text(&format!("  it reads {}{note}\n", need.name))?;
    }
    Ok(exit::OK)
}

/// A name that somebody else's tool has would be refused later, by every run; better said now.
async fn refuse_taken_names(
    id: &str,
    state: &PluginState,
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    let (registry, _) = registry(surroundings).await?;
    let may_override =
        surroundings.config().plugins.entries.get(id).is_some_and(|entry| entry.allow_tool_override);
    let snapshot = registry.snapshot();
    for tool in &state.described.tools {
        let holder =
            snapshot.get(&tool.name).filter(|entry| entry.owner != hermes_core::Owner::Plugin(id.to_owned()));
        if let Some(entry) = holder.filter(|_| !may_override) {
            return Err(Failure::answer_is_no(format!(
                "'{}' is already a tool of {}",
                tool.name, entry.owner
            ))
            .with_hint(format!(
                "plugins.entries.{id}.allow_tool_override: true lets the plugin replace it"
            )));
        }
    }
    Ok(())
}

pub(super) fn none_or(names: &[String]) -> String {
    if names.is_empty() { "nothing outside of its own folder".to_owned() } else { names.join(", ") }
}

pub(super) fn disable(id: &str, surroundings: &Surroundings) -> Result<u8, Failure> {
    if !Enabled::of(&surroundings.home).remove(id)? {
        return Err(Failure::answer_is_no(format!("the plugin '{id}' is not enabled")));
    }
    print_text(&format!("disabled {id}\n"))?;
    Ok(exit::OK)
}

pub(super) fn unknown(id: &str) -> Failure {
    Failure::not_found(format!("there is no plugin '{id}'")).with_hint("'hermes plugins list' shows all")
}
