//! YAML text to a tree with positions. Stops before a text can do harm.

use serde_saphyr::granit_parser::{self, ErrorKind as Syntax, Event, Marker, Parser, ScalarStyle};

use super::error::ErrorKind;
use super::node::{Finding, Kind, Node, Pos, Scalar};
use super::tree::{MAX_DEPTH, Tree, too_deep};

/// Bytes of a text. Settings of a busy user take some tens of kilobytes.
const MAX_BYTES: usize = 1 << 20;

/// The tree of a text, with what is wrong in it. No tree where the text cannot be read to its end.
pub(super) fn parse(text: &str) -> (Option<Node>, Vec<Finding>) {
    let start = Pos { line: 1, column: 1 };
    if text.len() > MAX_BYTES {
        let message = format!("the text has {} bytes; settings may have {MAX_BYTES}", text.len());
        return (None, vec![Finding::new(start, ErrorKind::Budget, message)]);
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
                one_document(documents, pos(&span.start))
            }
            Ok((event, span)) => take(&mut tree, event, pos(&span.start)),
            Err(error) => Err(syntax(error.kind(), pos(error.marker()))),
        };
        if let Err(finding) = outcome {
            tree.findings.push(finding);
            return (None, tree.findings);
        }
    }
    let empty = Node { at: start, kind: Kind::Scalar(Scalar::plain("")) };
    (Some(tree.root.unwrap_or(empty)), tree.findings)
}

fn take(tree: &mut Tree, event: Event<'_>, at: Pos) -> Result<(), Finding> {
    if event.tag().is_some() {
        tree.report(at, "tags (`!…`) mean nothing in settings", "remove the tag");
    }
    match event {
        Event::Scalar(text, style, anchor, _) => {
            let plain = matches!(style, ScalarStyle::Plain);
            tree.scalar(at, if plain { Scalar::plain(&text) } else { Scalar::text(&text) }, anchor)
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

fn one_document(count: usize, at: Pos) -> Result<(), Finding> {
    if count == 1 {
        return Ok(());
    }
    Err(Finding::new(at, ErrorKind::Syntax, "a second document starts here; settings are one document"))
}

fn syntax(kind: &Syntax, at: Pos) -> Finding {
    match kind {
        Syntax::RecursionLimitExceeded => too_deep(at),
        other => Finding::new(at, ErrorKind::Syntax, format!("not valid YAML: {other}")),
    }
}

fn pos(mark: &Marker) -> Pos {
    Pos { line: mark.line(), column: mark.col() + 1 }
}
