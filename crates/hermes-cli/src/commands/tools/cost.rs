//! `hermes tools cost`: tokens per definition as models count them, what deferring saves, and what results
//! have cost so far.

use std::collections::BTreeMap;

use hermes_host::state::{JournalFilter, JournalReader};
use hermes_runtime::catalog::{Catalog, Listed};
use hermes_search::count_tokens;
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

/// How far back the journal is read for calls and result sizes.
const JOURNAL_ENTRIES: u32 = 100_000;
/// The journal knows characters of results, not their text: four a token is what providers give.
const CHARS_PER_TOKEN: usize = 4;

#[derive(Default, Serialize)]
struct Cost {
    name: String,
    toolset: String,
    owner: String,
    schema_chars: usize,
    schema_tokens: usize,
    /// Found by tool_search: its tokens are saved, not spent.
    deferred: bool,
    calls: u64,
    result_tokens: usize,
}

/// Tokens spent and saved.
#[derive(Default, Serialize)]
struct Share {
    tokens: usize,
    deferred_tokens: usize,
}

pub(super) async fn cost(
    max_tokens: Option<usize>,
    app: &App,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let catalog = app.session(None).catalog().await;
    let mut costs = costs(&catalog);
    add_results(&mut costs, app);
    let total = count_tokens(&catalog.definitions_json());
    let saved: usize = costs.iter().filter(|cost| cost.deferred).map(|cost| cost.schema_tokens).sum();
    let by_toolset = shares(&costs, |cost| &cost.toolset);
    if json {
        let by_owner = shares(&costs, |cost| &cost.owner);
        print_json(&json!({
            "total_tokens": total, "deferred_tokens": saved, "encoding": "o200k_base",
            "toolsets": by_toolset, "owners": by_owner, "tools": costs,
        }))?;
    } else {
        costs.sort_by(|a, b| b.schema_tokens.cmp(&a.schema_tokens).then(a.name.cmp(&b.name)));
        print_text(&table(&costs, style))?;
        let spent = |(name, share): (&String, &Share)| match (share.tokens, share.deferred_tokens) {
            (tokens, 0) => format!("{name} {tokens}"),
            (0, saved) => format!("{name} ({saved})"),
            (tokens, saved) => format!("{name} {tokens} ({saved})"),
        };
        let text: Vec<String> = by_toolset.iter().map(spent).collect();
        print_text(&format!("\nby toolset: {}\n", text.join(", ")))?;
        let shown = costs.iter().filter(|cost| !cost.deferred).count();
        print_text(&format!("{} tokens for {shown} definitions\n", style.bold(&total.to_string())))?;
        if saved > 0 {
            let deferred = costs.len() - shown;
            print_text(&format!("{saved} tokens saved: {deferred} tools are found by tool_search\n"))?;
        }
    }
    match max_tokens {
        Some(limit) if total > limit => {
            Err(Failure::answer_is_no(format!("the definitions cost {total} tokens, more than {limit}")))
        }
        _ => Ok(exit::OK),
    }
}

/// What is shown as it is shown, and what is deferred as it would be.
fn costs(catalog: &Catalog) -> Vec<Cost> {
    let cost = |tool: &Listed, definition: &Value, deferred: bool| {
        let definition = definition.to_string();
        Cost {
            name: tool.shown_name.clone(),
            toolset: tool.entry.info().toolset.clone(),
            owner: tool.entry.owner.to_string(),
            schema_chars: definition.chars().count(),
            schema_tokens: count_tokens(&definition),
            deferred,
            ..Cost::default()
        }
    };
    let definitions = catalog.definitions();
    let shown = catalog.visible().zip(&definitions).map(|(tool, definition)| cost(tool, definition, false));
    let deferred = catalog.tools.iter().filter(|tool| catalog.is_deferred(tool));
    shown.chain(deferred.map(|tool| cost(tool, &tool.definition, true))).collect()
}

fn shares(costs: &[Cost], of: impl Fn(&Cost) -> &String) -> BTreeMap<String, Share> {
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for cost in costs {
        let share = shares.entry(of(cost).clone()).or_default();
        *(if cost.deferred { &mut share.deferred_tokens } else { &mut share.tokens }) += cost.schema_tokens;
    }
    shares
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
        cost.result_tokens += usize::try_from(chars).unwrap_or(usize::MAX).div_ceil(CHARS_PER_TOKEN);
    }
}

fn table(costs: &[Cost], style: Style) -> String {
    let mut table = Table::new(&["TOOL", "TOOLSET", "SCHEMA TOKENS", "CALLS", "RESULT TOKENS"]);
    for cost in costs {
        let tokens =
            if cost.deferred { format!("({})", cost.schema_tokens) } else { cost.schema_tokens.to_string() };
        table.row(vec![
            style.accent(&cost.name),
            cost.toolset.clone(),
            tokens,
            cost.calls.to_string(),
            cost.result_tokens.to_string(),
        ]);
    }
    table.render(style)
}
