//! Secrets that come with variables: no answer shows them from when they are set.

use std::collections::BTreeSet;
use std::sync::Arc;

use hermes_core::CallContext;

use super::state::ShellState;
use crate::secrets;

/// Tells the conversation what is secret among these. `named` are secret whatever they are called.
pub(super) async fn learn<'v>(
    variables: impl IntoIterator<Item = (&'v str, &'v str)>,
    named: &BTreeSet<String>,
    cx: &CallContext,
) {
    let found = secrets::gather(variables, named);
    // Outside of a conversation nobody is answered.
    let Ok(conversation) = cx.conversation().map(Arc::clone) else { return };
    if !found.is_empty() {
        // It fails only if it is interrupted, and then nobody is answered either.
        let _ = tokio::task::spawn_blocking(move || conversation.learn_secrets(found)).await;
    }
}

impl ShellState {
    /// The variables that were not so before.
    pub(super) fn newer_than<'s>(
        &'s self,
        before: &'s ShellState,
    ) -> impl Iterator<Item = (&'s str, &'s str)> {
        let set = self.changed.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)));
        let earlier = move |name: &str| before.changed.get(name).and_then(Option::as_deref);
        set.filter(move |(name, value)| earlier(name) != Some(*value))
    }
}
