//! Follows CONTRIBUTING.md word by word in a copy of the repository: writes the files it shows, makes the
//! edits it shows, runs the commands it shows and compares what they print.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::markdown::{Block, blocks, run, steps};

/// What the build of the copy needs.
const COPIED: &[&str] = &[
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "benches",
    "clippy.toml",
    "crates",
    "docs",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "sdk",
    "xtask",
];

type Files = BTreeMap<PathBuf, String>;

#[test]
fn a_tool_in_ten_minutes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let page = std::fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let mut files = Files::new();
    for part in COPIED {
        read(&root.join(part), Path::new(part), &mut files);
    }
    let before = files.clone();
    let blocks = blocks(&page);
    let written: Vec<PathBuf> = blocks.iter().filter_map(|block| apply(block, &mut files)).collect();
    assert!(written.len() >= 4, "the page shows the files of the tool");
    rename_changed(&before, &mut files);

    // Always the same place, so that a second run builds only what has changed.
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contributing");
    sync(&copy, &files);
    for part in COPIED {
        copy_weights(&root.join(part), &copy.join(part));
    }
    let same = before.iter().filter(|(path, text)| files.get(*path) == Some(text));
    // Also of folders, since build scripts look at whole folders.
    let same: BTreeSet<&Path> = same.flat_map(|(path, _)| path.ancestors()).collect();
    for path in same.into_iter().filter(|path| path.parent().is_some()) {
        keep_time(&root.join(path), &copy.join(path));
    }
    std::fs::create_dir_all(copy.join("target")).unwrap();
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(&copy).args(["--check", "--edition", "2024"]).args(&written);
    assert!(rustfmt.status().unwrap().success(), "the files of the page are not formatted");
    let shown = blocks.iter().filter(|block| block.language == "console");
    for step in shown.flat_map(|block| steps(&block.body)) {
        run(&step, shell(&copy));
    }
    let mut own = Command::new(env!("CARGO_BIN_EXE_hermes"));
    own.args(["tools", "show", "word_count"]).env("HERMES_HOME", copy.join("target/home"));
    assert!(!own.status().unwrap().success(), "the copy has replaced the binary under test");
}

/// Cargo names what it builds after package and version, not after the folder. With a version of their own, crates that
/// the page changes share a build folder with those of the repository and never get into their way. The others are the
/// same crates, and are not built once more.
fn rename_changed(before: &Files, files: &mut Files) {
    let is_changed = |(path, text): &(&PathBuf, &String)| before.get(*path) != Some(*text);
    let crate_of = |path: &PathBuf| path.iter().take(2).collect::<PathBuf>().join("Cargo.toml");
    let changed: BTreeSet<PathBuf> =
        files.iter().filter(is_changed).map(|(path, _)| crate_of(path)).collect();
    for path in changed {
        let manifest = files.get_mut(&path).unwrap_or_else(|| panic!("there is no {}", path.display()));
        let (old, new) = ("\nversion.workspace = true\n", "\nversion = \"0.0.0-contributing\"\n");
        assert_eq!(manifest.matches(old).count(), 1, "{}", path.display());
        *manifest = manifest.replace(old, new);
    }
}

/// Cargo builds anew what was written after it was built.
fn keep_time(from: &Path, to: &Path) {
    let time = |path: &Path| path.metadata().unwrap().modified().unwrap();
    if time(from) != time(to) {
        std::fs::File::open(to).unwrap().set_modified(time(from)).unwrap();
    }
}

/// A file shown or changed by the page; the path if it is a new one.
fn apply(block: &Block<'_>, files: &mut Files) -> Option<PathBuf> {
    let (kind, path) = block.note?.split_once(": ")?;
    let path = PathBuf::from(path);
    match kind {
        "file" => {
            let before = files.insert(path.clone(), block.body.clone());
            assert_eq!(before, None, "{} is there already", path.display());
            Some(path)
        }
        "edit" => {
            let text = files.get_mut(&path).unwrap_or_else(|| panic!("there is no {}", path.display()));
            *text = edited(text, &block.body).unwrap_or_else(|count| {
                panic!("{}: the lines of the edit stand there {count} times", path.display())
            });
            None
        }
        other => panic!("'{other}' is neither file nor edit"),
    }
}

/// Replaces the context and `-` lines, which must stand exactly once, by the context and `+` lines.
fn edited(text: &str, diff: &str) -> Result<String, usize> {
    let side = |other: char| -> String {
        let kept = diff.lines().filter(|line| !line.starts_with(other));
        kept.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
    };
    let (old, new) = (side('+'), side('-'));
    match text.matches(&old).count() {
        1 => Ok(text.replace(&old, &new)),
        count => Err(count),
    }
}

/// Reads a file, or a folder with everything in it.
fn read(from: &Path, name: &Path, into: &mut Files) {
    if from.is_dir() {
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            read(&entry.path(), &name.join(entry.file_name()), into);
        }
    } else if let Ok(text) = std::fs::read_to_string(from) {
        into.insert(name.to_owned(), text);
    }
}

/// Copies what is no text, such as the weights of the encoder; nothing on the way changes those.
fn copy_weights(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy_weights(&entry.path(), &to.join(entry.file_name()));
        }
    } else if std::fs::read_to_string(from).is_err() {
        if std::fs::metadata(to).map(|there| there.len()).ok() != Some(from.metadata().unwrap().len()) {
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(from, to).unwrap();
        }
        keep_time(from, to);
    }
}

/// Makes the folder hold exactly these files. What has not changed keeps its time, so Cargo sees nothing new.
fn sync(folder: &Path, files: &Files) {
    let mut there = Files::new();
    if folder.exists() {
        for part in COPIED {
            read(&folder.join(part), Path::new(part), &mut there);
        }
    }
    for gone in there.keys().filter(|path| !files.contains_key(*path)) {
        std::fs::remove_file(folder.join(gone)).unwrap();
    }
    for (path, text) in files.iter().filter(|(path, text)| there.get(*path) != Some(text)) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// A shell in the copy. Its Cargo shares what it builds on the way with the Cargo that built this test, and
/// puts what it ends with into the copy: libraries are not built twice, and no binary is replaced.
fn shell(copy: &Path) -> Command {
    let mut shell = Command::new("bash");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        // `OUT_DIR` is that of this test's own package; build scripts that look at it would run anew.
        let is_own = text.starts_with("CARGO") || text.starts_with("NEXTEST") || text == "OUT_DIR";
        // How everything was built before is how it is built here.
        let is_asked_for = text.starts_with("CARGO_PROFILE_") || text == "CARGO_INCREMENTAL";
        if text != "CARGO_HOME" && is_own && !is_asked_for {
            shell.env_remove(&name);
        }
    }
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    shell
        .current_dir(copy)
        .env("CARGO_BUILD_BUILD_DIR", shared)
        .env("CARGO_TARGET_DIR", copy.join("target"))
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TERM_COLOR", "never")
        .env("HERMES_HOME", copy.join("target/home"));
    shell
}
