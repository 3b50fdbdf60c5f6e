//! `hermes tools search`: what a model would find.

use clap::Args;
use hermes_search::{Fit, Method, Query};
use serde_json::{Value, json};

use super::list::first_sentence;
use crate::app::App;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// What the tool should do, or its name
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// The service or kind of server, if known
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
    /// How many hits at most
    #[arg(short = 'n', long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    limit: u16,
    /// Rank by words alone, without the encoder
    #[arg(long)]
    words: bool,
}

/// Over everything the session has, core tools included: people ask what there is.
pub(super) async fn search(args: &SearchArgs, app: &App, json: bool, style: Style) -> Result<u8, Failure> {
    let query = args.query.join(" ");
    let catalog = app.session(None).catalog().await;
    let search = app.runtime.search();
    search.follow(&app.runtime.registry().snapshot());
    if !args.words {
        search.embed_now();
    }
    let wanted = Query {
        text: &query,
        service: args.service.as_deref(),
        limit: args.limit.into(),
        words_only: args.words,
        ..Query::default()
    };
    let found = search.find_among(&wanted, catalog.names());
    let tools: Vec<_> = found.names.iter().filter_map(|name| catalog.get(name)).collect();
    let weak = found.fit == Fit::Weak && !tools.is_empty();
    let by = if found.method == Method::Meaning { "words and meaning" } else { "words" };
    if json {
        let hits: Vec<Value> = tools
            .iter()
            .map(|tool| {
                let info = tool.entry.info();
                json!({
                    "name": tool.shown_name,
                    "toolset": info.toolset,
                    "owner": tool.entry.owner.to_string(),
                    "description": first_sentence(&info.description),
                    "deferred": catalog.is_deferred(tool),
                })
            })
            .collect();
        let mut answer = json!({"query": query, "ranked_by": by, "matches": hits});
        if let (true, Some(fields)) = (weak, answer.as_object_mut()) {
            fields.insert("fit".to_owned(), "weak".into());
        }
        if let (true, Some(fields)) = (tools.is_empty(), answer.as_object_mut()) {
            fields.insert("near".to_owned(), catalog.nearest(&query, 3).into());
        }
        print_json(&answer)?;
        return Ok(exit::OK);
    }
    let mut table = Table::new(&["TOOL", "TOOLSET", "WHAT IT DOES"]);
    for tool in &tools {
        let info = tool.entry.info();
        table.row(vec![
            style.accent(&tool.shown_name),
            info.toolset.clone(),
            first_sentence(&info.description).to_owned(),
        ]);
    }
    if table.is_empty() {
        let near = catalog.nearest(&query, 3).join(", ");
        let near = if near.is_empty() { String::new() } else { format!(" Names that come near: {near}.") };
        print_text(&format!("Nothing fits.{near} 'hermes tools list' shows all.\n"))?;
    } else {
        print_text(&table.render(style))?;
        if weak {
            print_text("These come nearest; likely none of them does it.\n")?;
        }
    }
    Ok(exit::OK)
}
