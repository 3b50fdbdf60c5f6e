//! Where paths lead by links. Whoever puts something else in the place of one link, or of what is at the end, decides what
//! is found there.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::listing::{Kind, kinds_in};
use crate::workspace::open_exact;

/// The kernel follows no more either.
const MOST_LINKS: usize = 40;
/// Names that are looked at in all places together: this is on the way of every command.
const MOST_NAMES: usize = 1_000;

/// Where a path leads.
#[derive(Debug)]
pub(super) struct Led {
    /// By way of these.
    pub(super) links: Vec<PathBuf>,
    /// No link, be there anything or not.
    pub(super) end: PathBuf,
}

impl Led {
    /// The path must be absolute.
    pub(super) fn by(path: &Path) -> Self {
        let mut found = Led { links: Vec::new(), end: PathBuf::from("/") };
        let mut names = names(path);
        while let Some(name) = names.pop_front() {
            if name == ".." {
                found.end.pop();
                continue;
            }
            let next = found.end.join(&name);
            match std::fs::read_link(&next) {
                Ok(to) if found.links.len() < MOST_LINKS => {
                    if to.is_absolute() {
                        found.end = PathBuf::from("/");
                    }
                    found.links.push(next);
                    self::names(&to).into_iter().rev().for_each(|name| names.push_front(name));
                }
                _ => found.end = next,
            }
        }
        found
    }

    pub(super) fn places(self) -> impl Iterator<Item = PathBuf> {
        self.links.into_iter().chain([self.end])
    }
}

fn names(path: &Path) -> VecDeque<OsString> {
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().filter(is_name).map(|part| part.as_os_str().to_owned()).collect()
}

/// What decides beside these places themselves what is found at them: the links on the way to them, those that lie in them
/// down to the given depth, those that these lead to, and every end, be there anything or not; of all that what counts.
pub(crate) fn led_to(
    places: impl IntoIterator<Item = (PathBuf, usize)>,
    counts: impl Fn(&Path) -> bool,
) -> BTreeSet<PathBuf> {
    let mut next: VecDeque<(PathBuf, usize)> = places.into_iter().collect();
    let (mut names, mut found) = (MOST_NAMES, BTreeSet::new());
    while let Some((place, depth)) = next.pop_front() {
        match open_exact(&place, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK) {
            Ok(folder) if depth > 0 => {
                for (name, kind) in kinds_in(&folder, names) {
                    names -= 1;
                    match kind {
                        Kind::Link => next.push_back((place.join(name), depth)),
                        Kind::Folder => next.push_back((place.join(name), depth - 1)),
                        Kind::Other => {}
                    }
                }
            }
            // By the kernel's word there is a link on the way, or it may be one itself.
            Err(Errno::LOOP | Errno::NOTDIR) => {
                let led = Led::by(&place);
                let is_led = !led.links.is_empty();
                let end = led.end.clone();
                let is_known = found.contains(&end);
                found.extend(led.places().filter(|place| is_led && counts(place)));
                if !is_known && found.contains(&end) {
                    next.push_back((end, depth));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_link_and_every_end_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["hooks/sub/deep", "real/more", "conf"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        for file in ["hooks/plain", "real/a.sh", "conf/envrc"] {
            fs::write(root.join(file), "").unwrap();
        }
        for (to, link) in [
            ("../turn/a.sh", "hooks/pre-commit"),
            ("real", "turn"),
            ("/nonexistent/x", "hooks/sub/gone"),
            ("../../conf", "hooks/sub/folder"),
            ("envrc", "conf/again"),
            ("../../..", "hooks/sub/deep/up"),
            ("round", "hooks/round"),
        ] {
            symlink(to, root.join(link)).unwrap();
        }
        let found = |place: &str, depth| -> BTreeSet<String> {
            let found = led_to([(root.join(place), depth)], |path| !root.starts_with(path));
            found.iter().map(|path| path.strip_prefix(&root).unwrap_or(path).display().to_string()).collect()
        };
        let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(found("hooks/plain", 2), all(&[]));
        assert_eq!(found("turn/a.sh", 0), all(&["turn", "real/a.sh"]));
        let near = ["hooks/pre-commit", "turn", "real/a.sh", "hooks/round"];
        assert_eq!(found("hooks", 1), all(&near));
        let deep =
            ["hooks/sub/gone", "/nonexistent/x", "hooks/sub/folder", "conf", "conf/again", "conf/envrc"];
        assert_eq!(found("hooks", 2), all(&[&near[..], &deep[..]].concat()));
        let with_up = [&near[..], &deep[..], &["hooks/sub/deep/up"]].concat();
        assert_eq!(found("hooks", 3), all(&with_up), "what lies around is not looked into");
    }
}
