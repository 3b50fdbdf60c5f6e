//! Whether the tools that can be deferred are deferred, judged anew whenever a catalog is made.

use hermes_core::text::json_len;
use hermes_core::{Exposure, ToolInfo};

use super::settings::{Mode, SearchSettings};
use crate::catalog::Listed;

/// What defers where nobody says how large the model's context is.
const UNKNOWN_CONTEXT_TOKENS: usize = 20_000;
/// Characters of a definition beside name, description and parameters.
const ENVELOPE: usize = 70;

/// Core tools are always listed; everything else may be found by searching.
pub(crate) fn is_deferrable(info: &ToolInfo) -> bool {
    info.exposure == Exposure::Deferrable
}

/// Four characters a token: the rule of thumb that providers themselves give.
pub(super) fn estimated_tokens(chars: usize) -> usize {
    chars.div_ceil(4)
}

/// The decision for one session.
pub(crate) fn should_defer(
    settings: &SearchSettings,
    tools: &[Listed],
    context_tokens: Option<usize>,
) -> bool {
    let mut deferrable =
        tools.iter().map(|tool| tool.entry.info()).filter(|info| is_deferrable(info)).peekable();
    if deferrable.peek().is_none() {
        return false;
    }
    match settings.mode {
        Mode::Off => false,
        Mode::On => true,
        Mode::Auto => {
            let percent = usize::try_from(settings.threshold_pct).unwrap_or(100).min(100);
            let threshold = match context_tokens {
                Some(context) => context.saturating_mul(percent) / 100,
                None if percent == 0 => 0,
                None => UNKNOWN_CONTEXT_TOKENS,
            };
            // Stops at the threshold: of ten thousand tools only the first few are measured.
            let mut chars = 0;
            threshold == 0
                || deferrable.any(|info| {
                    chars += ENVELOPE + info.name.len() + info.description.len() + json_len(&info.parameters);
                    estimated_tokens(chars) >= threshold
                })
        }
    }
}
