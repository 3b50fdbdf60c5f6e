//! What the user was shown and said yes to.

use std::collections::BTreeMap;

use super::change::{Change, OtherServer};
use super::definition::ToolDef;

/// Exactly the definitions that were shown. What the server shows instead of them meanwhile is not agreed to.
#[derive(Clone, Debug, Default)]
pub struct Agreed {
    /// Digests of the definitions, by the server's name for the tool.
    tools: BTreeMap<String, String>,
    server: Option<String>,
}

impl Agreed {
    pub fn to<'a>(changes: impl IntoIterator<Item = &'a Change>, server: Option<&OtherServer>) -> Self {
        let digests = changes.into_iter().map(|change| (change.tool.clone(), change.after.digest()));
        Agreed { tools: digests.collect(), server: server.map(|server| server.after.clone()) }
    }

    pub(super) fn covers(&self, tool: &ToolDef) -> bool {
        self.tools.get(&tool.name).is_some_and(|digest| *digest == tool.digest())
    }

    pub(super) fn covers_server(&self, name: &str) -> bool {
        self.server.as_deref() == Some(name)
    }
}
