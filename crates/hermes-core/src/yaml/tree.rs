//! Puts the pieces of a text together, counts what they cost and notices keys written twice.

use std::collections::HashMap;

use super::finding::{Finding, Step};
use super::node::{Key, Kind, Mark, Node, Size};

/// Nodes after aliases are filled in.
const MAX_NODES: usize = 20_000;
/// Bytes of text that anchors and aliases copy. A few values said twice have some hundreds.
const MAX_COPIED: usize = 1 << 20;
/// Levels of nesting. The deepest key of anything that is read here has eight.
pub(super) const MAX_DEPTH: usize = 24;

/// A text with more mistakes than this is none of ours; the rest of them helps nobody.
const MAX_FINDINGS: usize = 200;

/// A tree that is being read.
#[derive(Default)]
pub(super) struct Tree {
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    copied: usize,
    pub(super) root: Option<Node>,
    pub(super) findings: Vec<Finding>,
}

/// A list or map whose end has not been seen yet. In a map, `key` waits for its value.
struct Open {
    at: Mark,
    anchor: usize,
    items: Items,
}

enum Items {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, lines: HashMap<String, usize>, key: Waiting },
}

enum Waiting {
    ForKey,
    ForValue(Key),
    /// The value of a key that was refused.
    Ignored,
}

impl Tree {
    pub(super) fn open_list(&mut self, at: Mark, anchor: usize) -> Result<(), Finding> {
        self.begin(Open { at, anchor, items: Items::List(Vec::new()) })
    }

    pub(super) fn open_map(&mut self, at: Mark, anchor: usize) -> Result<(), Finding> {
        let items = Items::Map { entries: Vec::new(), lines: HashMap::new(), key: Waiting::ForKey };
        self.begin(Open { at, anchor, items })
    }

    fn begin(&mut self, open: Open) -> Result<(), Finding> {
        let at = open.at;
        self.open.push(open);
        if self.open.len() > MAX_DEPTH { Err(too_deep(at)) } else { Ok(()) }
    }

    pub(super) fn close(&mut self) -> Result<(), Finding> {
        let Some(Open { at, anchor, items }) = self.open.pop() else { return Ok(()) };
        let kind = match items {
            Items::List(items) => Kind::List(items),
            Items::Map { entries, .. } => Kind::Map(entries),
        };
        self.complete(Node { at, kind }, anchor)
    }

    /// Takes a finished node in, and keeps a copy if an alias may ask for it.
    pub(super) fn complete(&mut self, node: Node, anchor: usize) -> Result<(), Finding> {
        self.charge(node.at, 1)?;
        if anchor != 0 {
            self.charge_copy(node.at, node.size())?;
            self.anchors.insert(anchor, node.clone());
        }
        self.put(node);
        Ok(())
    }

    /// Puts a copy of what the anchor stands for here, paid for before it is made.
    pub(super) fn alias(&mut self, at: Mark, anchor: usize) -> Result<(), Finding> {
        let Some(size) = self.anchors.get(&anchor).map(Node::size) else {
            self.broken(at, "this alias stands inside what it repeats", "write the value out");
            return Ok(());
        };
        if self.open.len() + size.depth > MAX_DEPTH {
            return Err(too_deep(at));
        }
        self.charge_copy(at, size)?;
        let kind = self.anchors.get(&anchor).map_or(Kind::Broken, |target| target.kind.clone());
        self.put(Node { at, kind });
        Ok(())
    }

    /// Something stands here that cannot be used.
    pub(super) fn broken(&mut self, at: Mark, message: impl Into<String>, hint: &str) {
        self.findings.push(Finding::syntax(at, message).with_hint(hint));
        self.put(Node { at, kind: Kind::Broken });
    }

    fn charge_copy(&mut self, at: Mark, size: Size) -> Result<(), Finding> {
        self.copied = self.copied.saturating_add(size.bytes);
        if self.copied > MAX_COPIED {
            let message = format!("more than {MAX_COPIED} bytes of text once aliases are filled in");
            return Err(Finding::too_much(at, message));
        }
        self.charge(at, size.nodes)
    }

    fn charge(&mut self, at: Mark, nodes: usize) -> Result<(), Finding> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        Err(Finding::too_much(at, format!("more than {MAX_NODES} values once aliases are filled in")))
    }

    fn put(&mut self, node: Node) {
        let mut twice = None;
        match self.open.last_mut().map(|open| &mut open.items) {
            None => self.root = Some(node),
            Some(Items::List(items)) => items.push(node),
            Some(Items::Map { entries, lines, key }) => match std::mem::replace(key, Waiting::ForKey) {
                Waiting::ForKey => match as_key(node) {
                    Ok(name) => *key = Waiting::ForValue(name),
                    Err(finding) => {
                        *key = Waiting::Ignored;
                        self.findings.push(finding);
                    }
                },
                Waiting::Ignored => {}
                Waiting::ForValue(name) => match lines.get(&name.name) {
                    Some(line) => twice = Some((name, *line)),
                    None => {
                        lines.insert(name.name.clone(), name.at.line);
                        entries.push((name, node));
                    }
                },
            },
        }
        if let Some((key, line)) = twice.filter(|_| self.findings.len() < MAX_FINDINGS) {
            let finding = Finding::twice(key.at, self.way_to(&key.name));
            self.findings.push(finding.with_hint(format!("it is already set in line {line}")));
        }
    }

    /// The way from the root to an entry of the map that is being read.
    fn way_to(&self, name: &str) -> Vec<Step> {
        let around = self.open.iter().take(self.open.len().saturating_sub(1));
        let mut way: Vec<Step> = around
            .filter_map(|open| match &open.items {
                Items::List(items) => Some(Step::Index(items.len())),
                Items::Map { key: Waiting::ForValue(key), .. } => Some(Step::Name(key.name.clone())),
                Items::Map { .. } => None,
            })
            .collect();
        way.push(Step::Name(name.to_owned()));
        way
    }
}

pub(super) fn too_deep(at: Mark) -> Finding {
    Finding::too_much(at, format!("nested deeper than {MAX_DEPTH} levels"))
}

fn as_key(node: Node) -> Result<Key, Finding> {
    let refuse = |message: &str| Err(Finding::syntax(node.at, message).with_hint("write the keys out"));
    match node.kind {
        Kind::Scalar { text, quoted: false } if text == "<<" => {
            refuse("merge keys (`<<`) are not part of YAML 1.2")
        }
        Kind::Scalar { text, .. } if text.is_empty() => refuse("a key is missing before the colon"),
        Kind::Scalar { text, .. } => Ok(Key { name: text, at: node.at }),
        _ => refuse("a key must be a name"),
    }
}
