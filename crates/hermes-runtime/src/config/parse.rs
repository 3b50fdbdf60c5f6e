//! Text to a tree of settings. The reading is that of all YAML here; what is added is the type of each value.

use hermes_core::yaml::{self, Budget, Fault, Mark};

use super::error::ErrorKind;
use super::key::KeyPath;
use super::node::{Finding, Key, Kind, Node, Pos, Scalar};

/// Settings of a busy user take some tens of kilobytes.
const BUDGET: Budget = Budget { what: "a text of settings", max_bytes: 1 << 20 };

/// The tree of a text, with what is wrong in it. No tree where the text cannot be read to its end.
pub(super) fn parse(text: &str) -> (Option<Node>, Vec<Finding>) {
    let (root, findings) = yaml::read(text, BUDGET);
    (root.map(node), findings.into_iter().map(finding).collect())
}

fn node(read: yaml::Node) -> Node {
    let kind = match read.kind {
        yaml::Kind::Scalar { text, quoted: true } => Kind::Scalar(Scalar::text(&text)),
        yaml::Kind::Scalar { text, quoted: false } => Kind::Scalar(Scalar::plain(&text)),
        yaml::Kind::List(items) => Kind::List(items.into_iter().map(node).collect()),
        yaml::Kind::Map(entries) => {
            let entry = |(key, value): (yaml::Key, yaml::Node)| {
                (Key { name: key.name, at: pos(key.at) }, node(value))
            };
            Kind::Map(entries.into_iter().map(entry).collect())
        }
        yaml::Kind::Broken => Kind::Broken,
    };
    Node { at: pos(read.at), kind }
}

fn finding(found: yaml::Finding) -> Finding {
    let at = pos(found.at);
    let made = match found.fault {
        Fault::Syntax => Finding::new(at, ErrorKind::Syntax, found.message),
        Fault::TooMuch => Finding::new(at, ErrorKind::Budget, found.message),
        // The key stands before the message.
        Fault::Twice(way) => Finding::new(at, ErrorKind::DuplicateKey, "this key is written twice")
            .key(KeyPath::from_steps(way)),
    };
    Finding { hint: found.hint, ..made }
}

fn pos(mark: Mark) -> Pos {
    Pos { line: mark.line, column: mark.column }
}
