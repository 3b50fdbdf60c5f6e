//! Settings as a tree that remembers where each piece stood in the text.

use serde_json::{Map, Value};

use super::error::ErrorKind;
use super::key::{KeyPath, Step};

/// A position in a text, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pos {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A piece of settings.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) at: Pos,
    pub(super) kind: Kind,
}

/// What a piece of settings is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
    /// Already reported; later checks pass over it.
    Broken,
}

/// A single value, with its spelling for messages.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) raw: String,
    pub(super) value: Value,
    pub(super) quoted: bool,
}

/// A key of a map.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) at: Pos,
}

/// A layer with more mistakes than this is not a settings file; looking for near names has a price.
pub(super) const MAX_FINDINGS: usize = 200;

/// Something wrong inside one layer; becomes an error once the layer's origin is added.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) at: Pos,
    pub(super) key: String,
    pub(super) kind: ErrorKind,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Node {
    pub(super) fn broken(at: Pos) -> Self {
        Node { at, kind: Kind::Broken }
    }

    /// A map with one entry, as environment variables and flags make them.
    pub(super) fn wrapped(self, name: &str) -> Self {
        let at = self.at;
        Node { at, kind: Kind::Map(vec![(Key { name: name.to_owned(), at }, self)]) }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(scalar) if scalar.value.is_null())
    }

    /// The node at a key, if this layer sets it.
    pub(super) fn at_key(&self, key: &KeyPath) -> Option<&Node> {
        key.steps().iter().try_fold(self, |node, step| match (&node.kind, step) {
            (Kind::Map(entries), Step::Name(name)) => {
                entries.iter().find(|(key, _)| key.name == *name).map(|(_, node)| node)
            }
            (Kind::List(items), Step::Index(index)) => items.get(*index),
            _ => None,
        })
    }

    /// As plain data. Empty keys (`limits:` with nothing below) set nothing and are left out.
    pub(super) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Scalar(scalar) => scalar.value.clone(),
            Kind::List(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Kind::Map(entries) => Value::Object(
                entries
                    .iter()
                    .filter(|(_, node)| !node.is_null())
                    .map(|(key, node)| (key.name.clone(), node.to_value()))
                    .collect::<Map<_, _>>(),
            ),
            Kind::Broken => Value::Null,
        }
    }
}

impl Finding {
    pub(super) fn new(at: Pos, kind: ErrorKind, message: impl Into<String>) -> Self {
        Finding { at, key: String::new(), kind, message: message.into(), hint: None }
    }

    pub(super) fn key(mut self, key: impl ToString) -> Self {
        self.key = key.to_string();
        self
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
