//! YAML text to a tree. Stops before a text can do harm.

use serde_saphyr::granit_parser::{self, ErrorKind as Syntax, Event, Marker, Parser, ScalarStyle};

use super::finding::Finding;
use super::node::{Kind, Mark, Node};
use super::tree::{MAX_DEPTH, Tree, too_deep};

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
        return (None, vec![Finding::too_much(start, message)]);
    }
    let options = granit_parser::options! {
        // Emitted comments are buffered up to a limit that a well-commented file passes.
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
                let second = || format!("a second document starts here; one is all that {what} may have");
                if documents == 1 { Ok(()) } else { Err(Finding::syntax(mark(&span.start), second())) }
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
        tree.findings.push(Finding::syntax(at, "tags (`!…`) mean nothing here").with_hint("remove the tag"));
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
            tree.broken(at, format!("no anchor is called &{name}"), "define it before it is used");
            Ok(())
        }
        _ => Ok(()),
    }
}

fn syntax(kind: &Syntax, at: Mark) -> Finding {
    match kind {
        Syntax::RecursionLimitExceeded => too_deep(at),
        other => Finding::syntax(at, format!("not valid YAML: {other}")),
    }
}

fn mark(marker: &Marker) -> Mark {
    Mark { line: marker.line(), column: marker.col() + 1 }
}
