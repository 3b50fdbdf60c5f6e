//! The `.gitignore` rules that hold inside a listed folder.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};

/// No honest rule file is larger.
const MAX_RULES: u64 = 1024 * 1024;

/// The rules of a folder and of the listed folders above it, the nearest last.
#[derive(Clone, Debug, Default)]
pub(super) struct IgnoreRules(Vec<Gitignore>);

impl IgnoreRules {
    /// These rules plus those of the `.gitignore` in `folder`, which stands at `path`.
    pub(super) fn within(&self, folder: impl AsFd, path: &Path) -> Self {
        let mut rules = self.0.clone();
        rules.extend(read_rules(folder, path));
        IgnoreRules(rules)
    }

    /// Whether Git would leave `path` out.
    pub(super) fn ignore(&self, path: &Path, is_dir: bool) -> bool {
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

fn read_rules(folder: impl AsFd, path: &Path) -> Option<Gitignore> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let handle = openat(folder, ".gitignore", flags, Mode::empty()).ok()?;
    if FileType::from_raw_mode(fstat(&handle).ok()?.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut text = Vec::new();
    File::from(handle).take(MAX_RULES).read_to_end(&mut text).ok()?;
    let mut builder = GitignoreBuilder::new(path);
    for line in String::from_utf8_lossy(&text).lines() {
        // Git skips lines it cannot read as a pattern; so do we.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
