//! `hermes hooks`: which programs run around calls, and whether the user agreed to them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::app::{
    HookState, Surroundings, TrustStore, configured_hooks, fitting, idle_matchers, missing_program, registry,
};
use crate::cli::HooksCommand;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(crate) async fn run(
    command: HooksCommand,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let store = TrustStore::of(&surroundings.home);
    let trusted: BTreeSet<String> = store.digests()?.into_iter().collect();
    let hooks = configured_hooks(&surroundings.config().hooks, &trusted, &surroundings.host.env);
    match command {
        HooksCommand::List => list(&hooks, surroundings, json, style).await?,
        HooksCommand::Trust => trust(&hooks, &store, surroundings, json, style)?,
        HooksCommand::Revoke => {
            let digests = hooks.iter().map(|hook| hook.digest.clone()).collect();
            let known = store.remove(&digests)?;
            if json {
                print_json(&json!({ "revoked": known }))?;
            } else {
                print_text(if known {
                    "The configured hooks are no longer trusted.\n"
                } else {
                    "No hook was trusted.\n"
                })?;
            }
        }
    }
    Ok(exit::OK)
}

/// Agrees to all of them or to none: agreeing to what is not there would only hide the mistake.
fn trust(
    hooks: &[HookState],
    store: &TrustStore,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<(), Failure> {
    for hook in hooks {
        if let Some(missing) = missing_program(&hook.config.command, &surroundings.host.env) {
            let event = hook.event.name();
            let text = format!("the {event} hook cannot run: there is no program '{missing}'");
            return Err(Failure::usage(text)
                .with_hint("Write the whole path, and make the file executable. No hook was trusted."));
        }
    }
    let mut rows: Vec<Value> = Vec::new();
    for hook in hooks {
        let (event, command) = (hook.event.name(), &hook.config.command);
        let what = format!("hook {event} {}", command.join(" "));
        store.add(&hook.digest, &what)?;
        if !json {
            print_text(&format!("{} {what}\n", style.good("trusted")))?;
        }
        rows.push(json!({"event": event, "command": command, "trusted": true, "digest": hook.digest}));
    }
    match json {
        true => print_json(&rows),
        false if hooks.is_empty() => print_text("No hooks are configured.\n"),
        false => Ok(()),
    }
}

async fn list(
    hooks: &[HookState],
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<(), Failure> {
    let registered = registry(surroundings).await?.0.snapshot();
    if json {
        let rows: Vec<Value> = hooks
            .iter()
            .map(|hook| {
                json!({
                    "event": hook.event.name(),
                    "command": hook.config.command,
                    "matcher": hook.config.matcher,
                    "tools": fitting(&hook.config, &registered),
                    "timeout_seconds": hook.config.timeout_seconds,
                    "on_failure": hook.config.on_failure,
                    "trusted": hook.trusted,
                    "digest": hook.digest,
                })
            })
            .collect();
        return print_json(&rows);
    }
    if hooks.is_empty() {
        return print_text("No hooks are configured; docs/config.md shows how.\n");
    }
    let mut table = Table::new(&["EVENT", "TOOLS", "TRUSTED", "COMMAND"]);
    for hook in hooks {
        table.row(vec![
            hook.event.name().to_owned(),
            hook.config.matcher.clone().unwrap_or_else(|| "all".to_owned()),
            if hook.trusted { style.good("yes") } else { style.warning("no") },
            hook.config.command.join(" "),
        ]);
    }
    print_text(&table.render(style))?;
    let idle = idle_matchers(surroundings.config(), &registered);
    idle.iter().try_for_each(|line| print_text(&format!("{} {line}\n", style.warning("warning"))))
}
