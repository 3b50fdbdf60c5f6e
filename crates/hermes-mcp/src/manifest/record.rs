//! One server's file: what it showed last and what the user agreed to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::change::{Change, Verdict};
use super::definition::{Manifest, ToolDef};
use crate::text::findings;

/// The state of one server between processes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// What the server showed when it was last asked.
    pub seen: Manifest,
    /// The definitions the user agreed to, by the server's name for the tool.
    pub accepted: BTreeMap<String, ToolDef>,
    /// Who the server said it was when it was first used.
    pub first_seen_as: String,
}

impl Record {
    /// The record of a server that is seen for the first time: configuring it was the user's agreement, but not
    /// to texts that no honest definition needs.
    pub fn first(seen: Manifest) -> Self {
        let honest = seen.tools.iter().filter(|tool| findings(tool).is_empty());
        let accepted = honest.map(|tool| (tool.name.clone(), tool.clone())).collect();
        Record { first_seen_as: seen.server.name.clone(), accepted, seen }
    }

    /// Takes note of what the server shows now. Nothing is agreed to by it, but for honest new tools where the
    /// user said so.
    pub fn observe(&mut self, seen: Manifest, accept_new_tools: bool) {
        self.seen = seen;
        if accept_new_tools && !self.is_someone_else() {
            for tool in &self.seen.tools {
                if !self.accepted.contains_key(&tool.name) && findings(tool).is_empty() {
                    self.accepted.insert(tool.name.clone(), tool.clone());
                }
            }
        }
    }

    /// Agrees to tools as they are now: these, or all.
    pub fn accept(&mut self, only: &[String]) {
        for tool in &self.seen.tools {
            if only.is_empty() || only.contains(&tool.name) {
                self.accepted.insert(tool.name.clone(), tool.clone());
            }
        }
        if only.is_empty() {
            self.first_seen_as = self.seen.server.name.clone();
        }
    }

    /// Whether a tool may be used as it is defined now.
    pub fn judge(&self, tool: &ToolDef) -> Verdict {
        match self.accepted.get(&tool.name) {
            Some(accepted) if self.is_someone_else() || accepted.digest() != tool.digest() => {
                Verdict::Changed
            }
            Some(_) => Verdict::Accepted,
            None if !findings(tool).is_empty() => Verdict::Suspicious,
            None => Verdict::New,
        }
    }

    /// Everything that waits for the user's word.
    pub fn changes(&self) -> Vec<Change> {
        let kept_back = self.seen.tools.iter().map(|tool| (tool, self.judge(tool)));
        kept_back
            .filter(|(_, verdict)| !verdict.is_accepted())
            .map(|(tool, verdict)| Change {
                tool: tool.name.clone(),
                verdict,
                before: self.accepted.get(&tool.name).cloned(),
                after: tool.clone(),
                findings: findings(tool),
            })
            .collect()
    }

    /// The same command line may start another server than the one that was agreed to.
    fn is_someone_else(&self) -> bool {
        self.first_seen_as != self.seen.server.name
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::definition::Identity;
    use super::*;

    fn tool(name: &str, description: &str) -> ToolDef {
        ToolDef {
            name: name.into(),
            title: None,
            description: Some(description.into()),
            input_schema: json!({"type": "object"}),
            output_schema: None,
            annotations: None,
        }
    }

    fn manifest(server: &str, tools: Vec<ToolDef>) -> Manifest {
        let server = Identity { name: server.into(), version: "1".into() };
        Manifest { server, tools, ..Manifest::default() }
    }

    #[test]
    fn changes_wait_for_the_user_and_returning_needs_no_word() {
        let first = manifest("s", vec![tool("a", "adds"), tool("b", "subtracts")]);
        let mut record = Record::first(first.clone());
        assert!(record.changes().is_empty());
        record.observe(
            manifest("s", vec![tool("a", "adds and mails"), tool("b", "subtracts"), tool("c", "new")]),
            false,
        );
        let waiting: Vec<_> =
            record.changes().into_iter().map(|change| (change.tool, change.verdict)).collect();
        assert_eq!(waiting, [("a".into(), Verdict::Changed), ("c".into(), Verdict::New)]);
        assert_eq!(record.changes()[0].lines(), ["- description: adds", "+ description: adds and mails"]);
        record.accept(&["a".into()]);
        assert_eq!(record.changes().len(), 1);
        record.observe(first, false);
        assert_eq!(record.changes().len(), 1, "the old text is a change again");
    }

    #[test]
    fn another_server_behind_the_same_name_is_trusted_with_nothing() {
        let mut record = Record::first(manifest("s", vec![tool("a", "adds")]));
        record.observe(manifest("t", vec![tool("a", "adds"), tool("b", "b")]), true);
        assert_eq!(record.changes().len(), 2);
        record.accept(&[]);
        assert!(record.changes().is_empty());
    }
}
