//! `hermes mcp scan`: one decision a line for a file of texts.

use std::path::Path;

use serde_json::{Value, json};

use crate::commands::run::read_text;
use crate::failure::Failure;
use crate::render::print_json_line;

pub(super) fn run(file: &Path) -> Result<(), Failure> {
    for (number, line) in read_text(file)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line)
            .map_err(|error| Failure::usage(format!("line {}: {error}", number + 1)))?;
        let text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
        let findings = hermes_mcp::scan(text("field"), text("text"));
        let decision = if findings.is_empty() { "pass" } else { "flag" };
        print_json_line(&json!({"id": case.get("id"), "decision": decision, "findings": findings}))?;
    }
    Ok(())
}
