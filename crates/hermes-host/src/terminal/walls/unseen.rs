//! What a command does not see.

use std::path::{Path, PathBuf};

use hermes_core::ports::Conversation;

use super::scene::{ANY_FILE, Scene, entries};
use crate::places::NESTED;
use crate::workspace::SecondNames;

/// Hermes itself, what the rules would not let a file tool read without asking, and second names of such files where a
/// command may write.
pub(super) fn hidden(scene: &Scene<'_>, writable: &[PathBuf]) -> Vec<PathBuf> {
    let home = scene.ground.user_home;
    let looked_into = [home.to_owned(), PathBuf::from("/etc")];
    let looked_into = looked_into.into_iter().chain(NESTED.iter().map(|name| home.join(name)));
    let closed = looked_into.flat_map(|folder| entries(&folder)).chain(scene.elsewhere.iter().cloned());
    let closed = closed.filter(|place| !scene.may_read(place));
    // In its own folder a command reads what a tool would ask for, but not what is closed to everybody.
    let denied = scene.mine.iter().filter(|place| scene.is_denied_to_readers(place)).cloned();
    let mut hidden: Vec<PathBuf> = std::iter::once(scene.ground.hermes_home.to_owned())
        .chain(closed)
        .chain(denied)
        .filter(|path| !scene.sandbox.readable.iter().any(|open| path.starts_with(open)))
        .filter(|path| !writable.iter().any(|folder| folder.starts_with(path)))
        .flat_map(|path| scene.agreed.rest_of(path))
        .collect();
    // What a command may write in is where a second name of a hidden file does harm.
    let second_names = SecondNames::of(home, scene.ground.hermes_home).below(writable);
    let unseen = second_names.into_iter().filter(|(_, first)| !scene.agreed.read.contains(first));
    hidden.extend(unseen.map(|(second, _)| second));
    hidden.sort();
    hidden.dedup();
    hidden
}

/// Of its own folder Hermes shows what the rules let everybody read, and hides what may come later. A file tool leaves
/// out what is secret in a file; a command would turn it into something that nobody knows again, so it does not see the
/// file.
pub(super) fn shown(scene: &Scene<'_>, hidden: &[PathBuf], rules: &dyn Conversation) -> Vec<PathBuf> {
    let own = scene.ground.hermes_home;
    if !hidden.iter().any(|path| path == own) {
        return Vec::new();
    }
    let is_clean = |file: &Path| std::fs::read_to_string(file).is_ok_and(|text| !rules.holds_secrets(&text));
    let is_shown = |entry: &Path| match std::fs::symlink_metadata(entry) {
        Ok(facts) if facts.is_dir() => scene.may_read(&entry.join(ANY_FILE)),
        Ok(facts) => facts.is_file() && scene.may_read(entry) && is_clean(entry),
        Err(_) => false,
    };
    entries(own).into_iter().filter(|entry| is_shown(entry)).collect()
}
