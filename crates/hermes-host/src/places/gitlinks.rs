//! Other repositories that a repository's index names: git looks into each of them for `git status` alone, however deep
//! it lies and however many folders are around it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use crate::spot::read_short;

/// Longer ones are not looked at: this is on the way of a command.
const LONGEST: u64 = 64 * 1024 * 1024;
/// So many are enough for everybody who works with them.
const MOST: usize = 1_000;
/// The kind of an entry that is another repository.
const LINK: u32 = 0o160_000;
/// What is said of an entry before its hash: times, numbers, mode, owner and size.
const FACTS: usize = 40;
const MODE: usize = 24;
/// Lengths of hashes.
const HASHES: [usize; 2] = [20, 32];
/// Of the flags: whether there are more, and how long the name is.
const EXTENDED: u16 = 0x4000;
const NAME: u16 = 0x0fff;

/// Where they are, seen from the work tree.
pub(super) fn gitlinks(repository: &Path) -> Vec<PathBuf> {
    let shared = fs::read_dir(repository).into_iter().flatten().flatten().map(|entry| entry.path());
    let shared = shared
        .filter(|path| path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"sharedindex.")));
    let mut found = Vec::new();
    for index in std::iter::once(repository.join("index")).chain(shared) {
        let Ok((bytes, _)) = read_short(&index, LONGEST) else { continue };
        found.extend(HASHES.iter().find_map(|hash| links(&bytes, *hash)).unwrap_or_default());
    }
    found.truncate(MOST);
    found
}

/// `None` where the bytes are no index with hashes of that length.
fn links(bytes: &[u8], hash: usize) -> Option<Vec<PathBuf>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let (version, count) = (number(4)?, number(8)?);
    let is_index = bytes.starts_with(b"DIRC") && (2..=4).contains(&version);
    let mut at = is_index.then_some(12)?;
    let (mut name, mut found) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let flags = short(at + FACTS + hash)?;
        let more = if version > 2 && flags & EXTENDED != 0 { 2 } else { 0 };
        let begin = at + FACTS + hash + 2 + more;
        let text = if version == 4 { shortened(bytes, begin, &mut name)? } else { begin };
        let length = memchr::memchr(0, bytes.get(text..)?)?;
        if version != 4 {
            name.clear();
        }
        name.extend(bytes.get(text..text + length)?);
        let told = flags & NAME;
        if told != NAME && usize::from(told) != name.len() {
            return None;
        }
        if number(at + MODE)? & 0o170_000 == LINK {
            found.extend(below(&name));
        }
        at = match version {
            4 => text + length + 1,
            // Entries are padded with one NUL at least.
            _ => at + (text + length - at + 8) / 8 * 8,
        };
    }
    Some(found)
}

/// Takes as many bytes off the last name as the next number says; where the rest of the new one begins.
fn shortened(bytes: &[u8], mut at: usize, name: &mut Vec<u8>) -> Option<usize> {
    let mut value = 0_usize;
    for round in 0..5 {
        let byte = *bytes.get(at)?;
        at += 1;
        value = if round == 0 { 0 } else { value + 1 } << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            name.truncate(name.len().checked_sub(value)?);
            return Some(at);
        }
    }
    None
}

/// A name that leads out of the work tree is none.
fn below(name: &[u8]) -> Option<PathBuf> {
    let path = Path::new(OsStr::from_bytes(name));
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && !name.is_empty()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn links_are_found_in_indexes_of_every_kind() {
        for (format, version) in [("sha1", "2"), ("sha1", "4"), ("sha256", "3"), ("sha256", "4")] {
            let folder = tempfile::tempdir().unwrap();
            let git = |words: &[&str]| {
                let mut git = Command::new("git");
                git.args(words).current_dir(folder.path()).env_clear().env("PATH", "/usr/bin:/bin");
                let done = git.env("HOME", folder.path()).output().unwrap();
                assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
            };
            git(&["init", "-q", &format!("--object-format={format}")]);
            for number in 0..30 {
                fs::write(folder.path().join(format!("{}{number}", "a".repeat(number))), "x").unwrap();
            }
            git(&["add", "."]);
            let hash = "1".repeat(if format == "sha1" { 40 } else { 64 });
            for place in ["deep/er/sub", "deep/sub", "z"] {
                git(&["update-index", "--add", "--cacheinfo", &format!("160000,{hash},{place}")]);
            }
            git(&["update-index", "--index-version", version]);
            let found = gitlinks(&folder.path().join(".git"));
            assert_eq!(found, ["deep/er/sub", "deep/sub", "z"].map(PathBuf::from), "{format} {version}");
            git(&["update-index", "--split-index"]);
            assert_eq!(gitlinks(&folder.path().join(".git")).len(), 3, "{format} {version}");
        }
    }

    #[test]
    fn what_is_no_index_names_nothing() {
        for bytes in [&b""[..], b"DIRC", b"DIRC\0\0\0\x02\xff\xff\xff\xff", b"DIRC\0\0\0\x04\0\0\0\x01aaaa"] {
            assert_eq!(links(bytes, 20), None);
        }
        for name in [&b"../x"[..], b"/x", b"a/../b", b""] {
            assert_eq!(below(name), None);
        }
    }
}
