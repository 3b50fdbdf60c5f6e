//! The way to a file: every name on it, through all links, whose change makes the path lead somewhere else.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Links that are followed before it counts as a circle, as the kernel does it.
const MAX_LINKS: usize = 40;

/// Folders, each with the name in it that is on the way. A part that is not there yet is on it too.
pub(crate) fn trail(path: &Path) -> Vec<(PathBuf, OsString)> {
    let (mut way, mut at, mut links) = (Vec::new(), PathBuf::from("/"), 0);
    let mut left = parts(path);
    while let Some(part) = left.pop() {
        let Some(name) = part else {
            at.pop();
            continue;
        };
        let next = at.join(&name);
        way.push((at.clone(), name));
        match std::fs::read_link(&next) {
            Ok(target) if links < MAX_LINKS => {
                links += 1;
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                left.extend(parts(&target));
            }
            _ => at = next,
        }
    }
    way
}

/// The parts of a path, the last one first; one that leads up is `None`.
fn parts(path: &Path) -> Vec<Option<OsString>> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(Some(name.to_owned())),
        Component::ParentDir => Some(None),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().rev().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_is_on_the_way_and_a_circle_ends() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("releases/one")).unwrap();
        std::os::unix::fs::symlink("releases/one", root.join("current")).unwrap();
        std::os::unix::fs::symlink("../../shared.yaml", root.join("releases/one/tools.yaml")).unwrap();
        std::os::unix::fs::symlink("circle", root.join("circle")).unwrap();
        let way = trail(&root.join("current/tools.yaml"));
        for (folder, name) in [
            ("", "current"),
            ("", "releases"),
            ("releases", "one"),
            ("releases/one", "tools.yaml"),
            ("", "shared.yaml"),
        ] {
            let folder = if folder.is_empty() { root.clone() } else { root.join(folder) };
            assert!(way.contains(&(folder, name.into())), "{name}: {way:?}");
        }
        assert!(trail(&root.join("circle/x")).len() < 100);
    }
}
