//! `hermes hooks`: which programs run around calls, and whether the user agreed to them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::app::{HookState, Surroundings, TrustStore, configured_hooks};
use crate::cli::HooksCommand;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(crate) fn run(
    command: HooksCommand,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let store = TrustStore::of(&surroundings.home);
    let trusted: BTreeSet<String> = store.digests()?.into_iter().collect();
    let hooks = configured_hooks(&surroundings.config().hooks, &trusted, &surroundings.host.env);
    match command {
        HooksCommand::List => list(&hooks, json, style)?,
        HooksCommand::Trust => {
            for hook in &hooks {
                let what = format!("hook {} {}", hook.event.name(), hook.config.command.join(" "));
                store.add(&hook.digest, &what)?;
                print_text(&format!("{} {what}\n", style.good("trusted")))?;
            }
            if hooks.is_empty() {
                print_text("No hooks are configured.\n")?;
            }
        }
        HooksCommand::Revoke => {
            let digests = hooks.iter().map(|hook| hook.digest.clone()).collect();
            let known = store.remove(&digests)?;
            print_text(if known {
                "The configured hooks are no longer trusted.\n"
            } else {
                "No hook was trusted.\n"
            })?;
        }
    }
    Ok(exit::OK)
}

fn list(hooks: &[HookState], json: bool, style: Style) -> Result<(), Failure> {
    if json {
        let rows: Vec<Value> = hooks
            .iter()
            .map(|hook| {
                json!({
                    "event": hook.event.name(),
                    "command": hook.config.command,
                    "matcher": hook.config.matcher,
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
    print_text(&table.render(style))
}
