//! `hermes tools list`.

use serde_json::{Value, json};

use crate::app::App;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(super) async fn list(app: &App, json: bool, style: Style) -> Result<u8, Failure> {
    let catalog = app.session(None).catalog().await;
    if json {
        let tools: Vec<Value> = catalog
            .tools
            .iter()
            .map(|tool| {
                let info = tool.entry.info();
                json!({
                    "name": tool.shown_name,
                    "toolset": info.toolset,
                    "description": info.description,
                    "effect": info.effect,
                    "exposure": info.exposure,
                    "deferred": catalog.is_deferred(tool),
                    "owner": tool.entry.owner.to_string(),
                    "aliases": info.all_names().filter(|name| *name != tool.shown_name).collect::<Vec<_>>(),
                    "emoji": info.emoji,
                    "tags": info.tags,
                })
            })
            .collect();
        let hidden: Vec<Value> = catalog
            .hidden
            .iter()
            .map(|(name, hidden)| json!({"name": name, "reason": hidden.text()}))
            .collect();
        let problems: Vec<String> = catalog.problems.iter().map(ToString::to_string).collect();
        let listed = json!({"epoch": catalog.epoch, "tools": tools, "hidden": hidden, "problems": problems});
        print_json(&listed)?;
        return Ok(exit::OK);
    }
    let mut table = Table::new(&["TOOL", "TOOLSET", "EFFECT", "WHAT IT DOES"]);
    for tool in &catalog.tools {
        let info = tool.entry.info();
        let effect = serde_json::to_value(info.effect).ok();
        table.row(vec![
            format!("{} {}", info.emoji, style.accent(&tool.shown_name)),
            info.toolset.clone(),
            effect.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
            first_sentence(&info.description).to_owned(),
        ]);
    }
    if table.is_empty() {
        print_text("No tools: the enabled toolsets hold none. See 'hermes toolsets'.\n")?;
    } else {
        print_text(&table.render(style))?;
    }
    for (name, hidden) in &catalog.hidden {
        print_text(&format!("{} {name}: {}\n", style.warning("hidden"), hidden.text()))?;
    }
    Ok(exit::OK)
}

/// Up to the first full stop that ends a sentence.
pub(crate) fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}
