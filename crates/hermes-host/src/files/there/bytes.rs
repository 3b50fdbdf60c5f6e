//! The content of files over there.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use hermes_core::ToolError;

use super::answer::Record;
use super::complaints::{complaint, confused};
use super::located::room_for;
use super::scripts::READ;
use super::side::{Question, Side};
use crate::workspace::changed;

impl Side<'_> {
    /// The content of a judged file; at most one byte more than `most`.
    pub(super) async fn bytes(&self, path: &Path, most: u64) -> Result<Vec<u8>, ToolError> {
        let count = most.saturating_add(1).to_string();
        let words = [path.as_os_str().as_bytes(), count.as_bytes()];
        let question = Question { most: room_for(most), ..Question::new(READ, &words) };
        let (answer, sent) = self.ask_once(&question).await?;
        match answer {
            Some(Record { bytes, words }) if words == "content" => Ok(bytes),
            Some(Record { words, .. }) if words == "changed" => Err(changed(path)),
            Some(Record { words, .. }) => Err(confused(&words)),
            None => Err(complaint("read", path, &sent)),
        }
    }
}
