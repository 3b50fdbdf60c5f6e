//! Markdown fences around a patch. Inside an operation a fence is a line like any other: files have them too.

const FENCE: &str = "```";

pub(super) struct Fences {
    /// The patch's last line, if it closes a fence.
    closing: Option<usize>,
    is_open: bool,
}

impl Fences {
    pub(super) fn of(patch: &str) -> Self {
        let last = patch.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).last();
        let closing = last.filter(|(_, line)| line.trim_end() == FENCE).map(|(index, _)| index);
        Fences { closing, is_open: false }
    }

    /// Whether the line is no part of the patch: it opens or closes what is around the operations.
    pub(super) fn takes(&mut self, line: &str, index: usize, is_around: bool) -> bool {
        let is_fence = line.starts_with(FENCE);
        self.is_open |= is_fence && is_around;
        is_fence && (is_around || (self.is_open && self.closing == Some(index)))
    }
}
