//! What a folder holds, as one number: consent is bound to it.

use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use hermes_host::plain_file;
use sha2::{Digest, Sha256};

/// The notes of a version control, which nobody reads as code: no manifest may name a program there. Compiled files
/// are not left out, since Python believes them without a look at their source.
const SKIPPED: &[&str] = &[".git"];
const MAX_FILES: usize = 5_000;
const MAX_BYTES: u64 = 256 << 20;

/// SHA-256 over every file's path, mode and content and where every link leads, in order of paths. Links out of the
/// folder and special files are refused: what they lead to could change without a trace here.
pub fn digest_of(folder: &Path) -> Result<String, String> {
    let root = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    gather(&root, &root, &mut files)?;
    files.sort();
    let mut sum = Sha256::new();
    let mut left = MAX_BYTES;
    for file in files {
        let (shown, path) = (file.display(), root.join(&file));
        sum.update(file.as_os_str().as_bytes());
        if let Ok(target) = fs::read_link(&path) {
            sum.update(b"\0link\0");
            sum.update(target.as_os_str().as_bytes());
        }
        if path.is_dir() {
            continue;
        }
        let opened = plain_file::open(&path).map_err(|error| format!("{shown}: {error}"))?;
        let meta = opened.metadata().map_err(|error| format!("{shown}: {error}"))?;
        left = left.checked_sub(meta.len()).ok_or("the plugin is larger than 256 MiB")?;
        sum.update(format!("\0{}\0{}\0", mode(&meta), meta.len()));
        let mut reader = opened.take(meta.len());
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let read = reader.read(&mut chunk).map_err(|error| format!("{shown}: {error}"))?;
            match chunk.get(..read) {
                Some(bytes) if !bytes.is_empty() => sum.update(bytes),
                _ => break,
            }
        }
    }
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The folder and all folders below it that hold something of the plugin, for whoever watches them.
pub fn folders_of(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(entries) = all.get(next).and_then(|folder| fs::read_dir(folder).ok()) {
        next += 1;
        let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        all.extend(folders.map(|entry| entry.path()).filter(|path| !is_skipped(path)));
        if all.len() > MAX_FILES {
            break;
        }
    }
    all
}

/// Whether a path leads out of the plugin or into a folder of it whose content nobody agrees to.
pub(super) fn is_unbound(path: &Path) -> bool {
    path.components().any(|part| match part {
        Component::Normal(name) => is_skipped(Path::new(name)),
        Component::ParentDir => true,
        Component::CurDir | Component::RootDir | Component::Prefix(_) => false,
    })
}

fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    SKIPPED.iter().any(|skipped| name == *skipped)
}

fn mode(meta: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o111
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if is_skipped(&path) {
            continue;
        }
        let target = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        if !target.starts_with(root) {
            return Err(format!("{} leads out of the plugin's folder", path.display()));
        }
        let meta = fs::symlink_metadata(&path).map_err(|error| error.to_string())?;
        if meta.is_dir() {
            gather(root, &path, files)?;
        } else if target.is_file() || target.is_dir() {
            files.push(path.strip_prefix(root).unwrap_or(&path).to_owned());
        } else {
            return Err(format!("{} is no plain file", path.display()));
        }
        if files.len() > MAX_FILES {
            return Err(format!("the plugin has more than {MAX_FILES} files"));
        }
    }
    Ok(())
}
