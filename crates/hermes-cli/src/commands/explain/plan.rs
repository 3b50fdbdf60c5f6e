//! `hermes explain plan`: how a batch would be cut into parallel and sequential runs.

use std::path::PathBuf;

use hermes_core::ToolCall;
use hermes_runtime::batch::{Segment, plan};
use hermes_runtime::{Footprint, Session};
use serde_json::{Map, Value, json};

use super::known::KnownTools;
use super::rows::{case, fields, identified, lines};
use crate::commands::run::read_request;
use crate::failure::Failure;
use crate::render::{print_json, print_json_line, print_text};

pub(super) async fn rows(session: Session) -> Result<(), Failure> {
    let known = KnownTools::load()?;
    for line in lines() {
        let answer = match case(line) {
            Ok(row) => identified(&row, row_answer(&row, &session, &known).await),
            Err(error) => fields([("error", error.into())]),
        };
        print_json_line(&answer)?;
    }
    Ok(())
}

async fn row_answer(row: &Map<String, Value>, session: &Session, known: &KnownTools) -> Map<String, Value> {
    let Some(calls) = row.get("calls").and_then(Value::as_array) else {
        return fields([("error", "the case has no 'calls'".into())]);
    };
    let mut batch = Vec::new();
    for call in calls {
        match call.as_array().map(Vec::as_slice) {
            Some([Value::String(name), arguments]) => batch.push(ToolCall::new("", name, arguments.clone())),
            _ => return fields([("error", "a call is [name, arguments]".into())]),
        }
    }
    fields([("segments", segments(&plan_batch(&batch, session, known).await))])
}

async fn plan_batch(batch: &[ToolCall], session: &Session, known: &KnownTools) -> Vec<Segment> {
    let mut footprints: Vec<Option<Footprint>> = Vec::new();
    let catalog = session.catalog().await;
    for call in batch {
        footprints.push(match catalog.get(&call.name) {
            Some(_) => session.footprint(call).await,
            None => match known.footprint(&call.name, &call.arguments, &session.identity().cwd) {
                Some(known) => Some(known),
                // A misspelt name may mean a tool of this session.
                None => session.footprint(call).await,
            },
        });
    }
    plan(&footprints)
}

fn segments(plan: &[Segment]) -> Value {
    plan.iter().map(|segment| json!([segment.kind, segment.calls])).collect()
}

pub(super) async fn one(file: Option<PathBuf>, session: Session, json: bool) -> Result<(), Failure> {
    let request = read_request(&file.unwrap_or_else(|| PathBuf::from("-")))?;
    let batch: Vec<ToolCall> = request.calls.into_iter().map(|asked| asked.call).collect();
    let plan = plan_batch(&batch, &session, &KnownTools::load()?).await;
    if json {
        return print_json(&json!({ "segments": segments(&plan) }));
    }
    for (index, segment) in plan.iter().enumerate() {
        let names: Vec<&str> =
            segment.calls.iter().filter_map(|call| Some(batch.get(*call)?.name.as_str())).collect();
        let kind = json!(segment.kind);
        print_text(&format!(
            "{}. {:<10} {}\n",
            index + 1,
            kind.as_str().unwrap_or_default(),
            names.join(", ")
        ))?;
    }
    Ok(())
}
