//! What the user was shown and said yes to.

use std::collections::BTreeMap;

use super::change::{Change, OtherServer};
use super::definition::ToolDef;

/// Exactly the definitions that were shown. What the server shows instead of them meanwhile is not agreed to.
#[derive(Clone, Debug, Default)]
pub struct Agreed {
    /// Digests of the definitions, by the server's name for the tool.
    tools: BTreeMap<String, String>,
    /// The same for prompts.
    prompts: BTreeMap<String, String>,
    /// Who the server says it is, and what the user wrote down as it.
    server: Option<(String, Option<String>)>,
}

impl Agreed {
    pub fn to<'a>(changes: impl IntoIterator<Item = &'a Change>, server: Option<&OtherServer>) -> Self {
        let mut agreed = Agreed { server: server.map(OtherServer::shown), ..Agreed::default() };
        for change in changes {
            let list = if change.is_prompt { &mut agreed.prompts } else { &mut agreed.tools };
            list.insert(change.after.name.clone(), change.after.digest());
        }
        agreed
    }

    pub(super) fn covers(&self, tool: &ToolDef) -> bool {
        self.tools.get(&tool.name).is_some_and(|digest| *digest == tool.digest())
    }

    pub(super) fn covers_prompt(&self, prompt: &ToolDef) -> bool {
        self.prompts.get(&prompt.name).is_some_and(|digest| *digest == prompt.digest())
    }

    pub(super) fn covers_server(&self, other: &OtherServer) -> bool {
        self.server.as_ref() == Some(&other.shown())
    }
}
