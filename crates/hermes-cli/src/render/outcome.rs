//! Outcomes for people: what was called, what came of it, and the gist of the result.

use hermes_core::redact::Redactor;
use hermes_core::text::visible;
use hermes_core::{ToolCall, ToolOutcome, arguments};
use hermes_runtime::catalog::Catalog;
use serde_json::Value;

use super::output::one_line;
use super::style::Style;

/// How many lines of one result are shown.
const MAX_LINES: usize = 12;
const MAX_WIDTH: usize = 100;
const MASK: &str = "********";

/// The whole run as text. Outcomes are redacted by now; what was asked for is not.
pub(crate) fn show_outcomes(
    calls: &[ToolCall],
    outcomes: &[ToolOutcome],
    catalog: &Catalog,
    redactor: &Redactor,
    style: Style,
) -> String {
    let mut text = String::new();
    let calls = calls.iter().zip(outcomes).flat_map(|(call, outcome)| {
        let one_by_one = outcome.each().iter().enumerate();
        one_by_one.map(|(at, made)| (asked_of(call, outcome, at), made))
    });
    for (asked, outcome) in calls {
        let mut asked = without_secrets(asked, &outcome.tool, catalog);
        redactor.redact_value(&mut asked);
        let name = one_line(&redactor.redact_text(&outcome.tool));
        text.push_str(&show_one(
            &format!("{} {}", style.bold(&name), style.dim(&gist(&asked))),
            outcome,
            catalog,
            style,
        ));
        text.push('\n');
    }
    text.push_str(&summary(outcomes, style));
    text
}

/// The arguments of the call at this place inside, or of the call itself.
fn asked_of(call: &ToolCall, outcome: &ToolOutcome, at: usize) -> Value {
    if outcome.inner.is_empty() {
        return call.arguments.clone();
    }
    let parsed =
        arguments::parse(&call.arguments, &Redactor::none()).map(|parsed| Value::Object(parsed.arguments));
    let asked = parsed.ok().and_then(|outer| outer.get("calls")?.get(at)?.get("arguments").cloned());
    asked.unwrap_or_default()
}

/// The arguments as they may be shown: of a tool that takes secrets only those that are known to be none, since what is
/// misspelt may be one of them.
fn without_secrets(asked: Value, tool: &str, catalog: &Catalog) -> Value {
    let Some(listed) = catalog.get(tool).filter(|listed| !listed.entry.info().secret_arguments.is_empty())
    else {
        return asked;
    };
    let info = listed.entry.info();
    let known =
        |name: &str| info.parameters.pointer("/properties").is_some_and(|all| all.get(name).is_some());
    let Ok(parsed) = arguments::parse(&asked, &Redactor::none()) else { return MASK.into() };
    let mask = |(name, value): (String, Value)| {
        let open = known(&name) && !info.secret_arguments.contains(&name);
        (name, if open { value } else { MASK.into() })
    };
    Value::Object(parsed.arguments.into_iter().map(mask).collect())
}

fn show_one(asked: &str, outcome: &ToolOutcome, catalog: &Catalog, style: Style) -> String {
    let emoji = catalog.get(&outcome.tool).map_or("❔", |listed| listed.entry.info().emoji.as_str());
    let took = format!("{:.1} ms", outcome.duration.as_secs_f64() * 1_000.0);
    let (mark, state) = match outcome.error_code() {
        None => (style.good("✓"), style.dim(&took)),
        Some(code) => (style.bad("✗"), style.bad(code.as_str())),
    };
    let mut text = format!("{mark} {emoji} {asked} {state}\n");
    let body = match &outcome.result {
        Ok(value) => fields(value),
        Err(error) => vec![error.message.clone()],
    };
    let hidden = body.len().saturating_sub(MAX_LINES);
    for line in body.iter().take(MAX_LINES) {
        text.push_str(&format!("  {} {}\n", style.dim("│"), fit(line)));
    }
    if hidden > 0 {
        text.push_str(&format!("  {} {}\n", style.dim("│"), style.dim(&format!("… {hidden} more lines"))));
    }
    // A hint may be a command to copy, so it is shown whole.
    let hint = outcome.result.as_ref().err().and_then(|error| error.hint.as_deref());
    for line in hint.into_iter().flat_map(str::lines) {
        text.push_str(&format!("  {} {} {}\n", style.dim("│"), style.accent("hint:"), visible(line)));
    }
    for note in &outcome.notes {
        text.push_str(&format!("  {} {}\n", style.warning("•"), style.dim(&fit(note))));
    }
    text
}

/// One short line per field; texts of several lines keep their lines.
fn fields(value: &Value) -> Vec<String> {
    let Value::Object(fields) = value else { return vec![value.to_string()] };
    let mut lines = Vec::new();
    for (name, field) in fields {
        match field {
            Value::String(text) if text.contains('\n') => {
                lines.push(format!("{name}:"));
                lines.extend(text.lines().map(|line| format!("  {line}")));
            }
            Value::String(text) => lines.push(format!("{name}: {text}")),
            Value::Array(items) if items.iter().any(Value::is_object) => {
                lines.push(format!("{name}:"));
                lines.extend(items.iter().map(|item| format!("  {}", inline(item))));
            }
            other => lines.push(format!("{name}: {}", inline(other))),
        }
    }
    lines
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let pairs: Vec<String> = fields
                .iter()
                .filter(|(_, field)| !field.is_null())
                .map(|(name, field)| format!("{name}={}", inline(field)))
                .collect();
            pairs.join("  ")
        }
        Value::Array(items) => {
            let shown: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", shown.join(", "))
        }
        other => other.to_string(),
    }
}

fn gist(arguments: &Value) -> String {
    match arguments {
        Value::Object(fields) => {
            let shown: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name}={}", inline(value).chars().take(40).collect::<String>()))
                .collect();
            fit(&shown.join(" "))
        }
        Value::Null => String::new(),
        other => fit(&other.to_string()),
    }
}

fn fit(line: &str) -> String {
    let line = one_line(line);
    match line.chars().nth(MAX_WIDTH) {
        Some(_) => line.chars().take(MAX_WIDTH - 1).chain(['…']).collect(),
        None => line,
    }
}

fn summary(outcomes: &[ToolOutcome], style: Style) -> String {
    let made = outcomes.iter().flat_map(ToolOutcome::each);
    let (count, failed) = (made.clone().count(), made.filter(|outcome| !outcome.is_success()).count());
    let total: f64 = outcomes.iter().map(|outcome| outcome.duration.as_secs_f64()).sum();
    let noun = if count == 1 { "call" } else { "calls" };
    let verdict = match failed {
        0 => style.good("all succeeded"),
        _ => style.bad(&format!("{failed} failed")),
    };
    format!("{} {noun}, {verdict}, {:.1} ms in tools\n", count, total * 1_000.0)
}
