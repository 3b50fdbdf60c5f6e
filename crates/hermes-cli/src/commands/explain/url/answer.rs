//! The answer to a case.

use hermes_policy::urls::UrlVerdict;
use serde_json::{Map, Value, json};

use crate::commands::explain::rows::fields;

/// What is said about a URL, and whether its name was really looked up.
pub(super) struct Found {
    pub(super) verdict: UrlVerdict,
    pub(super) looked_up: bool,
}

impl Found {
    pub(super) fn category(&self) -> Option<&'static str> {
        match &self.verdict {
            UrlVerdict::Allow { .. } => None,
            UrlVerdict::Block(blocked) => Some(blocked.category),
        }
    }

    pub(super) fn reasons(&self) -> Vec<String> {
        match &self.verdict {
            UrlVerdict::Allow { .. } if !self.looked_up => {
                vec![
                    "the text is in order; the addresses are judged on connecting, and only those are used"
                        .to_owned(),
                ]
            }
            UrlVerdict::Allow { .. } => Vec::new(),
            UrlVerdict::Block(blocked) => vec![blocked.reason.clone()],
        }
    }
}

pub(super) fn answer(row: &Map<String, Value>, found: &Found) -> Map<String, Value> {
    let allowed = found.verdict.is_allowed();
    let mut answer = fields([
        ("url", row.get("url").cloned().unwrap_or(Value::Null)),
        ("verdict", if allowed { "allow" } else { "deny" }.into()),
        ("allowed", allowed.into()),
        ("safe", allowed.into()),
        ("decision", if allowed { "allow" } else { "block" }.into()),
        ("category", found.category().into()),
        ("reasons", found.reasons().into()),
    ]);
    if let UrlVerdict::Allow { pinned, host, port } = &found.verdict {
        let target = format!("{host}:{port}");
        answer.insert("effects".into(), json!([{"kind": "network", "target": target}]));
        answer.insert("host".into(), host.to_string().into());
        answer.insert("port".into(), (*port).into());
        if found.looked_up {
            answer.insert("pinned".into(), pinned.iter().map(ToString::to_string).collect::<Vec<_>>().into());
        }
    } else {
        answer.insert("effects".into(), json!([]));
    }
    answer
}
