//! Searching files over there: names are listed, contents fetched in one go and searched here, so that patterns
//! mean the same everywhere.

use std::ops::ControlFlow;
use std::path::PathBuf;

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};

use super::located::Located;
use super::side::Side;
use crate::workspace::{Entry, Found, Unreadable, Visit, Visitor, WalkOptions, Walked, explain, not_a_file};

/// What one search may fetch, and what of one file.
const MAX_FETCHED: u64 = 256 * 1024 * 1024;
const MAX_FILE: u64 = 16 * 1024 * 1024;

impl Side<'_> {
    pub(in crate::files) async fn walk<V: Visitor>(
        &self,
        cx: &CallContext,
        raw: &str,
        options: WalkOptions,
        mut visitor: V,
    ) -> Result<Walked<V>, ToolError> {
        let located = self.judge(cx, raw, &Permission::FILE_READ).await?;
        let (entries, mut unreadable) = match (located.found(), located.what) {
            (Found::Folder, _) => self.below(&located, options).await?,
            (Found::File, Some(what)) => {
                let path = PathBuf::new();
                let (size, modified, mode) = (what.size, what.modified, what.mode);
                (vec![Entry { path, kind: what.kind, size, modified, mode, target: None }], Vec::new())
            }
            (Found::Nothing, _) => return Err(explain("search", &located.path, rustix::io::Errno::NOENT)),
            (found, _) => return Err(not_a_file(&located.path, found, "searched")),
        };
        let mut wanted = Vec::new();
        for entry in &entries {
            let visit = seen(cx, &located, entry, None);
            if !visitor.wants(&visit.named(), entry.kind) {
                if visitor.visit(&visit).is_break() {
                    return Ok(Walked { visitors: vec![visitor], unreadable });
                }
            } else if entry.size > MAX_FILE {
                let reason = format!("larger than {MAX_FILE} bytes, so not searched");
                unreadable.push(Unreadable { path: entry.path.clone(), reason });
            } else if visit.may_be_shown() {
                wanted.push(entry);
            }
        }
        let all: u64 = wanted.iter().map(|entry| entry.size).sum();
        if all > MAX_FETCHED {
            let text =
                format!("{all} bytes would have to be fetched, and a search takes at most {MAX_FETCHED}");
            return Err(ToolError::new(ErrorCode::TooLarge, text)
                .with_hint("Search a smaller folder, or only some files; or use grep in the terminal."));
        }
        let paths: Vec<PathBuf> = wanted.iter().map(|entry| at(&located, entry)).collect();
        let each = &mut |index: usize, content: Option<Vec<u8>>| match (wanted.get(index), content) {
            (Some(entry), Some(content)) => visitor.visit(&seen(cx, &located, entry, Some(&content))),
            _ => ControlFlow::Continue(()),
        };
        self.many(&paths, MAX_FILE, each).await?;
        Ok(Walked { visitors: vec![visitor], unreadable })
    }

    async fn below(
        &self,
        located: &Located,
        options: WalkOptions,
    ) -> Result<(Vec<Entry>, Vec<Unreadable>), ToolError> {
        let mut tree = self.tree(&located.path, options.into()).await?;
        if tree.cut {
            let text = format!("there are too many files below '{}'", located.path.display());
            return Err(ToolError::new(ErrorCode::TooLarge, text).with_hint("Search a smaller folder."));
        }
        let entries = self.kept(located, &mut tree, options.into()).await?;
        Ok((entries, tree.unreadable))
    }
}

fn at(located: &Located, entry: &Entry) -> PathBuf {
    match entry.path.as_os_str().is_empty() {
        true => located.path.clone(),
        false => located.path.join(&entry.path),
    }
}

fn seen<'a>(
    cx: &'a CallContext,
    located: &Located,
    entry: &'a Entry,
    content: Option<&'a [u8]>,
) -> Visit<'a> {
    let judged = located.judged(&at(located, entry));
    Visit::elsewhere(cx, entry, judged, content)
}
