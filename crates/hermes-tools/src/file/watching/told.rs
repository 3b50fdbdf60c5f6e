//! Changes in the words of the tool.

use std::path::Path;

use hermes_host::workspace::{ChangeKind, WatchEvent, spelled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::file::text::usable::usable;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "WatchKind")]
pub enum Kind {
    Create,
    Modify,
    Delete,
    Rename,
}

impl From<ChangeKind> for Kind {
    fn from(kind: ChangeKind) -> Self {
        match kind {
            ChangeKind::Create => Kind::Create,
            ChangeKind::Modify => Kind::Modify,
            ChangeKind::Delete => Kind::Delete,
            ChangeKind::Rename => Kind::Rename,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Told {
    kind: Kind,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    time: String,
}

/// A change below `root`, which the model called `shown`.
pub(super) fn tell(root: &Path, shown: &str, event: &WatchEvent) -> Told {
    let path = |path: &Path| match path.strip_prefix(root) {
        Ok(inside) => usable(shown, inside),
        Err(_) => spelled(path),
    };
    let time = jiff::Timestamp::from_millisecond(event.at_ms).map(|time| time.to_string());
    Told {
        kind: event.kind.into(),
        path: path(&event.path),
        to: event.to.as_deref().map(path),
        time: time.unwrap_or_default(),
    }
}
