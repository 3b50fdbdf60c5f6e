//! Reading files over there.

use std::path::Path;

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};

use super::located::Located;
use super::side::Side;
use crate::workspace::{
    Current, FileVersion, Found, ListOptions, OpenFile, SeenState, alike, explain, not_a_file,
};

/// Larger files are not fetched.
const MAX_READ: u64 = 32 * 1024 * 1024;
/// Larger files are not edited.
pub(super) const MAX_EDITED: u64 = 10 * 1024 * 1024;

impl Side<'_> {
    pub(in crate::files) async fn look(&self, cx: &CallContext, raw: &str) -> Result<Found, ToolError> {
        Ok(self.judge(cx, raw, &Permission::FILE_READ).await?.found())
    }

    pub(in crate::files) async fn open_read(
        &self,
        cx: &CallContext,
        raw: &str,
    ) -> Result<OpenFile, ToolError> {
        let mut located = self.judge_and_fetch(cx, raw, &Permission::FILE_READ, MAX_READ).await?;
        let content = self.whole(&mut located, MAX_READ).await?;
        Ok(OpenFile::of_content(located.path, content, (cx, self.eyes())))
    }

    pub(in crate::files) async fn current(&self, cx: &CallContext, raw: &str) -> Result<Current, ToolError> {
        let mut located = self.judge_and_fetch(cx, raw, &Permission::FILE_READ, MAX_EDITED).await?;
        let content = match located.found() {
            Found::Nothing => None,
            _ => Some(self.whole(&mut located, MAX_EDITED).await?),
        };
        let version = content.as_deref().map(FileVersion::of_content);
        let (path, eyes) = (located.path, self.eyes());
        let is_missed = |path: &Path, sha256: &str| {
            let state = version.map(|version| SeenState::of_version(version).with_hash(Some(sha256)));
            state.is_some_and(|state| eyes.missed(path, &state))
        };
        Ok(Current::new(path.clone(), content).noting(|sha256| is_missed(&path, sha256)))
    }

    /// All of a regular file.
    pub(super) async fn whole(&self, located: &mut Located, most: u64) -> Result<Vec<u8>, ToolError> {
        let fetched = located.content.take();
        let path = &located.path;
        match located.found() {
            Found::File => {}
            Found::Nothing => return Err(explain("read", path, rustix::io::Errno::NOENT)),
            found => return Err(not_a_file(path, found, "read")),
        }
        let content = match fetched {
            Some(content) => content,
            None => self.bytes(path, most).await?,
        };
        if u64::try_from(content.len()).unwrap_or(u64::MAX) > most {
            let text =
                format!("'{}' is larger than {most} bytes, and only so many are fetched", path.display());
            return Err(ToolError::new(ErrorCode::TooLarge, text).with_hint(
                "Take the part you need with a command in the terminal, such as `sed -n 1,200p`.",
            ));
        }
        Ok(content)
    }

    pub(in crate::files) async fn similar(
        &self,
        cx: &CallContext,
        raw: &str,
        limit: usize,
    ) -> Result<Vec<String>, ToolError> {
        let located = self.judge(cx, raw, &Permission::FILE_READ).await?;
        let (Some(parent), Some(wanted)) = (located.path.parent(), located.path.file_name()) else {
            return Ok(Vec::new());
        };
        let options = ListOptions { depth: 1, hidden: true, ignore: false };
        let Ok(tree) = self.tree(parent, options.into()).await else { return Ok(Vec::new()) };
        let names = tree.entries.iter().filter_map(|entry| entry.path.file_name());
        Ok(alike(raw, &wanted.to_string_lossy(), names, limit))
    }
}
