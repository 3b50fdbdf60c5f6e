//! Gathers the tools, applies the rules, and gives each server its score.

use std::collections::{BTreeMap, BTreeSet};

use hermes_core::Owner;
use hermes_runtime::catalog::Hidden;
use hermes_runtime::registry::Entry;
use hermes_search::encoder::{Encoder, TOOL_TOKENS};
use hermes_search::{Document, Library};
use serde_json::json;

use super::args::LintArgs;
use super::finding::Finding;
use super::rules::{SUSPICIOUS, check};
use crate::app::App;
use crate::commands::tools::catalog_file::{Tool, lines};
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

/// What is looked at.
#[derive(Default)]
struct Gathered {
    documents: Vec<Document>,
    /// Tools that wait for somebody's word or cannot be shown to a model.
    kept_back: Vec<Finding>,
    /// Hermes's own tools. The look for poisoned texts errs on the side of care, which is for texts of strangers.
    own: BTreeSet<String>,
}

/// Larger catalogs are not compared pair by pair.
const MOST_COMPARED: usize = 5_000;

pub(in crate::commands::tools) async fn run(
    args: &LintArgs,
    app: &App,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let Gathered { documents, kept_back, own } = match &args.catalog {
        Some(path) => {
            let documents = lines::<Tool>(path)?.iter().map(Tool::document).collect();
            Gathered { documents, ..Gathered::default() }
        }
        None => of_session(app).await,
    };
    let mut findings = check(&documents, &library(&documents));
    findings.retain(|finding| finding.rule != SUSPICIOUS || !own.contains(&finding.tool));
    findings.extend(kept_back);
    let scores = scores(&documents, &findings);
    if json {
        print_json(&json!({"servers": scores, "findings": findings}))?;
    } else {
        for finding in &findings {
            let rule = style.warning(finding.rule);
            print_text(&format!("{} {rule} {}\n", style.accent(&finding.tool), finding.message))?;
        }
        let mut table = Table::new(&["SERVER", "SCORE"]);
        for (server, score) in &scores {
            table.row(vec![server.clone(), score.to_string()]);
        }
        print_text(&table.render(style))?;
    }
    let worst = scores.iter().min_by_key(|(_, score)| **score);
    match (args.min_score, worst) {
        (Some(least), Some((server, score))) if *score < least => {
            Err(Failure::answer_is_no(format!("{server} has {score} points, less than {least}")))
        }
        _ => Ok(exit::OK),
    }
}

/// The mean over a server's tools of what findings leave of a hundred points.
fn scores(documents: &[Document], findings: &[Finding]) -> BTreeMap<String, u32> {
    let mut taken: BTreeMap<&str, u32> = BTreeMap::new();
    for finding in findings {
        *taken.entry(finding.tool.as_str()).or_default() += finding.weight;
    }
    let mut by_server: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for document in documents {
        let left = 100_u32.saturating_sub(taken.get(document.name.as_str()).copied().unwrap_or(0));
        let (sum, count) = by_server.entry(document.server.clone()).or_default();
        *sum += left;
        *count += 1;
    }
    by_server.into_iter().map(|(server, (sum, count))| (server, sum / count.max(1))).collect()
}

fn library(documents: &[Document]) -> Library {
    let mut library = Library::default();
    documents.iter().for_each(|document| {
        library.insert(document.clone());
    });
    if documents.len() > MOST_COMPARED {
        return library;
    }
    if let Some(encoder) = Encoder::shared() {
        let missing = library.without_vector(usize::MAX);
        let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
        let made: BTreeMap<_, _> =
            missing.iter().map(|(hash, _)| *hash).zip(encoder.embed_all(&texts, TOOL_TOKENS)).collect();
        library.set_vectors(&|hash| made.get(hash).cloned());
    }
    library
}

/// The tools of the session, and those that wait for somebody's word or cannot be shown to a model.
async fn of_session(app: &App) -> Gathered {
    let session = app.session(None);
    let catalog = session.catalog().await;
    let registered = session.runtime().registry().snapshot();
    let mut documents: Vec<Document> = catalog.tools.iter().map(|tool| document(&tool.entry)).collect();
    let own = catalog.tools.iter().filter(|tool| tool.entry.owner == Owner::BuiltIn);
    let own = own.map(|tool| tool.entry.info().name.clone()).collect();
    let mut kept_back = Vec::new();
    for (name, hidden) in &catalog.hidden {
        if let (Hidden::KeptBack(reason) | Hidden::Quarantined(reason), Some(entry)) =
            (hidden, registered.get(name))
        {
            let document = document(entry);
            let (tool, server, message) = (document.name.clone(), document.server.clone(), reason.clone());
            kept_back.push(Finding { tool, server, rule: "quarantined", message, weight: 100 });
            documents.push(document);
        }
    }
    Gathered { documents, kept_back, own }
}

fn document(entry: &Entry) -> Document {
    let info = entry.info();
    let server = match &entry.owner {
        Owner::Mcp(id) | Owner::Plugin(id) | Owner::Yaml(id) => id.clone(),
        Owner::BuiltIn | Owner::Host => info.toolset.clone(),
    };
    let (bare, description) = match &entry.owner {
        Owner::Mcp(id) => (as_the_server_calls_it(&info.name, id), as_the_server_says(&info.description, id)),
        _ => (info.name.as_str(), info.description.as_str()),
    };
    Document {
        name: info.name.clone(),
        bare: bare.to_owned(),
        server,
        description: description.to_owned(),
        parameters: info.parameters.clone(),
        aliases: Vec::new(),
    }
}

/// The tool's part of `mcp_<server>_<tool>`.
fn as_the_server_calls_it<'a>(name: &'a str, server: &str) -> &'a str {
    name.strip_prefix("mcp_").and_then(|rest| rest.strip_prefix(server)?.strip_prefix('_')).unwrap_or(name)
}

/// A description, unless it is the one that stands in for none.
fn as_the_server_says<'a>(description: &'a str, server: &str) -> &'a str {
    let stands_in =
        description.starts_with("Tool '") && description.ends_with(&format!("' of MCP server '{server}'."));
    if stands_in { "" } else { description }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_runtime_adds_to_a_servers_tool_is_taken_off() {
        assert_eq!(as_the_server_says("Tool 'add' of MCP server 'fun'.", "fun"), "");
        assert_eq!(as_the_server_says("Adds two numbers.", "fun"), "Adds two numbers.");
        assert_eq!(as_the_server_calls_it("mcp_fun_add", "fun"), "add");
        assert_eq!(as_the_server_calls_it("other", "fun"), "other");
    }
}
