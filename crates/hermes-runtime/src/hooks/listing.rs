//! What hooks make of the list of tools before a session sees it: they may hide some and describe some anew. They never
//! add any, so a hook cannot give a session more than its toolsets do.

use std::collections::BTreeMap;
use std::path::Path;

use hermes_core::{Effect, ToolInfo};
use serde::Serialize;

use super::chain::{Hook, HookChain, bounded, matches_tool};

/// A session that is about to be offered tools, as a hook reads it.
#[derive(Clone, Copy, Debug)]
pub struct HookList<'a> {
    pub session: &'a str,
    pub actor: &'a str,
    pub cwd: &'a Path,
    /// Those that the hook cares about, sorted by name.
    pub tools: &'a [HookTool<'a>],
}

/// One of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HookTool<'a> {
    pub name: &'a str,
    pub toolset: &'a str,
    pub description: &'a str,
    pub effect: Effect,
}

impl<'a> HookTool<'a> {
    fn of(info: &'a ToolInfo) -> Self {
        let ToolInfo { name, toolset, description, effect, .. } = info;
        HookTool { name, toolset, description, effect: *effect }
    }
}

/// What a hook says about a list. Names that are not in it mean nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListVerdict {
    /// Names to hide, each with the reason.
    pub hide: BTreeMap<String, String>,
    /// Names with what the model reads about them instead.
    pub describe: BTreeMap<String, String>,
}

/// What all hooks together said, and about which tools, so that the same list is not asked about twice.
#[derive(Debug, Default)]
pub(crate) struct ListMemo {
    asked: Vec<String>,
    answer: ListVerdict,
    /// Whether a hook failed, so that it must be asked again.
    pub(crate) failed: bool,
}

impl HookChain {
    /// Whether any hook wants to be asked about lists.
    pub(crate) fn change_lists(&self) -> bool {
        self.all().any(|hook| hook.changes_lists())
    }

    /// What the hooks say about these tools. While the tools stay the same, so does the answer: definitions must not
    /// change between two turns because a hook was asked again.
    pub(crate) async fn list<'m>(
        &self,
        session: (&str, &str, &Path),
        tools: &[&ToolInfo],
        memo: &'m mut ListMemo,
    ) -> &'m ListVerdict {
        let asked: Vec<String> =
            tools.iter().flat_map(|info| [info.name.clone(), info.description.clone()]).collect();
        if memo.failed || memo.asked != asked {
            // Apart, until all have answered: whoever is given up on the way has said nothing.
            let mut new = ListMemo { asked, ..ListMemo::default() };
            for hook in self.all().filter(|hook| hook.changes_lists()) {
                ask(&**hook, session, tools, &mut new).await;
            }
            *memo = new;
        }
        &memo.answer
    }
}

async fn ask(
    hook: &dyn Hook,
    (session, actor, cwd): (&str, &str, &Path),
    tools: &[&ToolInfo],
    memo: &mut ListMemo,
) {
    let cares = |info: &&&ToolInfo| matches_tool(info, |name| hook.matches(name));
    let tools: Vec<HookTool<'_>> = tools.iter().filter(cares).map(|info| HookTool::of(info)).collect();
    if tools.is_empty() {
        return;
    }
    let list = HookList { session, actor, cwd, tools: &tools };
    match bounded(hook, hook.list(&list)).await {
        Ok(verdict) => {
            memo.answer.hide.extend(verdict.hide);
            memo.answer.describe.extend(verdict.describe);
        }
        Err(cause) => {
            tracing::warn!(hook = hook.name(), %cause, "a hook that changes lists failed");
            memo.failed = true;
            if !hook.fails_open() {
                let reason = format!("the hook '{}' failed: {cause}", hook.name());
                memo.answer.hide.extend(tools.iter().map(|tool| (tool.name.to_owned(), reason.clone())));
            }
        }
    }
}
