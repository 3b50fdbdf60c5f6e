//! Which tool was used after which query.

use std::collections::BTreeSet;

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

/// Queries by the tool that was called after them, the tool used last at the end. Local, bounded, and plain to
/// read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Learned {
    tools: Vec<Uses>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Uses {
    tool: String,
    queries: Vec<String>,
}

impl Learned {
    /// Remembers that `tool` was what `query` was after; says whether that is new.
    pub fn remember(&mut self, tool: &str, query: &str) -> bool {
        let query: String = query.trim().chars().take(LONGEST_QUERY).collect();
        if terms(&query).is_empty() {
            return false;
        }
        let known = self.tools.iter().position(|uses| uses.tool == tool).map(|at| self.tools.remove(at));
        let mut uses = known.unwrap_or_else(|| Uses { tool: tool.to_owned(), queries: Vec::new() });
        let is_new = !uses.queries.contains(&query);
        if is_new {
            uses.queries.push(query);
            if uses.queries.len() > QUERIES_PER_TOOL {
                uses.queries.remove(0);
            }
        }
        self.tools.push(uses);
        if self.tools.len() > MOST_TOOLS {
            self.tools.remove(0);
        }
        is_new
    }

    /// The tools used after queries like this one, the most alike first, and how alike.
    pub fn tools_for(&self, query: &str) -> Vec<(&str, f32)> {
        let wanted: BTreeSet<String> = terms(query).into_iter().collect();
        let mut found: Vec<(&str, f32)> = self
            .tools
            .iter()
            .filter_map(|uses| {
                let best = uses.queries.iter().map(|query| alike(&wanted, query)).fold(0.0, f32::max);
                (best >= ALIKE).then_some((uses.tool.as_str(), best))
            })
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        found
    }

    /// What is learned about a tool.
    pub fn queries(&self, tool: &str) -> &[String] {
        self.tools.iter().find(|uses| uses.tool == tool).map_or(&[], |uses| uses.queries.as_slice())
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
        assert_eq!(learned.tools_for("money back for customers"), [("create_refund", 0.75)]);
        assert!(learned.tools_for("list customers").is_empty());
        for number in 0..20 {
            learned.remember("create_refund", &format!("query number {number}"));
        }
        assert_eq!(learned.queries("create_refund").len(), QUERIES_PER_TOOL);
    }

    #[test]
    fn whoever_was_not_used_for_longest_makes_room() {
        let mut learned = Learned::default();
        for number in 0..MOST_TOOLS {
            learned.remember(&format!("tool_{number}"), "some query");
        }
        learned.remember("tool_0", "some query");
        learned.remember("another", "some query");
        assert_eq!(learned.tools.len(), MOST_TOOLS);
        assert!(learned.queries("tool_1").is_empty());
        assert_eq!([learned.queries("tool_0").len(), learned.queries("another").len()], [1, 1]);
    }
}
