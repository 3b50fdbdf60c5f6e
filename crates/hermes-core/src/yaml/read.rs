//! YAML text to a tree. Stops before a text can do harm.

use serde_saphyr::granit_parser::{self, ErrorKind as Syntax, Event, Marker, Parser, ScalarStyle};

use super::node::{Kind, Mark, Node};
use super::tree::{Finding, MAX_DEPTH, Tree, too_deep};

/// What is read, for messages, and how long it may be.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Such as "a policy".
    pub what: &'static str,
    pub max_bytes: usize,
}

/// The tree of a text, with what is wrong in it. No tree where the text cannot be read to its end.
pub fn read(text: &str, budget: Budget) -> (Option<Node>, Vec<Finding>) {
    let start = Mark { line: 1, column: 1 };
    let Budget { what, max_bytes } = budget;
    if text.len() > max_bytes {
        let message = format!("the text has {} bytes; {what} may have {max_bytes}", text.len());
        return (None, vec![(start, message, None)]);
    }
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut tree = Tree::default();
    let mut documents = 0;
    for event in Parser::new_from_str_with_options(text, options) {
        let outcome = match event {
            Ok((Event::DocumentStart(..), span)) => {
                documents += 1;
                let second = || format!("a second document starts here; {what} is one document");
                if documents == 1 { Ok(()) } else { Err((mark(&span.start), second(), None)) }
            }
            Ok((event, span)) => take(&mut tree, event, mark(&span.start)),
            Err(error) => Err(syntax(error.kind(), mark(error.marker()))),
        };
        if let Err(finding) = outcome {
            tree.findings.push(finding);
            return (None, tree.findings);
        }
    }
    let empty = Node { at: start, kind: Kind::Scalar { text: String::new(), quoted: false } };
    (Some(tree.root.unwrap_or(empty)), tree.findings)
}

fn take(tree: &mut Tree, event: Event<'_>, at: Mark) -> Result<(), Finding> {
    if event.tag().is_some() {
        let finding = (at, "tags (`!…`) mean nothing here".to_owned(), Some("remove the tag".to_owned()));
        tree.findings.push(finding);
    }
    match event {
        Event::Scalar(text, style, anchor, _) => {
            let quoted = !matches!(style, ScalarStyle::Plain);
            tree.complete(Node { at, kind: Kind::Scalar { text: text.into_owned(), quoted } }, anchor)
        }
        Event::SequenceStart(_, anchor, _) => tree.open_list(at, anchor),
        Event::MappingStart(_, anchor, _) => tree.open_map(at, anchor),
        Event::SequenceEnd | Event::MappingEnd => tree.close(),
        Event::Alias(anchor) => tree.alias(at, anchor),
        Event::UnresolvedAlias(name) => {
            tree.broken(at, format!("no anchor is called &{name}"));
            Ok(())
        }
        _ => Ok(()),
    }
}

fn syntax(kind: &Syntax, at: Mark) -> Finding {
    match kind {
        Syntax::RecursionLimitExceeded => too_deep(at),
        other => (at, format!("not valid YAML: {other}"), None),
    }
}

fn mark(marker: &Marker) -> Mark {
    Mark { line: marker.line(), column: marker.col() + 1 }
}
