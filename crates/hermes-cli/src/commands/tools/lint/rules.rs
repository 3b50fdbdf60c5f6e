//! The rules about single tools and about pairs of them.

use std::collections::BTreeMap;

use hermes_mcp::ToolDef;
use hermes_search::{Document, Library, count_tokens};
use serde_json::Value;

use super::finding::Finding;
use super::lookalikes::lookalikes;

/// A shorter description says no more than the name.
const SHORTEST: usize = 12;
/// Tokens of a description that help; the rest only costs.
const LONGEST_TOKENS: usize = 400;
/// What every provider takes for a name.
const LONGEST_NAME: usize = 64;
/// Vectors this alike belong to texts that a model cannot tell apart.
const CONFUSABLE: f32 = 0.82;
/// Pairs that are reported.
const MOST_PAIRS: usize = 50;

/// The rule about texts that read like orders to a model.
pub(super) const SUSPICIOUS: &str = "suspicious";

/// Everything that is wrong, by server, tool and rule.
pub(super) fn check(documents: &[Document], library: &Library) -> Vec<Finding> {
    let mut findings: Vec<Finding> = documents.iter().flat_map(single).collect();
    findings.extend(duplicates(documents));
    findings.extend(twins(documents));
    findings.extend(namesakes(documents));
    findings.extend(misspellable(documents));
    findings.extend(confusable(documents, library, &findings));
    findings.sort_by(|a, b| {
        (&a.server, &a.tool, a.rule, &a.message).cmp(&(&b.server, &b.tool, b.rule, &b.message))
    });
    findings
}

fn finding(document: &Document, rule: &'static str, weight: u32, message: String) -> Finding {
    Finding { tool: document.name.clone(), server: document.server.clone(), rule, message, weight }
}

fn single(document: &Document) -> Vec<Finding> {
    let mut findings = Vec::new();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !document.bare.chars().all(plain) || document.bare.len() > LONGEST_NAME {
        let message =
            format!("has a name that providers refuse: letters, digits, _ and -, {LONGEST_NAME} at most");
        findings.push(finding(document, "name", 20, message));
    }
    let text = document.description.trim();
    if text.is_empty() {
        findings.push(finding(document, "missing", 60, "has no description".to_owned()));
    } else if text.chars().count() < SHORTEST {
        findings.push(finding(document, "short", 25, format!("says only {text:?}")));
    }
    let tokens = count_tokens(text);
    if tokens > LONGEST_TOKENS {
        let message = format!("takes {tokens} tokens; {LONGEST_TOKENS} are plenty");
        findings.push(finding(document, "long", 15, message));
    }
    let silent: Vec<&str> = document
        .properties()
        .filter(|(_, schema)| schema.get("description").and_then(Value::as_str).is_none_or(str::is_empty))
        .map(|(name, _)| name)
        .collect();
    if !silent.is_empty() {
        let message = format!("says nothing about {}", silent.join(", "));
        findings.push(finding(document, "arguments", 10, message));
    }
    for odd in hermes_mcp::findings(&as_defined(document)) {
        findings.push(finding(document, SUSPICIOUS, 100, format!("{}: {}", odd.place, odd.what)));
    }
    findings
}

/// As a server would define it, which is what the one look for poisoned texts is for.
fn as_defined(document: &Document) -> ToolDef {
    ToolDef {
        name: document.bare.clone(),
        description: Some(document.description.clone()),
        input_schema: document.parameters.clone(),
        ..ToolDef::default()
    }
}

/// Tools that say the very same.
fn duplicates(documents: &[Document]) -> Vec<Finding> {
    let mut by_text: BTreeMap<String, Vec<&Document>> = BTreeMap::new();
    for document in documents.iter().filter(|document| !document.description.trim().is_empty()) {
        let same: Vec<&str> = document.description.split_whitespace().collect();
        by_text.entry(same.join(" ").to_lowercase()).or_default().push(document);
    }
    let mut findings = Vec::new();
    for same in by_text.values().filter(|same| same.len() > 1) {
        for document in same {
            let others: Vec<&str> = same
                .iter()
                .filter(|other| other.name != document.name)
                .map(|other| other.name.as_str())
                .take(3)
                .collect();
            if !others.is_empty() {
                findings.push(finding(
                    document,
                    "duplicate",
                    20,
                    format!("says the same as {}", others.join(", ")),
                ));
            }
        }
    }
    findings
}

/// Names that one server gives twice: only one of the tools can be called.
fn twins(documents: &[Document]) -> Vec<Finding> {
    let mut by_name: BTreeMap<(&str, &str), Vec<&Document>> = BTreeMap::new();
    for document in documents {
        by_name.entry((&document.server, &document.name)).or_default().push(document);
    }
    let twice = by_name.values().filter(|same| same.len() > 1);
    let message = |same: &[&Document]| format!("is there {} times", same.len());
    twice.filter_map(|same| Some(finding(same.first()?, "twin", 60, message(same)))).collect()
}

/// Tools of several servers with one name: which of them is meant is left to the server's.
fn namesakes(documents: &[Document]) -> Vec<Finding> {
    let mut by_name: BTreeMap<&str, BTreeMap<&str, &Document>> = BTreeMap::new();
    for document in documents {
        by_name.entry(&document.bare).or_default().entry(&document.server).or_insert(document);
    }
    let mut findings = Vec::new();
    for same in by_name.values().filter(|same| same.len() > 1) {
        for (server, document) in same {
            let others: Vec<&str> = same.keys().filter(|other| *other != server).copied().take(3).collect();
            let message = format!("is called as a tool of {} is", others.join(", "));
            findings.push(finding(document, "namesake", 5, message));
        }
    }
    findings
}

/// Tools whose names are a letter apart: a slip calls the other one.
fn misspellable(documents: &[Document]) -> Vec<Finding> {
    let alike = lookalikes(documents.iter().map(|document| document.name.as_str()));
    let mut findings = Vec::new();
    for document in documents {
        if let Some(others) = alike.get(document.name.as_str()) {
            let others: Vec<&str> = others.iter().copied().take(3).collect();
            let message = format!("is spelt almost like {}", others.join(", "));
            findings.push(finding(document, "lookalike", 5, message));
        }
    }
    findings
}

/// Tools whose texts mean the same, though they are not the same.
fn confusable(documents: &[Document], library: &Library, known: &[Finding]) -> Vec<Finding> {
    let by_name: BTreeMap<&str, &Document> =
        documents.iter().map(|document| (document.name.as_str(), document)).collect();
    let duplicate =
        |name: &str| known.iter().any(|finding| finding.rule == "duplicate" && finding.tool == name);
    let pairs = library.alike(CONFUSABLE).into_iter().filter(|(a, b, _)| !duplicate(a) && !duplicate(b));
    pairs
        .take(MOST_PAIRS)
        .filter_map(|(a, b, _)| {
            let message = format!("is hard to tell from {b}");
            Some(finding(by_name.get(a)?, "confusable", 10, message))
        })
        .collect()
}
