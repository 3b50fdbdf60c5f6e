//! The lines with which `diff` introduces a file, where a patch has them below its own header. They say nothing that the
//! header does not say.

use super::parse::{Hunk, Line};

/// Whether what looks like a first hunk is such an introduction of the file of this name.
pub(super) fn is_head_of(hunk: &Hunk, path: &str, move_to: Option<&str>) -> bool {
    let names = |text: &str, sign: &str, side: &str| {
        let Some(rest) = text.strip_prefix(sign) else { return false };
        // A time may follow behind a tab.
        let name = rest.split('\t').next().unwrap_or_default().trim();
        let bare = name.strip_prefix(side).unwrap_or(name);
        [Some(path), move_to].into_iter().flatten().any(|path| name == path || bare == path)
    };
    let is_about = |line: &Line| {
        let told = |text: &str| ["diff --git ", "index "].iter().any(|word| text.starts_with(word));
        matches!(line, Line::Blank) || matches!(line, Line::Bare(text) if told(text))
    };
    let [above @ .., Line::Remove(old), Line::Add(new)] = hunk.lines.as_slice() else { return false };
    hunk.scope.is_empty()
        && hunk.numbers.is_none()
        && above.iter().all(is_about)
        && names(old, "-- ", "a/")
        && names(new, "++ ", "b/")
}
