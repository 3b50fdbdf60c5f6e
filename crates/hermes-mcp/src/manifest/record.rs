//! One server's file: what it showed last and what the user agreed to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::agreed::Agreed;
use super::change::{Change, OtherServer, Verdict};
use super::definition::{Manifest, ToolDef};
use super::prompt::all_prompts;
use crate::text::findings;
use crate::utility::Utility;

/// The state of one server between processes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// What the server showed when it was last asked.
    pub seen: Manifest,
    /// The definitions the user agreed to, by the server's name for the tool.
    pub accepted: BTreeMap<String, ToolDef>,
    /// The same for prompts; nothing where nobody has taken note of them yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_prompts: Option<BTreeMap<String, ToolDef>>,
    /// Who the server said it was when it was first used.
    pub first_seen_as: String,
    /// What the user had written down as the server then; nothing where nobody has taken note of it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_configured_as: Option<String>,
}

impl Record {
    /// The record of a server that is seen for the first time: configuring it was the user's agreement, but not
    /// to texts that no honest definition needs.
    pub fn first(seen: Manifest) -> Self {
        let honest = seen.tools.iter().filter(|tool| is_honest(tool, &seen));
        let accepted = honest.map(|tool| (tool.name.clone(), tool.clone())).collect();
        let accepted_prompts = Some(all_prompts(&seen));
        let first_configured_as = seen.configured_as.clone();
        Record {
            first_seen_as: seen.server.name.clone(),
            first_configured_as,
            accepted,
            accepted_prompts,
            seen,
        }
    }

    /// Takes note of what the server shows now. Nothing is agreed to by it, but for honest new tools where the
    /// user said so.
    pub fn observe(&mut self, seen: Manifest, accept_new_tools: bool) {
        self.seen = seen;
        if self.first_configured_as.is_none() && !self.is_someone_else() {
            self.first_configured_as.clone_from(&self.seen.configured_as);
        }
        if accept_new_tools && !self.is_someone_else() {
            for tool in &self.seen.tools {
                if !self.accepted.contains_key(&tool.name) && is_honest(tool, &self.seen) {
                    self.accepted.insert(tool.name.clone(), tool.clone());
                }
            }
        }
        if !self.is_someone_else() {
            self.observe_prompts();
        }
    }

    /// Agrees to what the user was shown, where it is still what the server shows.
    pub fn accept(&mut self, agreed: &Agreed) {
        if let Some(other) = self.other_server() {
            if !agreed.covers_server(&other) {
                return;
            }
            // What was agreed to was the other server's.
            self.accepted.clear();
            self.accepted_prompts = Some(BTreeMap::new());
            self.first_seen_as = self.seen.server.name.clone();
            self.first_configured_as.clone_from(&self.seen.configured_as);
        }
        for tool in self.seen.tools.iter().filter(|tool| agreed.covers(tool)) {
            self.accepted.insert(tool.name.clone(), tool.clone());
        }
        let accepted = self.accepted_prompts.get_or_insert_default();
        accepted
            .extend(all_prompts(&self.seen).into_iter().filter(|(_, prompt)| agreed.covers_prompt(prompt)));
    }

    /// Whether a tool may be used as it is defined now.
    pub fn judge(&self, tool: &ToolDef) -> Verdict {
        match self.accepted.get(&tool.name) {
            _ if self.is_someone_else() => self.judge_server(),
            Some(accepted) if accepted.is_same(tool) => Verdict::Accepted,
            Some(_) => Verdict::Changed,
            None if !findings(tool).is_empty() => Verdict::Suspicious,
            None if Utility::is_name(&tool.name, &self.seen) => Verdict::TakesName,
            None => Verdict::New,
        }
    }

    /// Whether what the server has beside tools may be used.
    pub fn judge_server(&self) -> Verdict {
        match (self.is_moved(), self.is_someone_else()) {
            (true, _) => Verdict::Moved,
            (false, true) => Verdict::OtherServer,
            (false, false) => Verdict::Accepted,
        }
    }

    /// Who the server says it is, if that waits for the user's word.
    pub fn other_server(&self) -> Option<OtherServer> {
        let is_moved = self.is_moved();
        self.is_someone_else().then(|| OtherServer {
            verdict: self.judge_server(),
            before: self.first_seen_as.clone(),
            after: self.seen.server.name.clone(),
            configured_before: self.first_configured_as.clone().filter(|_| is_moved),
            configured_after: self.seen.configured_as.clone().filter(|_| is_moved),
        })
    }

    /// Every tool and every prompt that waits for the user's word.
    pub fn changes(&self) -> Vec<Change> {
        let tools = self.seen.tools.iter().map(|tool| (tool, self.judge(tool)));
        let tools = tools.filter(|(_, verdict)| !verdict.is_accepted()).map(|(tool, verdict)| Change {
            tool: tool.name.clone(),
            is_prompt: false,
            verdict,
            before: self.accepted.get(&tool.name).cloned(),
            after: tool.clone(),
            findings: findings(tool),
        });
        tools.chain(self.changed_prompts()).collect()
    }

    /// The same command line may start another server than the one that was agreed to.
    pub(super) fn is_someone_else(&self) -> bool {
        self.first_seen_as != self.seen.server.name || self.is_moved()
    }

    /// Whoever is started or reached instead of the one that was agreed to can call itself by the same name.
    fn is_moved(&self) -> bool {
        let configured = self.first_configured_as.as_ref().zip(self.seen.configured_as.as_ref());
        configured.is_some_and(|(before, now)| before != now)
    }
}

/// Whether a tool can be taken as it is. One that would take the place of another that the user knows is to be seen first.
fn is_honest(tool: &ToolDef, seen: &Manifest) -> bool {
    findings(tool).is_empty() && !Utility::is_name(&tool.name, seen)
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
            execution: None,
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
        record.accept(&Agreed::to(record.changes().iter().take(1), None));
        assert_eq!(record.changes().len(), 1);
        record.observe(first, false);
        assert_eq!(record.changes().len(), 1, "the old text is a change again");
    }

    #[test]
    fn another_server_behind_the_same_name_is_trusted_with_nothing() {
        let mut record = Record::first(manifest("s", vec![tool("a", "adds")]));
        record.observe(manifest("t", vec![tool("a", "adds"), tool("b", "b")]), true);
        let (changes, other) = (record.changes(), record.other_server());
        assert_eq!(changes.len(), 2);
        assert_eq!(other.as_ref().unwrap().lines(), ["- serverInfo.name: s", "+ serverInfo.name: t"]);
        record.accept(&Agreed::to(&changes, None));
        assert_eq!(record.changes().len(), 2, "agreeing to its tools is not agreeing to the server");
        assert_eq!(record.judge_server(), Verdict::OtherServer);
        record.accept(&Agreed::to(&changes, other.as_ref()));
        assert!(record.changes().is_empty() && record.other_server().is_none());
        // Who comes instead of the one that was shown is a stranger still.
        let mut record = Record::first(manifest("s", vec![tool("a", "adds")]));
        record.observe(manifest("u", vec![tool("a", "adds")]), false);
        record.accept(&Agreed::to(&changes, other.as_ref()));
        assert_eq!(record.judge_server(), Verdict::OtherServer);
    }

    #[test]
    fn another_server_of_the_same_name_inherits_nothing() {
        let at = |place: Option<&str>| Manifest {
            configured_as: place.map(str::to_owned),
            ..manifest("s", vec![tool("a", "adds")])
        };
        let mut record = Record::first(at(None));
        record.observe(at(Some("[\"one\"]")), false);
        assert_eq!(record.judge_server(), Verdict::Accepted, "nobody had taken note of it");
        record.observe(at(Some("[\"two\"]")), true);
        let (changes, other) = (record.changes(), record.other_server());
        assert_eq!(changes[0].verdict, Verdict::Moved);
        let lines = other.as_ref().unwrap().lines();
        assert_eq!(lines, ["- configured as: [\"one\"]", "+ configured as: [\"two\"]"]);
        // Who comes instead of the one that was shown is a stranger still.
        let mut third = record.clone();
        third.observe(at(Some("[\"three\"]")), false);
        third.accept(&Agreed::to(&changes, other.as_ref()));
        assert_eq!(third.judge_server(), Verdict::Moved);
        record.accept(&Agreed::to(&changes, other.as_ref()));
        assert!(record.changes().is_empty() && record.other_server().is_none());
    }

    #[test]
    fn only_what_was_shown_is_agreed_to() {
        let mut record = Record::first(manifest("s", vec![tool("a", "adds"), tool("b", "b")]));
        record.observe(manifest("s", vec![tool("a", "adds well"), tool("b", "b, too")]), false);
        let shown = Agreed::to(&record.changes(), None);
        record.observe(manifest("s", vec![tool("a", "mails"), tool("b", "b, too"), tool("c", "c")]), false);
        record.accept(&shown);
        let waiting: Vec<_> = record.changes().into_iter().map(|change| change.tool).collect();
        assert_eq!(waiting, ["a", "c"]);
        assert_eq!(record.changes()[0].lines(), ["- description: adds", "+ description: mails"]);
    }
}
