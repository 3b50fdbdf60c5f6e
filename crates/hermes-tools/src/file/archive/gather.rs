//! Everything that goes into an archive, in order.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, ErrorCode, ToolError};
use hermes_host::workspace::{EntryKind, ListOptions, Workspace, meant, spelled};

use super::format::Format;
use crate::file::find::glob::Filter;
use crate::file::text::usable::usable;

/// As deep as a tree is followed.
const MOST_DEPTH: usize = 64;

/// One thing to put in.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its name in the archive.
    pub(crate) name: PathBuf,
    /// Where it is now, as a path to pass on.
    pub(crate) path: String,
    pub(crate) is_folder: bool,
    pub(crate) mode: u32,
    pub(crate) modified: i64,
}

/// What goes in, and how many links, special files and files whose names the format cannot hold do not.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) items: Vec<Item>,
    pub(crate) left_out: usize,
}

impl Gathered {
    /// Two things of one name would be one when they are unpacked, and nothing at all is no archive.
    pub(crate) fn refuse_what_no_archive_holds(&self) -> Result<(), ToolError> {
        if self.items.is_empty() {
            return Err(ToolError::invalid("there is nothing to put into the archive"));
        }
        let mut names = HashMap::new();
        for item in &self.items {
            if let Some(other) = names.insert(&item.name, &item.path) {
                let name = spelled(&item.name);
                let text = format!("'{other}' and '{}' would both be '{name}' in the archive", item.path);
                return Err(ToolError::invalid(text).with_hint("Pack the folder above them instead."));
            }
        }
        Ok(())
    }

    /// Adds a file, or a folder with everything below it.
    pub(crate) fn add(
        &mut self,
        workspace: &Workspace,
        cx: &CallContext,
        source: &str,
        (exclude, format): (&[Filter], Format),
    ) -> Result<(), ToolError> {
        let written = meant(source.trim_end_matches('/'));
        let base =
            written.file_name().filter(|_| !source.ends_with("..")).map(PathBuf::from).unwrap_or_default();
        if workspace.look(cx, source)? == hermes_host::workspace::Found::File {
            if !format.takes(&base) {
                let text = format!(
                    "the name of '{source}' is no text, and {} archives hold only names that are",
                    format.ending()
                );
                return Err(ToolError::invalid(text).with_hint("Use tar, tar.gz, tar.zst or tar.xz."));
            }
            self.items.push(Item {
                name: base,
                path: source.to_owned(),
                is_folder: false,
                mode: 0o644,
                modified: 0,
            });
            return Ok(());
        }
        let options = ListOptions { depth: MOST_DEPTH, hidden: true, ignore: false };
        let listing = workspace.list(cx, source, options)?;
        if listing.cut {
            return Err(ToolError::invalid(format!("'{source}' holds too many files for one archive")));
        }
        let is_left_out = |entry: &Path| {
            let is_excluded = |path: &Path| exclude.iter().any(|filter| filter.matches(path));
            // What is below something left out is left out too.
            base.join(entry).ancestors().any(is_excluded) || entry.ancestors().any(is_excluded)
        };
        if let Some(folder) = listing.unreadable.iter().find(|folder| !is_left_out(&folder.path)) {
            // An archive without them would look like the whole.
            let text = format!("'{}' cannot be read: {}", usable(source, &folder.path), folder.reason);
            let hint = "Name it under exclude to leave it out.";
            return Err(ToolError::new(ErrorCode::PermissionDenied, text).with_hint(hint));
        }
        let mut entries = listing.entries;
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        for entry in entries {
            let within = base.join(&entry.path);
            if is_left_out(&entry.path) {
                continue;
            }
            if !matches!(entry.kind, EntryKind::File | EntryKind::Folder) {
                self.left_out += 1;
                continue;
            }
            if !format.takes(&within) {
                self.left_out += 1;
                continue;
            }
            self.items.push(Item {
                name: within,
                path: usable(source, &entry.path),
                is_folder: entry.kind == EntryKind::Folder,
                mode: entry.mode,
                modified: entry.modified,
            });
        }
        Ok(())
    }
}
