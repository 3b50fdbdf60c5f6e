//! `rules`: an effect, and everything that must be true of a call.

use hermes_core::Verdict;
use regex::RegexBuilder;
use serde_json::Value;

use super::reader::Reader;
use crate::profile::matchers::{Argument, ArgumentTest, Wildcard};
use crate::profile::model::Rule;
use hermes_core::yaml::quote;
use hermes_core::yaml::{Kind, Mark, Node};

const KEYS: &[&str] = &[
    "effect",
    "tool",
    "toolset",
    "server",
    "permission",
    "argument",
    "path",
    "host",
    "command",
    "actor",
    "reason",
];

/// The memory that one compiled expression may take.
const MAX_REGEX_BYTES: usize = 1 << 20;

impl Reader<'_> {
    pub(super) fn rule(&mut self, node: &Node) -> Option<Rule> {
        let entries = self.table(node, "a rule", KEYS);
        let effect = match entries.iter().find(|(key, _)| key.name == "effect") {
            Some((_, value)) => self.effect(value),
            None if node.is_broken() => None,
            None => {
                self.error(
                    node.at,
                    "the rule has no effect",
                    Some("write effect: allow, ask or deny".to_owned()),
                );
                None
            }
        };
        let before = self.problems.len();
        let mut rule = Rule {
            at: self.place(node.at),
            // What cannot be read is denied; the text is refused anyway.
            effect: effect.unwrap_or(Verdict::Deny),
            tool: Vec::new(),
            toolset: Vec::new(),
            server: Vec::new(),
            actor: Vec::new(),
            permission: Vec::new(),
            argument: Vec::new(),
            path: Vec::new(),
            host: Vec::new(),
            command: Vec::new(),
            reason: None,
        };
        for (key, value) in entries {
            self.condition(&mut rule, &key.name, value);
        }
        let found = self.problems.len() > before;
        if !found && effect.is_some() && rule.conditions().is_empty() {
            let hint = "name a tool, toolset, server, permission, argument, path, host, command or actor";
            self.error(node.at, "the rule has no condition", Some(hint.to_owned()));
        }
        effect.map(|_| rule)
    }

    fn condition(&mut self, rule: &mut Rule, key: &str, node: &Node) {
        if key == "argument" {
            rule.argument = self.arguments(node);
            return;
        }
        if key == "reason" {
            rule.reason = self.text(node, key).map(|text| text.value);
            return;
        }
        if key == "effect" {
            return;
        }
        let allows = rule.effect == Verdict::Allow;
        for (text, mark) in self.one_or_more(node, key) {
            let text = text.value;
            match key {
                "tool" => rule.tool.extend(self.tools(&text, mark)),
                "toolset" => rule.toolset.push(self.toolset(&text, mark)),
                "server" => rule.server.push(Wildcard::new(text)),
                "actor" => rule.actor.push(Wildcard::new(text)),
                "permission" => {
                    rule.permission.extend(self.pattern(&text, mark).map(|pattern| pattern.value))
                }
                "path" => rule.path.extend(self.path(&text, mark)),
                "host" => rule.host.extend(self.host(&text, mark)),
                _ if allows => rule.command.extend(self.allowed_command(&text, mark)),
                _ => rule.command.extend(self.command(&text, mark)),
            }
        }
    }

    fn effect(&mut self, node: &Node) -> Option<Verdict> {
        let text = self.text(node, "effect")?;
        match text.value.as_str() {
            "allow" => Some(Verdict::Allow),
            "ask" => Some(Verdict::Ask),
            "deny" => Some(Verdict::Deny),
            other => {
                self.error(node.at, format!("effect must be allow, ask or deny, not {}", quote(other)), None);
                None
            }
        }
    }

    fn arguments(&mut self, node: &Node) -> Vec<Argument> {
        let entries = self.entries(node, "argument");
        if entries.is_empty() && !node.is_broken() {
            self.error(
                node.at,
                "argument names no pointer",
                Some("write argument: {\"/path\": \"*.md\"}".to_owned()),
            );
        }
        let mut conditions = Vec::new();
        for (key, value) in entries {
            let escapes_are_right = key.name.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
            if !key.name.starts_with('/') || !escapes_are_right {
                let message = format!("{} is not a JSON pointer and can never match", quote(&key.name));
                self.error(
                    key.at,
                    message,
                    Some(format!("write \"/{}\"", key.name.trim_start_matches(['.', '$']).replace('.', "/"))),
                );
                continue;
            }
            let test = self.test(value);
            conditions.extend(test.map(|test| Argument { pointer: key.name.clone(), test }));
        }
        conditions
    }

    fn test(&mut self, node: &Node) -> Option<ArgumentTest> {
        if let Kind::Scalar { .. } = &node.kind {
            return match node.to_value() {
                Value::String(text) => Some(ArgumentTest::Glob(Wildcard::new(text))),
                value => Some(ArgumentTest::In(vec![value])),
            };
        }
        let entries = self.table(node, "a test of an argument", &["regex", "equals", "in"]);
        let [(key, value)] = entries.as_slice() else {
            if !node.is_broken() {
                let hint = "write a text with *, or one of {regex: …}, {equals: …}, {in: […]}";
                self.error(node.at, "an argument has one test", Some(hint.to_owned()));
            }
            return None;
        };
        match key.name.as_str() {
            "regex" => {
                let text = self.text(value, "regex")?;
                self.regex(&text.value, value.at)
            }
            "equals" => Some(ArgumentTest::In(vec![value.to_value()])),
            _ => {
                let items = self.list(value, "in")?;
                if items.is_empty() {
                    self.error(value.at, "in lists nothing, so the rule can never match", None);
                }
                Some(ArgumentTest::In(items.iter().map(Node::to_value).collect()))
            }
        }
    }

    /// An expression that must match the whole text. The engine takes linear time for any text.
    fn regex(&mut self, text: &str, at: Mark) -> Option<ArgumentTest> {
        let whole = format!("^(?:{text})$");
        match RegexBuilder::new(&whole).size_limit(MAX_REGEX_BYTES).dot_matches_new_line(true).build() {
            Ok(regex) => Some(ArgumentTest::Regex(regex)),
            Err(error) => {
                // The last line of the error says what; the lines before it draw the pattern.
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                self.error(at, format!("not a regular expression: {reason}"), None);
                None
            }
        }
    }
}
