//! Holds a tree against the shape it must have, and finds everything that is wrong, not only the first.

use super::check_scalar::{check_text, check_whole, type_hint, written};
use super::error::ErrorKind;
use super::key::{KeyPath, Step};
use super::nearest::nearest;
use super::node::{Finding, Key, Kind, MAX_FINDINGS, Node, Pos};
use super::shape::{Field, Shape};

/// Everything in `node` that does not fit `shape`.
pub(super) fn check(node: &Node, shape: &Shape) -> Vec<Finding> {
    let mut check = Check { key: KeyPath::default(), findings: Vec::new() };
    check.node(node, shape);
    if let Some(last) = check.findings.get(MAX_FINDINGS - 1) {
        let more =
            Finding::new(last.at, ErrorKind::Budget, "there may be more mistakes; the search stopped here");
        check.findings.push(more);
    }
    check.findings
}

struct Check {
    key: KeyPath,
    findings: Vec<Finding>,
}

impl Check {
    fn node(&mut self, node: &Node, shape: &Shape) {
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        match (shape, &node.kind) {
            (_, Kind::Broken) => {}
            (Shape::Optional(inner), _) => {
                if !node.is_null() {
                    self.node(node, inner);
                }
            }
            (Shape::Either(shapes), _) => match shapes.iter().find(|shape| shape.takes(&node.kind)) {
                Some(shape) => self.node(node, shape),
                None => self.wrong_type(node, shape, None),
            },
            (Shape::Table(fields), Kind::Map(entries)) => self.table(node.at, entries, fields),
            (Shape::Map(values), Kind::Map(entries)) => {
                for (key, value) in entries {
                    self.entry(key, value, values);
                }
            }
            // A heading with everything below it commented out sets nothing.
            (Shape::Table(fields), _) if node.is_null() && !fields.iter().any(|field| field.required) => {}
            (Shape::Map(_), _) if node.is_null() => {}
            (Shape::List { item, least, format }, Kind::List(items)) => {
                for (index, value) in items.iter().enumerate() {
                    self.below(Step::Index(index), value, item);
                }
                if (items.len() as u64) < *least {
                    self.add(
                        node.at,
                        ErrorKind::NotAllowed,
                        format!("must have at least {least} item"),
                        None,
                    );
                } else if format.as_deref() == Some("command-words")
                    && items.first().is_some_and(Node::is_empty_text)
                {
                    self.add(node.at, ErrorKind::NotAllowed, "names no program", None);
                }
            }
            (Shape::Text(rule), Kind::Scalar(scalar)) if scalar.value.is_string() => {
                if let Some((kind, message, hint)) = check_text(rule, &scalar.raw) {
                    self.add(node.at, kind, message, hint);
                }
            }
            (Shape::Whole { min, max }, Kind::Scalar(scalar)) => {
                if let Some((kind, message, hint)) = check_whole(scalar, *min, *max) {
                    self.add(node.at, kind, message, hint);
                }
            }
            (Shape::Switch, Kind::Scalar(scalar)) if scalar.value.is_boolean() => {}
            (_, Kind::Scalar(scalar)) => self.wrong_type(node, shape, type_hint(shape, scalar)),
            _ => self.wrong_type(node, shape, None),
        }
    }

    fn below(&mut self, step: Step, node: &Node, shape: &Shape) {
        self.key.push(step);
        self.node(node, shape);
        self.key.pop();
    }

    /// An entry of a map. Unlike a heading it has a name of its own, so leaving it empty must not make it vanish.
    fn entry(&mut self, key: &Key, value: &Node, shape: &Shape) {
        let step = Step::Name(key.name.clone());
        if value.is_null() && matches!(shape, Shape::Table(_)) {
            self.key.push(step);
            self.wrong_type(value, shape, Some("write {} to keep the defaults".to_owned()));
            self.key.pop();
        } else {
            self.below(step, value, shape);
        }
    }

    fn table(&mut self, at: Pos, entries: &[(Key, Node)], fields: &[Field]) {
        for (key, value) in entries {
            if self.findings.len() >= MAX_FINDINGS {
                return;
            }
            match fields.iter().find(|field| field.name == key.name) {
                Some(field) => self.below(Step::Name(key.name.clone()), value, &field.shape),
                None => self.unknown(key, fields),
            }
        }
        for field in fields.iter().filter(|field| field.required) {
            if !entries.iter().any(|(key, _)| key.name == field.name) {
                self.add(at, ErrorKind::MissingKey, format!("{} is missing", field.name), None);
            }
        }
    }

    fn unknown(&mut self, key: &Key, fields: &[Field]) {
        let names = || fields.iter().map(|field| field.name.as_str());
        let hint = match nearest(&key.name, names()).map(|name| self.key.join(name).to_string()) {
            Some(near) => format!("did you mean {near}?"),
            None => match elsewhere(&key.name) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("known here: {}", names().collect::<Vec<_>>().join(", ")),
            },
        };
        let full = self.key.join(&key.name);
        self.findings.push(Finding::new(key.at, ErrorKind::UnknownKey, "unknown key").key(full).hint(hint));
    }

    fn wrong_type(&mut self, node: &Node, shape: &Shape, hint: Option<String>) {
        let message = format!("must be {}, not {}", shape.expected(), written(&node.kind));
        self.add(node.at, ErrorKind::WrongType, message, hint);
    }

    fn add(&mut self, at: Pos, kind: ErrorKind, message: impl Into<String>, hint: Option<String>) {
        let finding = Finding { hint, ..Finding::new(at, kind, message) };
        self.findings.push(finding.key(&self.key));
    }
}

/// The key of another table that ends in this name: people remember `batch_width` and forget `limits`.
fn elsewhere(name: &str) -> Option<String> {
    let keys = Shape::root().keys(&KeyPath::default());
    keys.into_iter().find(|key| key.rsplit('.').next() == Some(name))
}
