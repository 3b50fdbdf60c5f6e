//! A model's answer for a server, from the program that the user configured.

use std::path::Path;
use std::time::Duration;

use hermes_host::Env;
use hermes_host::process::{Program, run as run_program};
use hermes_mcp::{expand, inherited};
use hermes_runtime::config::McpServer;
use serde_json::Value;

use super::form::{indented, is_yes};

const LIMIT: Duration = Duration::from_secs(300);
const MAX_OUTPUT: usize = 4 << 20;

/// Whether the person at the terminal lets a server ask this.
pub(super) fn agreed(server: &str, request: &Value, ask: &mut dyn FnMut(&str) -> Option<String>) -> bool {
    let mut page = format!("\nMCP server '{server}' wants a model to answer:\n");
    let text = |value: Option<&Value>| match value {
        Some(Value::String(text)) => indented(text),
        Some(other) => indented(&other.to_string()),
        None => String::new(),
    };
    if let Some(system) = request.get("systemPrompt") {
        page.push_str(&format!("  system: {}\n", text(Some(system))));
    }
    for message in request.get("messages").and_then(Value::as_array).into_iter().flatten() {
        let content = message.get("content");
        let said = content.and_then(|content| content.get("text")).or(content);
        page.push_str(&format!("  {}: {}\n", text(message.get("role")), text(said)));
    }
    ask(&format!("{page}  Let it? [y/N] ")).is_some_and(|line| is_yes(&line))
}

/// What the program answers. It is told no more of the environment than a server is: what it is asked comes from one.
pub(super) async fn run(
    server: &McpServer,
    request: &Value,
    env: &Env,
    room: &Path,
) -> Result<Value, String> {
    hermes_host::private::folder(room).map_err(|error| format!("{}: {error}", room.display()))?;
    let mut variables = inherited(env);
    for (name, value) in &server.sampling_env {
        let value =
            expand(value, env, room).map_err(|missing| format!("the variable {missing} is not set"))?;
        variables.insert(name.clone(), value);
    }
    let finished = run_program(Program {
        argv: server.sampling_program.clone(),
        cwd: room.to_owned(),
        env: variables.into_iter().collect(),
        stdin: request.to_string().into_bytes(),
        timeout: LIMIT,
        max_output: MAX_OUTPUT,
    })
    .await?;
    if finished.exit_code != Some(0) {
        return Err("the sampling program failed".to_owned());
    }
    serde_json::from_slice(&finished.stdout)
        .map_err(|error| format!("the sampling program's answer: {error}"))
}
