//! Which of two conditions is the wider one, as far as that is easily seen. A missing condition is the widest.

use crate::pattern::Pattern;
use crate::profile::matchers::Wildcard;
use crate::profile::model::Rule;

/// Whether two patterns have a permission in common.
pub(super) fn overlap(left: &Pattern, right: &Pattern) -> bool {
    let half = |left: Option<&str>, right: Option<&str>| left.is_none() || right.is_none() || left == right;
    half(left.domain(), right.domain()) && half(left.action(), right.action())
}

/// Whether every call that `narrow` speaks of is one that `wide` speaks of.
pub(super) fn covers(wide: &Rule, narrow: &Rule) -> bool {
    names(&wide.tool, &narrow.tool)
        && names(&wide.toolset, &narrow.toolset)
        && names(&wide.server, &narrow.server)
        && names(&wide.actor, &narrow.actor)
        && all(&wide.permission, &narrow.permission, |wide, narrow| wide.covers(narrow))
        && wide.argument.iter().all(|argument| narrow.argument.contains(argument))
        && all(&wide.path, &narrow.path, |wide, narrow| wide.text() == narrow.text())
        && all(&wide.host, &narrow.host, |wide, narrow| wide.covers(narrow))
        && all(&wide.command, &narrow.command, |wide, narrow| wide.text() == narrow.text())
}

fn names(wide: &[Wildcard], narrow: &[Wildcard]) -> bool {
    all(wide, narrow, Wildcard::covers)
}

fn all<T>(wide: &[T], narrow: &[T], covers: impl Fn(&T, &T) -> bool) -> bool {
    wide.is_empty()
        || (!narrow.is_empty() && narrow.iter().all(|narrow| wide.iter().any(|wide| covers(wide, narrow))))
}
