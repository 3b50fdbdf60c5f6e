//! A repository that was not there before is no harm as long as git runs nothing for it: `git init` and `git clone`
//! make such ones.

use std::fs;
use std::path::{Path, PathBuf};

use super::git_settings::run_nothing;
use super::repository::Repository;
use crate::spot::read_short;

/// What of a new place makes programs run: all of it, but of a repository only that.
pub(super) fn what_runs(path: &Path) -> Vec<PathBuf> {
    let is_head = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("HEAD"));
    let parts = match path.parent() {
        // The parts of a repository without a folder of its own may be somebody's own files, but not this one.
        Some(around) if is_head => return head_that_runs(path, around),
        _ if Repository::is_at(path) => Repository::at(path, path).protected,
        Some(around) if Repository::is_at(around) => vec![path.to_owned()],
        _ => return vec![path.to_owned()],
    };
    parts.into_iter().filter(|part| is_there(part) && !is_harmless(part)).collect()
}

/// What makes a repository of a folder with settings or hooks in it that run something.
fn head_that_runs(head: &Path, around: &Path) -> Vec<PathBuf> {
    let runs = |part: &PathBuf| is_there(part) && !is_harmless(part);
    let runs = Repository::is_bare_at(around) && Repository::at(around, around).protected.iter().any(runs);
    if runs { vec![head.to_owned()] } else { Vec::new() }
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Longer settings are not looked through.
const LONGEST: u64 = 1024 * 1024;

/// What a file says that commands may have made: no link is followed, and no pipe keeps us waiting.
fn said(part: &Path) -> Option<Vec<u8>> {
    read_short(part, LONGEST).ok().map(|(text, _)| text)
}

fn is_harmless(part: &Path) -> bool {
    match part.file_name().and_then(|name| name.to_str()) {
        Some("hooks") => only_samples(part),
        Some("config" | "config.worktree") => {
            said(part).and_then(|text| String::from_utf8(text).ok()).is_some_and(|text| run_nothing(&text))
        }
        Some("commondir") => said(part).is_some_and(|text| leads_back(part, &text)),
        _ => false,
    }
}

/// The parts of work trees lead to the repository that they lie in; what leads to itself leads nowhere.
pub(super) fn leads_back(commondir: &Path, text: &[u8]) -> bool {
    let above = commondir.ancestors().nth(2).and_then(Path::file_name);
    let of_work_tree = above.is_some_and(|name| name == "worktrees");
    let text = text.trim_ascii_end();
    text == b"." || of_work_tree && text == b"../.."
}

/// Git runs no hook whose name ends like this.
fn only_samples(hooks: &Path) -> bool {
    let is_folder = fs::symlink_metadata(hooks).is_ok_and(|facts| facts.is_dir());
    is_folder
        && fs::read_dir(hooks)
            .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| is_sample(&entry.path()))))
}

fn is_sample(hook: &Path) -> bool {
    is_plain_file(hook) && hook.extension().is_some_and(|end| end == "sample")
}

fn is_plain_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file())
}
