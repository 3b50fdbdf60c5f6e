//! `${f%.jpeg}` where `f` is what a pattern matched: the name is not known, but the folder is.

use super::super::model::Piece;
use super::super::tree::{Operation, Part, WordNode};

/// What is left of a pattern when an operator cuts names: some name in the same folder.
pub(super) fn cut_pattern(operation: &Operation, value: &[Piece]) -> Option<Vec<Piece>> {
    let has_glob = value.iter().any(|piece| matches!(piece, Piece::Glob(_)));
    let is_known = value.iter().all(|piece| !matches!(piece, Piece::Unknown { .. }));
    if !has_glob || !is_known {
        return None;
    }
    let any = Piece::Glob("*".to_owned());
    match operation {
        Operation::RemoveSuffix { pattern, .. } if !literal(pattern)?.contains('/') => {
            let front: String = value
                .iter()
                .map_while(|piece| match piece {
                    Piece::Text(text) => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            let folder = front.rfind('/').and_then(|end| front.get(..=end)).unwrap_or("");
            let folder = (!folder.is_empty()).then(|| Piece::Text(folder.to_owned()));
            Some(folder.into_iter().chain([any]).collect())
        }
        Operation::RemovePrefix { longest: true, pattern } if literal(pattern)? == "*/" => Some(vec![any]),
        _ => None,
    }
}

fn literal(word: &WordNode) -> Option<String> {
    word.parts
        .iter()
        .map(|part| match part {
            Part::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}
