//! Values given as bare text, by environment variables and flags: the key's type says how to read them.

use super::key::{KeyPath, Step};
use super::node::{Finding, Kind, Node, Pos, Scalar};
use super::parse::parse;
use super::shape::Shape;

/// A tree that sets `key` to what `text` says.
pub(super) fn given(key: &KeyPath, text: &str) -> Result<Node, Vec<Finding>> {
    // An unknown key stays text here; the check that follows names the nearest.
    let node = match Shape::root().at_key(key) {
        Some(shape) => read(shape, text)?,
        None => scalar(Scalar::text(text)),
    };
    Ok(key.steps().iter().rev().fold(node, |node, step| match step {
        Step::Name(name) => node.wrapped(name),
        // Keys with an index are refused before they come here.
        Step::Index(_) => node,
    }))
}

fn read(shape: &Shape, text: &str) -> Result<Node, Vec<Finding>> {
    let trimmed = text.trim();
    match shape {
        Shape::Optional(inner) => read(inner, text),
        Shape::Text(_) => Ok(scalar(Scalar::text(text))),
        Shape::Switch | Shape::Whole { .. } => Ok(scalar(Scalar::plain(trimmed))),
        Shape::List { item, .. } if matches!(**item, Shape::Text(_)) && !trimmed.starts_with('[') => {
            let words = trimmed.split(',').map(str::trim).filter(|word| !word.is_empty());
            let items = words.map(|word| scalar(Scalar::text(word))).collect();
            Ok(Node { at: Pos::default(), kind: Kind::List(items) })
        }
        Shape::Either(shapes)
            if ["true", "false"].contains(&trimmed)
                && shapes.iter().any(|shape| matches!(shape, Shape::Switch)) =>
        {
            Ok(scalar(Scalar::plain(trimmed)))
        }
        Shape::Either(_) if !trimmed.starts_with(['[', '{']) => Ok(scalar(Scalar::text(text))),
        _ => match parse(text) {
            (Some(node), findings) if findings.is_empty() => Ok(node),
            (_, findings) => Err(findings),
        },
    }
}

fn scalar(scalar: Scalar) -> Node {
    Node { at: Pos::default(), kind: Kind::Scalar(scalar) }
}
