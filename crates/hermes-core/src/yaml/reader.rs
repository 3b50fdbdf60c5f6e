//! Reads single values off the tree and remembers what was wrong with them.

use std::sync::Arc;

use super::finding::Finding;
use super::node::{Key, Kind, Mark, Node};
use super::place::{At, Place, Problem, quote};
use super::read::{Budget, read};
use crate::names::nearest;

/// A text with more mistakes than this is something else.
const MAX_PROBLEMS: usize = 200;

/// Reads one text.
#[derive(Debug)]
pub struct Reader {
    pub file: Arc<str>,
    pub problems: Vec<Problem>,
}

impl Reader {
    pub fn place(&self, at: Mark) -> Place {
        Place { file: Arc::clone(&self.file), line: at.line, column: at.column }
    }

    pub fn at<T>(&self, value: T, mark: Mark) -> At<T> {
        At { value, at: self.place(mark) }
    }

    /// Looking for near names has a price, and nobody reads hundreds of mistakes.
    pub fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    pub fn error(&mut self, at: Mark, message: impl Into<String>, hint: Option<String>) {
        if !self.is_full() {
            let problem = Problem::error(self.place(at), message);
            self.problems.push(Problem { hint, ..problem });
        }
    }

    /// A reader for a text that messages call `file`.
    pub fn new(file: &str) -> Self {
        Reader { file: Arc::from(file), problems: Vec::new() }
    }

    /// The tree of a text; what is wrong with it as YAML is noted.
    pub fn root(&mut self, text: &str, budget: Budget) -> Option<Node> {
        let (root, findings) = read(text, budget);
        for Finding { at, message, hint, .. } in findings {
            self.error(at, message, hint);
        }
        root
    }

    /// The value, if nothing was wrong; otherwise everything that was, in order.
    pub fn finish<T>(mut self, value: Option<T>) -> Result<T, Vec<Problem>> {
        self.problems.sort_by(|left, right| left.place.cmp(&right.place));
        match value {
            Some(value) if self.problems.is_empty() => Ok(value),
            _ => Err(self.problems),
        }
    }

    /// The entries of a table whose keys are all known. An empty value is an empty table.
    pub fn table<'n>(&mut self, node: &'n Node, what: &str, keys: &[&str]) -> Vec<(&'n Key, &'n Node)> {
        let entries = self.entries(node, what);
        let (known, unknown): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|(key, _)| keys.contains(&key.name.as_str()));
        for (key, _) in unknown {
            if self.is_full() {
                break;
            }
            let hint = match nearest(&key.name, keys.iter().copied(), 1).first() {
                Some(near) => format!("did you mean {near}?"),
                None => format!("known here: {}", keys.join(", ")),
            };
            self.error(key.at, format!("unknown key {} in {what}", quote(&key.name)), Some(hint));
        }
        known
    }

    /// The entries of a table whose keys are names.
    pub fn entries<'n>(&mut self, node: &'n Node, what: &str) -> Vec<(&'n Key, &'n Node)> {
        match &node.kind {
            Kind::Map(entries) => entries.iter().map(|(key, value)| (key, value)).collect(),
            _ if node.is_null() || node.is_broken() => Vec::new(),
            _ => {
                self.error(node.at, format!("{what} must be a table, not {}", node.written()), None);
                Vec::new()
            }
        }
    }

    pub fn list<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        match &node.kind {
            Kind::List(items) => Some(items),
            Kind::Broken => None,
            _ => {
                let hint = match &node.kind {
                    Kind::Scalar { .. } if node.is_null() => "write [] for an empty list".to_owned(),
                    Kind::Scalar { text, .. } => format!("write [{}]", quote(text)),
                    _ => "write [first, second]".to_owned(),
                };
                self.error(node.at, format!("{what} must be a list, not {}", node.written()), Some(hint));
                None
            }
        }
    }

    /// Text, in quotes or not. Numbers and booleans are not text; quotes make them so.
    pub fn text(&mut self, node: &Node, what: &str) -> Option<At<String>> {
        match &node.kind {
            Kind::Scalar { text, .. } if node.to_value().is_string() => Some(self.at(text.clone(), node.at)),
            Kind::Broken => None,
            kind => {
                let hint = match kind {
                    Kind::Scalar { text, .. } if !text.is_empty() => {
                        Some(format!("write \"{text}\" in quotes"))
                    }
                    _ => None,
                };
                self.error(node.at, format!("{what} must be text, not {}", node.written()), hint);
                None
            }
        }
    }

    /// Texts of a list.
    pub fn texts(&mut self, node: &Node, what: &str) -> Option<Vec<(At<String>, Mark)>> {
        let items = self.list(node, what)?;
        Some(items.iter().filter_map(|item| Some((self.text(item, what)?, item.at))).collect())
    }

    /// One text, or a list of them that is not empty.
    pub fn one_or_more(&mut self, node: &Node, what: &str) -> Vec<(At<String>, Mark)> {
        match &node.kind {
            Kind::List(items) if items.is_empty() => {
                self.error(
                    node.at,
                    format!("{what} lists nothing"),
                    Some("name something or remove it".to_owned()),
                );
                Vec::new()
            }
            Kind::List(_) => self.texts(node, what).unwrap_or_default(),
            _ => self.text(node, what).map(|text| (text, node.at)).into_iter().collect(),
        }
    }

    pub fn whole(&mut self, node: &Node, what: &str, least: u64, most: u64) -> Option<At<u64>> {
        if node.is_broken() {
            return None;
        }
        match node.to_value().as_u64().filter(|number| (least..=most).contains(number)) {
            Some(number) => Some(self.at(number, node.at)),
            None => {
                let message =
                    format!("{what} must be a whole number from {least} to {most}, not {}", node.written());
                self.error(node.at, message, None);
                None
            }
        }
    }

    pub fn switch(&mut self, node: &Node, what: &str) -> bool {
        match node.to_value().as_bool() {
            Some(value) => value,
            None => {
                self.error(node.at, format!("{what} must be true or false, not {}", node.written()), None);
                false
            }
        }
    }
}
