//! What a hook's program answered, read strictly: one that is misunderstood must not let a call through.

use std::collections::BTreeMap;

use hermes_core::arguments::parse_json;
use hermes_host::process::Finished;
use hermes_runtime::hooks::{HookList, ListVerdict, PreVerdict};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Exit 2 blocks; exit 0 may block, ask or rewrite by what it printed; anything else is a failed guard.
pub(super) fn verdict(finished: &Finished) -> Result<PreVerdict, String> {
    match finished.exit_code {
        Some(2) => {
            let said = String::from_utf8_lossy(&finished.stderr).trim().to_owned();
            let reason = if said.is_empty() { "a hook blocked this call".to_owned() } else { said };
            Ok(PreVerdict::Block(reason))
        }
        Some(0) => match answer(finished)? {
            None => Ok(PreVerdict::Continue),
            Some(answer) => read_verdict(answer),
        },
        _ => Err(ending(finished)),
    }
}

/// What a guard may say. Anything else is a failure: a guard that is misunderstood must not let a call through.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    #[serde(alias = "action")]
    decision: Option<String>,
    #[serde(alias = "message")]
    reason: Option<String>,
    tool_input: Option<Map<String, Value>>,
}

pub(super) fn read_verdict(answer: Map<String, Value>) -> Result<PreVerdict, String> {
    if let Some((key, _)) = answer.iter().find(|(_, value)| value.is_null()) {
        return Err(format!("its '{key}' is null"));
    }
    let Said { decision, reason, tool_input } = serde_json::from_value(Value::Object(answer))
        .map_err(|error| format!("its answer is not understood: {error}"))?;
    let because = |otherwise: &str| reason.unwrap_or_else(|| otherwise.to_owned());
    match decision.as_deref() {
        Some("block" | "deny") => Ok(PreVerdict::Block(because("a hook blocked this call"))),
        Some("ask" | "approve") => Ok(PreVerdict::Ask(because("a hook wants this call approved"))),
        None | Some("continue" | "allow" | "rewrite") => {
            Ok(tool_input.map_or(PreVerdict::Continue, PreVerdict::Rewrite))
        }
        Some(other) => Err(format!("it answered with the unknown decision '{other}'")),
    }
}

/// What a program may say about a list of tools.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidOfList {
    #[serde(default)]
    hide: Vec<String>,
    #[serde(default)]
    descriptions: BTreeMap<String, String>,
    #[serde(alias = "message")]
    reason: Option<String>,
}

/// Exit 2 hides all of them; exit 0 changes what it printed; anything else is a failure.
pub(super) fn list_verdict(finished: &Finished, list: &HookList<'_>) -> Result<ListVerdict, String> {
    let hide = |names: Vec<String>, reason: Option<String>| {
        let reason = reason.filter(|reason| !reason.is_empty());
        let reason = reason.unwrap_or_else(|| "it is not for this session".to_owned());
        names.into_iter().map(|name| (name, reason.clone())).collect()
    };
    match finished.exit_code {
        Some(2) => {
            let said = String::from_utf8_lossy(&finished.stderr).trim().to_owned();
            let names = list.tools.iter().map(|tool| tool.name.to_owned()).collect();
            Ok(ListVerdict { hide: hide(names, Some(said)), ..ListVerdict::default() })
        }
        Some(0) => match answer(finished)? {
            None => Ok(ListVerdict::default()),
            Some(said) => {
                let said: SaidOfList = serde_json::from_value(Value::Object(said))
                    .map_err(|error| format!("its answer is not understood: {error}"))?;
                Ok(ListVerdict { hide: hide(said.hide, said.reason), describe: said.descriptions })
            }
        },
        _ => Err(ending(finished)),
    }
}

/// The object that a program printed, if it printed anything.
pub(crate) fn answer(finished: &Finished) -> Result<Option<Map<String, Value>>, String> {
    let text = String::from_utf8_lossy(&finished.stdout);
    if text.trim().is_empty() {
        return Ok(None);
    }
    match parse_json(text.trim()) {
        Ok(Value::Object(said)) => Ok(Some(said)),
        Ok(_) => Err("it printed no JSON object".to_owned()),
        Err(error) => Err(format!("it printed no JSON object: {}", error.message)),
    }
}

pub(crate) fn ending(finished: &Finished) -> String {
    let said = String::from_utf8_lossy(&finished.stderr).trim().chars().take(300).collect::<String>();
    match finished.exit_code {
        Some(code) => format!("it ended with exit code {code}: {said}"),
        None => "a signal ended it".to_owned(),
    }
}
