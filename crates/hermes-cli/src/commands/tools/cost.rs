//! `hermes tools cost`: tokens per definition, and what results have cost so far.

use std::collections::BTreeMap;

use hermes_host::state::{JournalFilter, JournalReader};
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

/// How far back the journal is read for calls and result sizes.
const JOURNAL_ENTRIES: u32 = 100_000;

#[derive(Default, Serialize)]
struct Cost {
    name: String,
    toolset: String,
    owner: String,
    schema_chars: usize,
    schema_tokens: usize,
    calls: u64,
    result_tokens: usize,
}

pub(super) async fn cost(
    max_tokens: Option<usize>,
    app: &App,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let catalog = app.session(None).catalog().await;
    let mut costs: Vec<Cost> = catalog
        .tools
        .iter()
        .map(|tool| {
            let chars = tool.definition.to_string().chars().count();
            Cost {
                name: tool.shown_name.clone(),
                toolset: tool.entry.info().toolset.clone(),
                owner: tool.entry.owner.to_string(),
                schema_chars: chars,
                schema_tokens: tokens(chars),
                ..Cost::default()
            }
        })
        .collect();
    add_results(&mut costs, app);
    let total = tokens(catalog.definitions_json().chars().count());
    let mut by_toolset: BTreeMap<String, usize> = BTreeMap::new();
    for cost in &costs {
        *by_toolset.entry(cost.toolset.clone()).or_default() += cost.schema_tokens;
    }
    if json {
        print_json(&json!({"total_tokens": total, "toolsets": by_toolset, "tools": costs}))?;
    } else {
        costs.sort_by(|a, b| b.schema_tokens.cmp(&a.schema_tokens).then(a.name.cmp(&b.name)));
        print_text(&table(&costs, style))?;
        let shares: Vec<String> =
            by_toolset.iter().map(|(name, tokens)| format!("{name} {tokens}")).collect();
        print_text(&format!("\nby toolset: {}\n", shares.join(", ")))?;
        print_text(&format!("{} tokens for {} definitions\n", style.bold(&total.to_string()), costs.len()))?;
    }
    match max_tokens {
        Some(limit) if total > limit => {
            Err(Failure::answer_is_no(format!("the definitions cost {total} tokens, more than {limit}")))
        }
        _ => Ok(exit::OK),
    }
}

/// Four characters a token: the rule of thumb that providers themselves give.
fn tokens(chars: usize) -> usize {
    chars.div_ceil(4)
}

fn add_results(costs: &mut [Cost], app: &App) {
    // No journal yet means no calls yet.
    let Ok(reader) = JournalReader::open(&app.surroundings.home) else { return };
    let filter = JournalFilter { limit: Some(JOURNAL_ENTRIES), ..JournalFilter::default() };
    for entry in reader.list(&filter).unwrap_or_default() {
        let Some(outcome) = entry.body.get("outcome") else { continue };
        let Some(cost) = costs.iter_mut().find(|cost| cost.name == entry.tool) else { continue };
        let chars = outcome.get("result_chars").and_then(Value::as_u64).unwrap_or(0);
        cost.calls += 1;
        cost.result_tokens += tokens(usize::try_from(chars).unwrap_or(usize::MAX));
    }
}

fn table(costs: &[Cost], style: Style) -> String {
    let mut table = Table::new(&["TOOL", "TOOLSET", "SCHEMA TOKENS", "CALLS", "RESULT TOKENS"]);
    for cost in costs {
        table.row(vec![
            style.accent(&cost.name),
            cost.toolset.clone(),
            cost.schema_tokens.to_string(),
            cost.calls.to_string(),
            cost.result_tokens.to_string(),
        ]);
    }
    table.render(style)
}
