//! Which tool was used after which query. A learned tool moves up; it never pushes another one out.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::tokens::terms;

/// Queries kept for one tool, the newest last.
const QUERIES_PER_TOOL: usize = 8;
/// Tools that are remembered.
const MOST_TOOLS: usize = 2_000;
/// Letters kept of a query.
const LONGEST_QUERY: usize = 200;
/// How alike two queries must be, as the share of their terms that both have.
const ALIKE: f32 = 0.5;

/// Queries by the tool that was called after them. Local, bounded, and plain to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Learned {
    tools: BTreeMap<String, Vec<String>>,
}

impl Learned {
    /// Remembers that `tool` was what `query` was after; says whether that is new.
    pub fn remember(&mut self, tool: &str, query: &str) -> bool {
        let query: String = query.trim().chars().take(LONGEST_QUERY).collect();
        if terms(&query).is_empty() || (self.tools.len() >= MOST_TOOLS && !self.tools.contains_key(tool)) {
            return false;
        }
        let queries = self.tools.entry(tool.to_owned()).or_default();
        if queries.contains(&query) {
            return false;
        }
        queries.push(query);
        if queries.len() > QUERIES_PER_TOOL {
            queries.remove(0);
        }
        true
    }

    /// The tools used after queries like this one, the most alike first.
    pub fn tools_for(&self, query: &str) -> Vec<&str> {
        let wanted: BTreeSet<String> = terms(query).into_iter().collect();
        let mut found: Vec<(f32, &str)> = self
            .tools
            .iter()
            .filter_map(|(tool, queries)| {
                let best = queries.iter().map(|query| alike(&wanted, query)).fold(0.0, f32::max);
                (best >= ALIKE).then_some((best, tool.as_str()))
            })
            .collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        found.into_iter().map(|(_, tool)| tool).collect()
    }

    /// What is learned about a tool.
    pub fn queries(&self, tool: &str) -> &[String] {
        self.tools.get(tool).map_or(&[], Vec::as_slice)
    }
}

fn alike(wanted: &BTreeSet<String>, query: &str) -> f32 {
    let other: BTreeSet<String> = terms(query).into_iter().collect();
    let both = wanted.intersection(&other).count();
    let either = wanted.union(&other).count();
    if either == 0 { 0.0 } else { both as f32 / either as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_remembered_in_bounds() {
        let mut learned = Learned::default();
        assert!(learned.remember("create_refund", "give money back to a customer"));
        assert!(!learned.remember("create_refund", "give money back to a customer"));
        assert!(!learned.remember("create_refund", "  the of "));
        assert_eq!(learned.tools_for("money back for customers"), ["create_refund"]);
        assert!(learned.tools_for("list customers").is_empty());
        for number in 0..20 {
            learned.remember("create_refund", &format!("query number {number}"));
        }
        assert_eq!(learned.queries("create_refund").len(), QUERIES_PER_TOOL);
    }
}
