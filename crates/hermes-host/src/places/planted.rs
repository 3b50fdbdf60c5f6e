//! Where a path leads if nobody could have turned it: commands put links wherever they write.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The kernel follows no more either.
const MOST_LINKS: usize = 40;

/// The place itself, as it really is. `None` if it is not there, or a link leads to it that lies in one of the folders that
/// commands write. The path must be absolute.
pub(crate) fn without_planted_links(place: &Path, written: &[PathBuf]) -> Option<PathBuf> {
    let mut found = PathBuf::from("/");
    let mut names = names(place);
    let mut links = 0;
    while let Some(name) = names.pop_front() {
        if name == ".." {
            found.pop();
            continue;
        }
        let next = found.join(name);
        if !fs::symlink_metadata(&next).ok()?.is_symlink() {
            found = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS || written.iter().any(|folder| found.starts_with(folder)) {
            return None;
        }
        let end = fs::read_link(&next).ok()?;
        if end.is_absolute() {
            found = PathBuf::from("/");
        }
        for name in self::names(&end).into_iter().rev() {
            names.push_front(name);
        }
    }
    Some(found)
}

fn names(path: &Path) -> VecDeque<OsString> {
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().filter(is_name).map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_only_where_nobody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["work/build", "data/deep", "etc"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let written = [root.join("work")];
        let leads = |path: &str| without_planted_links(&root.join(path), &written);
        symlink(root.join("etc"), root.join("work/planted")).unwrap();
        symlink("../etc", root.join("work/relative")).unwrap();
        symlink("../data", root.join("data/deep/up")).unwrap();
        symlink(root.join("work/planted"), root.join("data/by_way_of")).unwrap();
        symlink("data/deep", root.join("link")).unwrap();
        symlink("round", root.join("round")).unwrap();
        for (path, expected) in [
            ("work/build", Some("work/build")),
            ("work/./build/../build", Some("work/build")),
            ("link", Some("data/deep")),
            ("link/../deep", Some("data/deep")),
            ("work/planted", None),
            ("work/relative", None),
            ("work/planted/x", None),
            ("data/by_way_of", None),
            ("round", None),
            ("missing", None),
        ] {
            assert_eq!(leads(path), expected.map(|path| root.join(path)), "{path}");
        }
        assert_eq!(without_planted_links(Path::new("/"), &written), Some(PathBuf::from("/")));
    }
}
