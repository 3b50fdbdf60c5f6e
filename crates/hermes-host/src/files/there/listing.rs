//! Listing folders over there, without what ignore rules leave out.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, Permission, ToolError};

use super::located::Located;
use super::side::Side;
use super::tree::{Tree, TreeOptions};
use crate::workspace::{
    Entry, EntryKind, Found, IGNORE_FILES, IgnoreRules, ListOptions, Listing, MAX_RULES, explain,
    not_a_folder,
};

impl Side<'_> {
    pub(in crate::files) async fn list(
        &self,
        cx: &CallContext,
        raw: &str,
        options: ListOptions,
    ) -> Result<Listing, ToolError> {
        let located = self.judge(cx, raw, &Permission::FILE_READ).await?;
        match located.found() {
            Found::Folder => {}
            Found::Nothing => return Err(explain("list", &located.path, rustix::io::Errno::NOENT)),
            found => return Err(not_a_folder(&located.path, found == Found::File)),
        }
        let mut tree = self.tree(&located.path, options.into()).await?;
        let entries = self.kept(&located, &mut tree, options.into()).await?;
        Ok(Listing { entries, unreadable: tree.unreadable, cut: tree.cut })
    }

    /// The entries that are to be seen: no hidden or ignored ones unless wanted, nothing inside closed folders.
    pub(super) async fn kept(
        &self,
        located: &Located,
        tree: &mut Tree,
        options: TreeOptions,
    ) -> Result<Vec<Entry>, ToolError> {
        let root = &located.path;
        let texts = if options.ignore { self.rule_texts(root, &tree.entries).await? } else { HashMap::new() };
        let above = IgnoreRules::default();
        let above = tree.above.iter().fold(above, |rules, (folder, text)| rules.with_text(text, folder));
        // The rules that hold in each folder that is looked into.
        let mut open: HashMap<PathBuf, IgnoreRules> = HashMap::new();
        open.insert(PathBuf::new(), extended(&above, &texts, root, Path::new("")));
        let mut kept = Vec::with_capacity(tree.entries.len());
        for entry in std::mem::take(&mut tree.entries) {
            let (Some(parent), Some(name)) = (entry.path.parent(), entry.path.file_name()) else { continue };
            let Some(rules) = open.get(parent) else { continue };
            let (is_folder, path) = (entry.kind == EntryKind::Folder, root.join(&entry.path));
            if (!options.hidden && name.as_bytes().starts_with(b"."))
                || (options.ignore && rules.ignore(&path, is_folder))
            {
                continue;
            }
            if is_folder && !self.workspace.is_closed(&located.judged(&path), true) {
                let rules = extended(rules, &texts, root, &entry.path);
                open.insert(entry.path.clone(), rules);
            }
            kept.push(entry);
        }
        Ok(kept)
    }

    /// The texts of all ignore files in a tree, by their paths.
    async fn rule_texts(
        &self,
        root: &Path,
        entries: &[Entry],
    ) -> Result<HashMap<PathBuf, Vec<u8>>, ToolError> {
        let is_rules = |entry: &&Entry| {
            let name = entry.path.file_name();
            entry.kind == EntryKind::File
                && IGNORE_FILES.iter().any(|file| name.is_some_and(|name| name == *file))
        };
        let found: Vec<PathBuf> = entries.iter().filter(is_rules).map(|entry| entry.path.clone()).collect();
        let paths: Vec<PathBuf> = found.iter().map(|path| root.join(path)).collect();
        let mut texts = HashMap::new();
        let each = &mut |index: usize, text: Option<Vec<u8>>| {
            texts.extend(found.get(index).cloned().zip(text));
            ControlFlow::Continue(())
        };
        self.many(&paths, MAX_RULES, each).await?;
        Ok(texts)
    }
}

/// The rules inside `folder`, which stands below `root`.
fn extended(
    rules: &IgnoreRules,
    texts: &HashMap<PathBuf, Vec<u8>>,
    root: &Path,
    folder: &Path,
) -> IgnoreRules {
    let own = IGNORE_FILES.iter().filter_map(|file| texts.get(&folder.join(file)));
    own.fold(rules.clone(), |rules, text| rules.with_text(text, &root.join(folder)))
}
