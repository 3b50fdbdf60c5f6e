//! The variables of a session, as tools read and change them: the very ones that its commands see and export.

use std::collections::BTreeMap;

use hermes_core::{CallContext, ToolError};

use super::door::Terminals;

impl Terminals {
    /// How the environment of the session's next command differs from what all start with; `None`: taken away.
    pub async fn variables(&self, cx: &CallContext) -> Result<BTreeMap<String, Option<String>>, ToolError> {
        Ok(self.of(&cx.session().id).inner.state(cx).await?.changed)
    }

    /// Sets a variable for the commands of this session that come after, or takes it away.
    pub async fn set_variable(
        &self,
        name: &str,
        value: Option<&str>,
        cx: &CallContext,
    ) -> Result<(), ToolError> {
        let inner = &*self.of(&cx.session().id).inner;
        let before = inner.state(cx).await?;
        let mut after = before.clone();
        after.changed.insert(name.to_owned(), value.map(str::to_owned));
        inner.save_state(cx, &before, after).await
    }
}
