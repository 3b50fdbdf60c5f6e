//! The rules of `.gitignore` and `.ignore` files that hold inside a folder.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};

use super::open::open_exact;

/// No honest rule file is larger.
pub(crate) const MAX_RULES: u64 = 1024 * 1024;
/// The later one wins where they differ.
pub(crate) const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The rules of a folder and of the folders above it, the nearest last. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct IgnoreRules(Arc<[Arc<Gitignore>]>);

impl IgnoreRules {
    /// The rules of the folders above `root`, up to the top of the repository it lies in.
    pub(super) fn above(root: &Path) -> Self {
        let is_top = |folder: &&Path| open_exact(&folder.join(".git"), OFlags::PATH).is_ok();
        let Some(top) = root.ancestors().find(is_top) else { return IgnoreRules::default() };
        let mut between: Vec<&Path> =
            root.ancestors().skip(1).take_while(|folder| folder.starts_with(top)).collect();
        between.reverse();
        let mut rules = IgnoreRules::default();
        for folder in between {
            if let Ok(handle) = open_exact(folder, OFlags::RDONLY | OFlags::DIRECTORY) {
                rules = rules.within(&handle, folder);
            }
        }
        rules
    }

    /// These rules plus those of the files in `folder`, which stands at `path`.
    pub(super) fn within(&self, folder: impl AsFd, path: &Path) -> Self {
        self.of_folder(folder, path, IGNORE_FILES.iter().map(OsStr::new))
    }

    /// The same for a folder whose names are known already.
    pub(super) fn of_folder<'a>(
        &self,
        folder: impl AsFd,
        path: &Path,
        names: impl Iterator<Item = &'a OsStr>,
    ) -> Self {
        let mut found: Vec<&str> =
            names.filter_map(|name| IGNORE_FILES.into_iter().find(|file| name == *file)).collect();
        found.sort_unstable();
        let new: Vec<_> = found.iter().filter_map(|file| read_rules(&folder, file, path)).collect();
        if new.is_empty() {
            return self.clone();
        }
        IgnoreRules(self.0.iter().cloned().chain(new.into_iter().map(Arc::new)).collect())
    }

    /// These rules plus those of a text that holds in the folder at `path`.
    pub(crate) fn with_text(&self, text: &[u8], path: &Path) -> Self {
        let new = rules_of(text, path).map(Arc::new);
        IgnoreRules(self.0.iter().cloned().chain(new).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether Git would leave `path` out.
    pub(crate) fn ignore(&self, path: &Path, is_dir: bool) -> bool {
        if path.file_name().is_some_and(|name| name == ".git") {
            return true;
        }
        for rules in self.0.iter().rev() {
            match rules.matched(path, is_dir) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

fn read_rules(folder: impl AsFd, name: &str, path: &Path) -> Option<Gitignore> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let handle = openat(folder, name, flags, Mode::empty()).ok()?;
    if FileType::from_raw_mode(fstat(&handle).ok()?.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut text = Vec::new();
    File::from(handle).take(MAX_RULES).read_to_end(&mut text).ok()?;
    rules_of(&text, path)
}

fn rules_of(text: &[u8], path: &Path) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(path);
    for line in String::from_utf8_lossy(text).lines() {
        // Git skips lines it cannot read as a pattern; so do we.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
