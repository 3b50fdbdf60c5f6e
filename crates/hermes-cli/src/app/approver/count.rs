//! How many files a path stands for, within a moment.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a person waits for a number.
pub(super) const PATIENCE: Duration = Duration::from_millis(200);
const MOST: u64 = 100_000;

/// What was found before time or room ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Missing,
    /// Not a folder.
    One,
    Files {
        files: u64,
        complete: bool,
    },
}

/// Counts everything below a folder that is not a folder itself. Links are counted, not followed.
pub(super) fn count(path: &Path, deadline: Instant) -> Count {
    match path.symlink_metadata() {
        Err(_) => return Count::Missing,
        Ok(meta) if !meta.is_dir() => return Count::One,
        Ok(_) => {}
    }
    let (mut files, mut seen) = (0, 0);
    let mut folders: Vec<PathBuf> = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        // A folder that cannot be read hides what is in it.
        let Ok(entries) = std::fs::read_dir(&folder) else { return Count::Files { files, complete: false } };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MOST || Instant::now() > deadline {
                return Count::Files { files, complete: false };
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => files += 1,
            }
        }
    }
    Count::Files { files, complete: true }
}

/// A number with commas: `1,243`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_within_limits() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        for index in 0..5 {
            std::fs::write(root.join(format!("a/b/{index}")), "").unwrap();
        }
        std::os::unix::fs::symlink("/", root.join("a/link")).unwrap();
        let soon = Instant::now() + PATIENCE;
        assert_eq!(count(root, soon), Count::Files { files: 6, complete: true });
        assert_eq!(count(&root.join("a/b/1"), soon), Count::One);
        assert_eq!(count(&root.join("nowhere"), soon), Count::Missing);
        let past = Instant::now() - Duration::from_millis(1);
        assert!(matches!(count(root, past), Count::Files { complete: false, .. }));
        assert_eq!(
            (grouped(7), grouped(1_243), grouped(1_000_000)),
            ("7".into(), "1,243".into(), "1,000,000".into())
        );
    }
}
