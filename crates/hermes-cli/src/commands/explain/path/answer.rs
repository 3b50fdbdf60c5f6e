//! The answer to a case, for programs and for people.

use hermes_core::Verdict;
use hermes_core::text::visible;
use hermes_policy::paths::PathOp;
use serde_json::{Map, Value, json};

use super::outcome::Outcome;
use crate::commands::explain::rows::fields;

pub(super) fn answer(row: &Map<String, Value>, outcome: &Outcome) -> Map<String, Value> {
    let text = |name: &str| row.get(name).cloned().unwrap_or(Value::Null);
    let op = row.get("op").and_then(Value::as_str).unwrap_or("read");
    let resolved = outcome.resolved.as_ref().map(|path| path.display().to_string());
    fields([
        ("path", text("path")),
        ("op", op.into()),
        ("verdict", json!(outcome.verdict)),
        ("allowed", (outcome.verdict == Verdict::Allow).into()),
        ("decision", outcome.decision().into()),
        ("category", outcome.category.clone().into()),
        ("reasons", outcome.reasons.clone().into()),
        ("effects", effects(op, resolved.as_deref())),
        ("resolved", resolved.into()),
    ])
}

/// What the operation would do to the object.
fn effects(op: &str, target: Option<&str>) -> Value {
    let Some(op) = PathOp::named(op) else { return json!([]) };
    let kinds: &[&str] = match op {
        PathOp::Read | PathOp::Search | PathOp::List | PathOp::Glob | PathOp::Cwd => &["reads"],
        PathOp::Write | PathOp::Append | PathOp::Mkdir | PathOp::Symlink | PathOp::Extract => &["writes"],
        PathOp::Patch | PathOp::Hardlink => &["reads", "writes"],
        PathOp::Delete => &["deletes"],
        PathOp::Rename => &["writes", "deletes"],
        PathOp::Execute => &["process"],
    };
    kinds.iter().filter_map(|kind| Some(json!({"kind": kind, "target": target?}))).collect()
}

/// One line for the verdict, one for each reason.
pub(super) fn for_people(path: &str, op: &str, outcome: &Outcome) -> String {
    let word = match outcome.verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    };
    let category = outcome.category.as_deref().map(|category| format!(" ({category})")).unwrap_or_default();
    let mut text = format!("{word}{category}: {op} {}\n", visible(path));
    if let Some(resolved) = outcome.resolved.as_ref().map(|resolved| resolved.display().to_string())
        && resolved != path
    {
        text.push_str(&format!("  is {}\n", visible(&resolved)));
    }
    for reason in &outcome.reasons {
        text.push_str(&format!("  {}\n", visible(reason)));
    }
    text
}
