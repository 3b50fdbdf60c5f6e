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
    let asserts = |part: &Hir, look: Look| part.properties().look_set_prefix().contains(look) && !takes(part);
    let torn_start = parts
        .iter()
        .enumerate()
        .any(|(at, part)| asserts(part, Look::Start) && parts.iter().take(at).any(takes));
    let torn_end = parts
        .iter()
        .enumerate()
        .any(|(at, part)| asserts(part, Look::End) && parts.iter().skip(at + 1).any(takes));
    torn_start || torn_end
}
