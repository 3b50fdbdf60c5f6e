//! `hermes toolsets`: bundles, what they come to, and what is wrong with them.

use hermes_runtime::toolsets::Problem;
use serde_json::{Value, json};

use crate::app::App;
use crate::cli::ToolsetsArgs;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(crate) fn run(args: &ToolsetsArgs, app: &App, json: bool, style: Style) -> Result<u8, Failure> {
    let registered = app.runtime.registry().snapshot();
    let table = app.runtime.toolsets().table();
    let mut names: Vec<String> = args.names.clone();
    if names.is_empty() {
        names = table.names().into_iter().map(str::to_owned).collect();
        // Toolsets that only registered tools speak of.
        let others = registered.entries().map(|entry| entry.info().toolset.clone());
        names.extend(others.filter(|name| table.get(name).is_none()));
        names.sort_unstable();
        names.dedup();
    }
    let mut rows = Vec::new();
    let mut problems: Vec<Problem> = Vec::new();
    for name in &names {
        let resolution = table.resolve(name, &registered);
        let toolset = table.get(name).cloned().unwrap_or_default();
        let (here, elsewhere): (Vec<_>, Vec<_>) =
            resolution.tools.iter().cloned().partition(|tool| registered.get(tool).is_some());
        rows.push(json!({
            "name": name,
            "description": toolset.description,
            "direct_tools": toolset.tools,
            "includes": toolset.includes,
            "resolved_tools": resolution.tools,
            "tool_count": resolution.tools.len(),
            "is_composite": !toolset.includes.is_empty(),
            "custom": table.custom.contains_key(name),
            "available_here": here,
            "not_in_this_build": elsewhere,
            "problems": resolution.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        }));
        problems.extend(resolution.problems);
    }
    problems.sort();
    problems.dedup();
    if json {
        print_json(&rows)?;
    } else if args.names.is_empty() {
        print_text(&overview(&rows, style))?;
    } else {
        rows.iter().try_for_each(|row| print_text(&details(row, style)))?;
    }
    // In the overview they are marked; who asks for one set by name wants to know whether it is right.
    if !problems.is_empty() && (args.check || !args.names.is_empty()) {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(Failure::answer_is_no(lines.join("\n")));
    }
    Ok(exit::OK)
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn list(row: &Value, key: &str) -> Vec<String> {
    let items = row.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn overview(rows: &[Value], style: Style) -> String {
    let mut table = Table::new(&["TOOLSET", "HERE", "ALL", "WHAT IT IS FOR"]);
    for row in rows {
        let mark = if list(row, "problems").is_empty() { String::new() } else { style.warning(" !") };
        table.row(vec![
            format!("{}{mark}", style.accent(text(row, "name"))),
            list(row, "available_here").len().to_string(),
            list(row, "resolved_tools").len().to_string(),
            text(row, "description").to_owned(),
        ]);
    }
    let mut shown = table.render(style);
    shown.push_str(&style.dim("HERE counts tools in this build; 'hermes toolsets NAME' lists them.\n"));
    shown
}

fn details(row: &Value, style: Style) -> String {
    let mut shown = format!("{} {}\n", style.bold(text(row, "name")), text(row, "description"));
    let lines = [
        ("includes", list(row, "includes")),
        ("tools here", list(row, "available_here")),
        ("elsewhere", list(row, "not_in_this_build")),
        ("problems", list(row, "problems")),
    ];
    for (label, names) in lines.iter().filter(|(_, names)| !names.is_empty()) {
        shown.push_str(&format!("{} {}\n", style.dim(&format!("{label:>12}")), names.join(", ")));
    }
    shown
}
