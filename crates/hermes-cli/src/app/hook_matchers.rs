//! Which tools the matchers of hooks fit. A guard that fits none lets everything pass without a word, so that is told
//! wherever somebody looks.

use hermes_core::names::nearest;
use hermes_runtime::config::{Config, Hook};
use hermes_runtime::hooks::matches_tool;
use hermes_runtime::registry::{RESERVED, Snapshot};

use super::hooks::by_event;

/// Never seen by a hook: it is taken off before, and the call inside is what hooks see.
const UNSEEN: &str = "tool_call";

/// The tools that a hook runs for; nothing means all of them.
pub(crate) fn fitting(hook: &Hook, registered: &Snapshot) -> Option<Vec<String>> {
    let matcher = hook.regex()?.ok()?;
    let fits = |name: &str| matcher.is_match(name);
    let bridge = RESERVED.iter().filter(|name| **name != UNSEEN && fits(name)).map(|name| (*name).to_owned());
    let tools = registered.entries().filter(|entry| matches_tool(entry.info(), fits));
    let mut names: Vec<String> = tools.map(|entry| entry.info().name.clone()).chain(bridge).collect();
    names.sort_unstable();
    Some(names)
}

/// One line for each hook that can never run.
pub(crate) fn idle_matchers(config: &Config, registered: &Snapshot) -> Vec<String> {
    let mut idle = Vec::new();
    for (event, list) in by_event(&config.hooks) {
        for (index, hook) in list.iter().enumerate() {
            let Some(matcher) = hook.matcher.as_deref().filter(|matcher| !may_come(matcher, config)) else {
                continue;
            };
            if fitting(hook, registered).is_some_and(|tools| tools.is_empty()) {
                let meant = suggestion(matcher, registered);
                idle.push(format!(
                    "hooks.{}[{index}].matcher: '{matcher}' fits no tool, so the hook never runs{meant}",
                    event.name()
                ));
            }
        }
    }
    idle
}

/// A server that was not asked yet may have a tool of that name.
fn may_come(matcher: &str, config: &Config) -> bool {
    !config.mcp_servers.is_empty() && matcher.contains("mcp_")
}

fn suggestion(matcher: &str, registered: &Snapshot) -> String {
    let names: Vec<&str> = registered.entries().flat_map(|entry| entry.info().all_names()).collect();
    match nearest(matcher, names.into_iter(), 1).first() {
        Some(name) => format!("; it must match a whole name, such as {name}"),
        None => "; it must match a whole name".to_owned(),
    }
}
