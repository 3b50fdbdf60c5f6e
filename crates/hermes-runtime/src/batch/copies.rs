//! Equal calls of one run. If they fail, they fail alike, and the repeat guard is to say so after the third: those
//! beyond it wait for what comes of the first ones.

use std::collections::HashMap;

use hermes_core::ToolCall;

/// Cuts the calls of a run in two: those that set out at once, and copies beyond `limit` of what is among them.
pub(super) fn hold_back<'c>(
    run: Vec<usize>,
    limit: usize,
    call: impl Fn(usize) -> Option<&'c ToolCall>,
) -> (Vec<usize>, Vec<usize>) {
    let mut copies: HashMap<(&str, String), usize> = HashMap::new();
    run.into_iter().partition(|index| {
        let Some(call) = call(*index) else { return true };
        let seen = copies.entry((call.name.as_str(), call.arguments.to_string())).or_default();
        *seen += 1;
        *seen <= limit.max(1)
    })
}
