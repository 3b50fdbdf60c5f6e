//! Regular expressions that no text can match, as far as that is easily seen.

use regex_syntax::hir::{Hir, HirKind, Look};

/// Whether a beginning stands behind something, or an end before it, on every way through the expression.
pub(super) fn never_matches(pattern: &str) -> bool {
    regex_syntax::parse(pattern).is_ok_and(|hir| is_empty(&hir))
}

/// Whether the expression matches no text at all.
fn is_empty(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Alternation(branches) => branches.iter().all(is_empty),
        HirKind::Capture(capture) => is_empty(&capture.sub),
        HirKind::Repetition(repetition) => repetition.min > 0 && is_empty(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().any(is_empty) || is_torn(parts),
        _ => hir.properties().minimum_len().is_none() && !matches!(hir.kind(), HirKind::Empty),
    }
}

/// A part that must begin the text stands behind a part that takes some of it, or the other way round.
fn is_torn(parts: &[Hir]) -> bool {
    let takes = |part: &Hir| part.properties().minimum_len().is_some_and(|least| least > 0);
    let is_behind = |at: usize| parts.iter().take(at).any(takes);
    let is_before = |at: usize| parts.iter().skip(at + 1).any(takes);
    parts.iter().enumerate().any(|(at, part)| {
        let (first, last) = (part.properties().look_set_prefix(), part.properties().look_set_suffix());
        (first.contains(Look::Start) && is_behind(at)) || (last.contains(Look::End) && is_before(at))
    })
}
