//! Puts the pieces of a text together, counts what they cost and notices keys written twice.

use std::collections::HashMap;

use super::error::ErrorKind;
use super::key::{KeyPath, Step};
use super::node::{Finding, Key, Kind, MAX_FINDINGS, Node, Pos, Scalar};

/// Nodes after aliases are filled in, anchored copies included.
const MAX_NODES: usize = 20_000;
/// Levels. The deepest key has six.
pub(super) const MAX_DEPTH: usize = 32;

/// A tree that is being read.
#[derive(Default)]
pub(super) struct Tree {
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    pub(super) root: Option<Node>,
    pub(super) findings: Vec<Finding>,
}

/// A list or map whose end has not been seen yet.
struct Open {
    at: Pos,
    anchor: usize,
    items: Items,
}

enum Items {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, lines: HashMap<String, usize>, next: Next },
}

/// What the next node of a map is.
enum Next {
    Key,
    ValueOf(Key),
    /// The value of a key that was refused.
    Ignored,
}

impl Tree {
    pub(super) fn open_list(&mut self, at: Pos, anchor: usize) -> Result<(), Finding> {
        self.begin(Open { at, anchor, items: Items::List(Vec::new()) })
    }

    pub(super) fn open_map(&mut self, at: Pos, anchor: usize) -> Result<(), Finding> {
        let items = Items::Map { entries: Vec::new(), lines: HashMap::new(), next: Next::Key };
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

    pub(super) fn scalar(&mut self, at: Pos, scalar: Scalar, anchor: usize) -> Result<(), Finding> {
        self.complete(Node { at, kind: Kind::Scalar(scalar) }, anchor)
    }

    /// Puts a copy of what the anchor stands for here.
    pub(super) fn alias(&mut self, at: Pos, anchor: usize) -> Result<(), Finding> {
        let Some((size, depth)) = self.anchors.get(&anchor).map(Node::size_and_depth) else {
            self.broken(at, "this alias stands inside what it repeats", "write the value out");
            return Ok(());
        };
        if self.open.len() + depth > MAX_DEPTH {
            return Err(too_deep(at));
        }
        // Paid for before it is copied.
        self.charge(at, size)?;
        let kind = self.anchors.get(&anchor).map_or(Kind::Broken, |target| target.kind.clone());
        self.put(Node { at, kind });
        Ok(())
    }

    /// Something stands here that cannot be used.
    pub(super) fn broken(&mut self, at: Pos, message: impl Into<String>, hint: &str) {
        self.report(at, message, hint);
        self.put(Node::broken(at));
    }

    pub(super) fn report(&mut self, at: Pos, message: impl Into<String>, hint: &str) {
        self.findings.push(Finding::new(at, ErrorKind::Syntax, message).hint(hint));
    }

    fn complete(&mut self, node: Node, anchor: usize) -> Result<(), Finding> {
        self.charge(node.at, 1)?;
        if anchor != 0 {
            self.charge(node.at, node.size_and_depth().0)?;
            self.anchors.insert(anchor, node.clone());
        }
        self.put(node);
        Ok(())
    }

    fn charge(&mut self, at: Pos, nodes: usize) -> Result<(), Finding> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        let message = format!("more than {MAX_NODES} values once aliases are filled in");
        Err(Finding::new(at, ErrorKind::Budget, message))
    }

    fn put(&mut self, node: Node) {
        let mut twice = None;
        match self.open.last_mut().map(|open| &mut open.items) {
            None => self.root = Some(node),
            Some(Items::List(items)) => items.push(node),
            Some(Items::Map { entries, lines, next }) => match std::mem::replace(next, Next::Key) {
                Next::Key => match as_key(node) {
                    Ok(key) => *next = Next::ValueOf(key),
                    Err(finding) => {
                        *next = Next::Ignored;
                        self.findings.push(finding);
                    }
                },
                Next::Ignored => {}
                Next::ValueOf(key) => match lines.get(&key.name) {
                    Some(line) => twice = Some((key, *line)),
                    None => {
                        lines.insert(key.name.clone(), key.at.line);
                        entries.push((key, node));
                    }
                },
            },
        }
        if let Some((key, line)) = twice.filter(|_| self.findings.len() < MAX_FINDINGS) {
            let finding = Finding::new(key.at, ErrorKind::DuplicateKey, "this key is written twice");
            let finding = finding.key(self.key().join(&key.name));
            self.findings.push(finding.hint(format!("it is already set in line {line}")));
        }
    }

    /// The key of the map that is being read.
    fn key(&self) -> KeyPath {
        let mut path = KeyPath::default();
        for open in self.open.iter().take(self.open.len().saturating_sub(1)) {
            match &open.items {
                Items::List(items) => path.push(Step::Index(items.len())),
                Items::Map { next: Next::ValueOf(key), .. } => path.push(Step::Name(key.name.clone())),
                Items::Map { .. } => {}
            }
        }
        path
    }
}

pub(super) fn too_deep(at: Pos) -> Finding {
    Finding::new(at, ErrorKind::Budget, format!("nested deeper than {MAX_DEPTH} levels"))
}

fn as_key(node: Node) -> Result<Key, Finding> {
    let finding = |message: &str| Finding::new(node.at, ErrorKind::Syntax, message);
    match node.kind {
        Kind::Scalar(scalar) if scalar.raw == "<<" && !scalar.quoted => {
            Err(finding("merge keys (`<<`) are not part of YAML 1.2").hint("write the keys out"))
        }
        Kind::Scalar(scalar) if scalar.raw.is_empty() => Err(finding("a key is missing before the colon")),
        Kind::Scalar(scalar) => Ok(Key { name: scalar.raw, at: node.at }),
        _ => Err(finding("a key must be a name")),
    }
}
