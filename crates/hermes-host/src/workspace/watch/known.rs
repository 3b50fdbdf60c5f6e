//! The names that stand in a watched folder. The kernel says that one comes, and not whether it takes the place of another:
//! who saves by renaming changes a file, who renames to a new name makes one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::keeper::inside;

/// More names are not remembered. One that is not remembered comes as a new one.
const MOST: usize = 50_000;

#[derive(Debug, Default)]
pub(super) struct Known(BTreeSet<PathBuf>);

impl Known {
    /// What stands in a folder; no link is followed.
    pub(super) fn in_folder(folder: &Path, recursive: bool) -> Self {
        let mut known = Known::default();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for (path, is_folder) in inside(&folder) {
                if is_folder && recursive {
                    folders.push(path.clone());
                }
                known.comes(&path);
            }
            if known.0.len() >= MOST {
                break;
            }
        }
        known
    }

    /// A name comes; whether one stood there already.
    pub(super) fn comes(&mut self, path: &Path) -> bool {
        self.0.contains(path) || (self.0.len() < MOST && !self.0.insert(path.to_owned()))
    }

    /// What stands there was looked up, and some of it came meanwhile.
    pub(super) fn renew(&mut self, mut found: Known) {
        let stands = |name: &PathBuf| !found.0.contains(name) && name.symlink_metadata().is_ok();
        let missed: Vec<PathBuf> = self.0.iter().filter(|name| stands(name)).cloned().collect();
        missed.iter().for_each(|name| {
            found.comes(name);
        });
        *self = found;
    }

    /// A name goes, with everything below it.
    pub(super) fn goes(&mut self, path: &Path) {
        let below: Vec<PathBuf> =
            self.0.range(path.to_owned()..).take_while(|name| name.starts_with(path)).cloned().collect();
        below.iter().for_each(|name| {
            self.0.remove(name);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_once_and_go_with_what_is_below() {
        let mut known = Known::default();
        for name in ["/d", "/d/a", "/d/b/c", "/d.x"] {
            assert!(!known.comes(Path::new(name)));
            assert!(known.comes(Path::new(name)));
        }
        known.goes(Path::new("/d"));
        assert!(known.comes(Path::new("/d.x")));
        for name in ["/d", "/d/a", "/d/b/c"] {
            assert!(!known.comes(Path::new(name)), "{name}");
        }
    }
}
