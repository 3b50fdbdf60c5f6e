//! The commands that only look at tools.

use serde_json::Value;

use super::{cost, lint, list, search, search_eval, show};
use crate::app::App;
use crate::cli::ToolsCommand;
use crate::failure::{Failure, exit};
use crate::log::redacted;
use crate::render::{Style, one_line, print_json, print_text};

pub(crate) async fn run(command: ToolsCommand, app: &App, json: bool, style: Style) -> Result<u8, Failure> {
    match command {
        ToolsCommand::List => list::list(app, json, style).await,
        ToolsCommand::Show { name } => show::show(&name, app, json, style).await,
        ToolsCommand::Schema { names } => schema(&names, app, json).await,
        ToolsCommand::Why { names } => why(&names, app, json).await,
        ToolsCommand::Cost { max_tokens } => cost::cost(max_tokens, app, json, style).await,
        ToolsCommand::Search(args) => search::search(&args, app, json, style).await,
        ToolsCommand::SearchEval(args) => search_eval::run(&args, app, json, style),
        ToolsCommand::Lint(args) => lint::run(&args, app, json, style).await,
        ToolsCommand::Call { .. } => Ok(exit::OK),
    }
}

/// The very bytes a provider gets; indented unless `--json` asks for one line.
async fn schema(names: &[String], app: &App, json: bool) -> Result<u8, Failure> {
    let catalog = app.session(None).catalog().await;
    if names.is_empty() && json {
        print_text(&format!("{}\n", catalog.definitions_json()))?;
        return Ok(exit::OK);
    }
    let all = catalog.definitions();
    let mut definitions = Vec::new();
    for name in names {
        let listed = catalog.get(name).ok_or_else(|| show::unknown(name, &catalog))?;
        // What is deferred is among them only by its bridge.
        let given = all.iter().find(|definition| name_in(definition) == Some(&listed.shown_name));
        definitions.push(given.unwrap_or(&*listed.definition).clone());
    }
    let definitions = if names.is_empty() { all } else { definitions };
    if json {
        print_text(&format!("{}\n", serde_json::to_string(&definitions).unwrap_or_default()))?;
    } else {
        print_json(&definitions)?;
    }
    Ok(exit::OK)
}

/// The name in a definition, wherever its provider wants it.
fn name_in(definition: &Value) -> Option<&str> {
    definition.pointer("/function/name").or_else(|| definition.get("name"))?.as_str()
}

async fn why(names: &[String], app: &App, json: bool) -> Result<u8, Failure> {
    if names.is_empty() {
        return Err(Failure::usage("name at least one tool, such as: hermes tools why read_file"));
    }
    let session = app.session(None);
    let catalog = session.catalog().await;
    let registered = app.runtime.registry().snapshot();
    let (mut answers, mut code) = (Vec::new(), exit::OK);
    for name in names {
        let offered = catalog.get(name).is_some();
        if !offered && registered.canonical(name).is_none() {
            code = exit::TOOL_FAILED;
        }
        let (name, why) = (redacted(name), redacted(&session.why(name).await));
        answers.push(serde_json::json!({"name": name, "offered": offered, "why": why}));
    }
    if json {
        print_json(&answers)?;
        return Ok(code);
    }
    for answer in &answers {
        print_text(&format!(
            "{}\n",
            one_line(answer.get("why").and_then(Value::as_str).unwrap_or_default())
        ))?;
    }
    Ok(code)
}
