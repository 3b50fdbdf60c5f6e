//! What a patch says about the newline at the end of a file, in the words of `diff`.

use super::hunk::Lines;
use super::parse::{Hunk, Line};
use super::splice::ending_above;

/// Stands below a line that has no end.
pub(super) const NO_NEWLINE: &str = "\\ No newline at end of file";

/// How the last line of a file is to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LastLine {
    #[default]
    AsItIs,
    WithoutNewline,
    WithNewline,
}

/// What the hunk asks for. Only what it tells differently of before and after is asked for: a file that lacks its last
/// newline, or has it, whatever the patch takes for granted, stays that way.
pub(super) fn of(hunk: &Hunk) -> Result<LastLine, String> {
    let (mut was_bare, mut is_bare) = (false, false);
    for at in hunk.unended.iter().copied() {
        let Some(line) = hunk.lines.get(at) else { continue };
        let (is_added, is_removed) = (matches!(line, Line::Add(_)), matches!(line, Line::Remove(_)));
        let goes_on = hunk.lines.iter().skip(at + 1).any(|below| match below {
            Line::Blank => false,
            Line::Add(_) => is_added,
            Line::Remove(_) => !is_added,
            Line::Context(_) | Line::Bare(_) => true,
        });
        if goes_on {
            return Err(format!(
                "the hunk at line {} of the patch has further lines below '{NO_NEWLINE}'",
                hunk.patch_line
            ));
        }
        was_bare |= !is_added;
        is_bare |= !is_removed;
    }
    Ok(match (was_bare, is_bare) {
        (false, true) => LastLine::WithoutNewline,
        (true, false) => LastLine::WithNewline,
        _ => LastLine::AsItIs,
    })
}

impl LastLine {
    pub(super) fn settle(self, file: &mut Lines) {
        let Some(last) = file.lines.len().checked_sub(1) else { return };
        let ending = match self {
            LastLine::AsItIs => return,
            LastLine::WithoutNewline => "",
            LastLine::WithNewline => ending_above(file, last),
        };
        if let Some(own) = file.endings.get_mut(last).filter(|own| own.is_empty() != ending.is_empty()) {
            *own = ending;
        }
    }
}
