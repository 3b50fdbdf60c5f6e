//! Where paths lead by links. Whoever puts something else in the place of one link, or of what is at the end, decides what
//! is found there.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::listing::{Kind, kinds_in};
use crate::workspace::open_exact;

/// The kernel follows no more either.
const MOST_LINKS: usize = 40;
/// Names that are read in a folder: this is on the way of every command.
const MOST_NAMES: usize = 1_000;
/// What git brings along in a folder of that name, and does not run.
const SAMPLES: (&str, &str) = ("hooks", "sample");

/// Where a path leads.
#[derive(Clone, Debug)]
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

/// Which folders count that links lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folders {
    None,
    /// Where the place itself is the link, or lies behind one.
    OfPlace,
    All,
}

/// A place that may lead elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Leading {
    pub(crate) place: PathBuf,
    /// How far below it links are looked for.
    pub(crate) depth: usize,
    pub(crate) folders: Folders,
    /// How many links and folders in it are looked at.
    pub(crate) most: usize,
}

/// What decides beside a place itself what is found at it: the links on the way to it, those that lie in it, those that
/// these lead to, and every end, be there anything or not; of all that what counts. Second: whether all of it was looked at.
pub(crate) fn led_to(from: &Leading, counts: impl Fn(&Path) -> bool) -> (BTreeSet<PathBuf>, bool) {
    let mut next = VecDeque::from([(from.place.clone(), from.depth)]);
    let (mut left, mut is_whole, mut is_place) = (from.most, true, true);
    let mut found = BTreeSet::new();
    while let Some((place, depth)) = next.pop_front() {
        let counts_folder = from.folders == Folders::All || is_place && from.folders == Folders::OfPlace;
        is_place = false;
        match open_exact(&place, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK) {
            Ok(folder) if depth > 0 => {
                let kinds = kinds_in(&folder, MOST_NAMES);
                is_whole &= kinds.len() < MOST_NAMES;
                let has_samples = place.ends_with(SAMPLES.0);
                let is_sample =
                    |name: &OsStr| has_samples && Path::new(name).extension() == Some(SAMPLES.1.as_ref());
                for (name, kind) in kinds.into_iter().filter(|(name, _)| !is_sample(name)) {
                    let further = match kind {
                        Kind::Link => depth,
                        Kind::Folder if depth > 1 => depth - 1,
                        _ => continue,
                    };
                    is_whole &= left > 0;
                    if left > 0 {
                        left -= 1;
                        next.push_back((place.join(name), further));
                    }
                }
            }
            // By the kernel's word there is a link on the way, or it may be one itself.
            Err(Errno::LOOP | Errno::NOTDIR) if open_exact(&place, OFlags::PATH).is_err() => {
                let led = Led::by(&place);
                let is_led = !led.links.is_empty();
                let end = led.end.clone();
                let is_known = found.contains(&end);
                if !is_led || !counts_folder && end.is_dir() {
                    continue;
                }
                found.extend(led.places().filter(|place| counts(place)));
                if !is_known && found.contains(&end) {
                    next.push_back((end, depth));
                }
            }
            _ => {}
        }
    }
    (found, is_whole)
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
            let from = Leading { place: root.join(place), depth, folders: Folders::All, most: 100 };
            let (found, is_whole) = led_to(&from, |path| !root.starts_with(path));
            assert!(is_whole);
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

    #[test]
    fn samples_use_nothing_up_and_folders_count_where_they_are_run() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("hooks")).unwrap();
        fs::create_dir_all(root.join("lib")).unwrap();
        for number in 0..20 {
            symlink("../x", root.join(format!("hooks/a{number}.sample"))).unwrap();
            fs::write(root.join(format!("hooks/b{number}")), "").unwrap();
        }
        symlink("../lib", root.join("hooks/lib")).unwrap();
        symlink("hooks", root.join("turn")).unwrap();
        let found = |place: &str, folders, most| {
            let from = Leading { place: root.join(place), depth: 1, folders, most };
            let (found, is_whole) = led_to(&from, |_| true);
            let names = found.iter().map(|path| path.strip_prefix(&root).unwrap().display().to_string());
            (names.collect::<Vec<_>>().join(" "), is_whole)
        };
        assert_eq!(found("hooks", Folders::All, 1), ("hooks/lib lib".to_owned(), true));
        assert_eq!(found("hooks", Folders::All, 0), (String::new(), false));
        assert_eq!(found("hooks", Folders::OfPlace, 1), (String::new(), true));
        assert_eq!(found("turn", Folders::OfPlace, 1), ("hooks turn".to_owned(), true));
        assert_eq!(found("turn", Folders::None, 1), (String::new(), true));
    }
}
