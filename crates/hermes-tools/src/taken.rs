//! What a command put where nothing may be, as results tell it.

use hermes_host::places::Taken;

/// A sentence about what was taken away; `None` where nothing was.
pub(crate) fn told(taken: &[Taken]) -> Option<String> {
    let each = |taken: &Taken| match &taken.kept {
        Some(kept) => format!("{} (now {})", taken.place, kept.display()),
        None => format!("{} (still there: it could not be moved)", taken.place),
    };
    let all: Vec<String> = taken.iter().map(each).collect();
    (!all.is_empty()).then(|| {
        format!(
            "moved away at the end, because other programs run what is there and nobody was asked: {}; the user can \
             move it back, or let commands make it with terminal.sandbox.writable",
            all.join(", ")
        )
    })
}
