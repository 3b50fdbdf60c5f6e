//! `hermes policy explain`.

use std::path::Path;

use hermes_core::arguments;
use hermes_core::text::visible;
use hermes_policy::profile::Explanation;
use hermes_runtime::Preview;
use serde_json::{Value, json};

use super::shadow::shadow;
use super::show::explanation;
use super::subject::{identity, subjects};
use crate::app::App;
use crate::commands::run::{read_text, shown};
use crate::failure::{Failure, exit};
use crate::render::{Style, print_json, print_text};

/// One call, how it is judged, and how the other policy would judge it.
struct Explained {
    actor: String,
    preview: Preview,
    explanation: Explanation,
    shadow: Option<Explanation>,
}

pub(super) async fn run(
    file: &Path,
    other: Option<&Path>,
    actor: Option<&str>,
    app: &App,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let value = arguments::parse_json(&read_text(file)?)
        .map_err(|error| Failure::usage(format!("{} is not valid JSON: {}", shown(file), error.message)))?;
    let other = other.map(|file| shadow(file, None, app)).transpose()?;
    let session = app.session(None);
    let engine = app.policy.engine();
    let mut explained = Vec::new();
    let (value, named) = split_actor(value)?;
    let identity = identity(&session, named.as_deref().or(actor));
    for preview in subjects(&value, app, &session).await? {
        explained.push(preview.map(|preview| {
            let request = preview.request(&identity);
            let (explanation, shadow) =
                (engine.explain(&request), other.as_ref().map(|other| other.explain(&request)));
            Explained { actor: identity.actor.clone(), explanation, shadow, preview }
        }));
    }
    if json {
        let calls: Vec<Value> = explained.iter().map(as_json).collect();
        print_json(&json!({ "calls": calls }))?;
    } else {
        for (index, one) in explained.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            print_text(&format!("{gap}{}", as_text(one, style)))?;
        }
    }
    // A call that never reaches the policy has no judgement to show.
    Ok(if explained.iter().any(Result::is_err) { exit::TOOL_FAILED } else { exit::OK })
}

/// What is to be judged, and who would do it if that is said.
fn split_actor(mut value: Value) -> Result<(Value, Option<String>), Failure> {
    let actor = value.as_object_mut().and_then(|fields| fields.shift_remove("actor"));
    match actor {
        None | Some(Value::Null) => Ok((value, None)),
        Some(Value::String(actor)) if !actor.is_empty() => Ok((value, Some(actor))),
        Some(other) => Err(Failure::usage(format!("an actor is a name, not {other}"))),
    }
}

fn as_text(explained: &Result<Explained, Failure>, style: Style) -> String {
    let Explained { actor, preview, explanation: found, shadow } = match explained {
        Ok(explained) => explained,
        Err(failure) => return format!("{} {}\n", style.bad("not judged:"), failure.message),
    };
    let by = if actor == "user" { String::new() } else { format!(" by {}", visible(actor)) };
    let mut text =
        format!("{} {}{by}\n", style.bold(&preview.tool), style.dim(&preview.arguments.to_string()));
    text.push_str(&explanation(found, style));
    if let Some(other) = shadow {
        let same = other.decision.verdict == found.decision.verdict;
        let head = if same {
            style.dim("the other policy agrees:")
        } else {
            style.warning("the other policy differs:")
        };
        let verdict = super::show::verdict(other.decision.verdict, style);
        text.push_str(&format!(
            "  {head} {verdict} by {}\n    {}\n",
            other.decision.rule, other.decision.reason
        ));
    }
    text
}

fn as_json(explained: &Result<Explained, Failure>) -> Value {
    let Explained { actor, preview, explanation, shadow } = match explained {
        Ok(explained) => explained,
        Err(failure) => return json!({"error": failure.message, "hint": failure.hint}),
    };
    let mut row = json!({
        "id": preview.call_id,
        "tool": preview.tool,
        "actor": actor,
        "verdict": explanation.decision.verdict,
        "decision": explanation.decision,
        "profile": explanation.profile,
        "accesses": explanation.accesses,
        "limits": explanation.limits,
    });
    if let (Some(other), Value::Object(row)) = (shadow, &mut row) {
        let differs = other.decision.verdict != explanation.decision.verdict;
        row.insert(
            "shadow".to_owned(),
            json!({"differs": differs, "verdict": other.decision.verdict, "decision": other.decision}),
        );
    }
    row
}
