//! A text as a tree.

use serde_json::{Map, Number, Value};

/// A position, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub line: usize,
    pub column: usize,
}

/// One value and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    pub at: Mark,
    pub kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Kind {
    Scalar {
        text: String,
        quoted: bool,
    },
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
    /// Already reported; later checks pass over it.
    Broken,
}

/// The name of an entry and where it stands.
#[derive(Clone, Debug)]
pub struct Key {
    pub name: String,
    pub at: Mark,
}

/// How many nodes, levels and bytes of text something has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) nodes: usize,
    pub(super) depth: usize,
    pub(super) bytes: usize,
}

impl Node {
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, quoted: false } if is_null(text))
    }

    pub fn is_broken(&self) -> bool {
        matches!(self.kind, Kind::Broken)
    }

    /// What was written, for messages.
    pub fn written(&self) -> String {
        match &self.kind {
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a table".to_owned(),
            Kind::Broken => "this".to_owned(),
            Kind::Scalar { .. } if self.is_null() => "empty".to_owned(),
            Kind::Scalar { text, .. } => super::place::quote(text),
        }
    }

    /// What a copy of this would cost.
    pub(super) fn size(&self) -> Size {
        let children: Box<dyn Iterator<Item = (usize, &Node)>> = match &self.kind {
            Kind::List(items) => Box::new(items.iter().map(|node| (0, node))),
            Kind::Map(entries) => Box::new(entries.iter().map(|(key, node)| (key.name.len(), node))),
            Kind::Scalar { text, .. } => return Size { nodes: 1, depth: 1, bytes: text.len() },
            Kind::Broken => return Size { nodes: 1, depth: 1, bytes: 0 },
        };
        let mut whole = Size { nodes: 1, depth: 1, bytes: 0 };
        for (key_bytes, child) in children {
            let size = child.size();
            whole.nodes += size.nodes;
            whole.depth = whole.depth.max(size.depth + 1);
            whole.bytes += size.bytes + key_bytes;
        }
        whole
    }

    /// As plain data, by the core schema of YAML 1.2.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Scalar { text, quoted: true } => Value::String(text.clone()),
            Kind::Scalar { text, quoted: false } => plain(text),
            Kind::List(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Kind::Map(entries) => Value::Object(
                entries.iter().map(|(key, node)| (key.name.clone(), node.to_value())).collect::<Map<_, _>>(),
            ),
            Kind::Broken => Value::Null,
        }
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn plain(text: &str) -> Value {
    match text {
        _ if is_null(text) => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        // 012 is twelve to some readers and ten to others: it stays text, as does `inf`.
        _ => match serde_json::from_str::<Number>(text) {
            Ok(number) => Value::Number(number),
            Err(_) => Value::String(text.to_owned()),
        },
    }
}
