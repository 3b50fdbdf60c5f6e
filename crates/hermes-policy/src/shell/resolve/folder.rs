//! The folder a script is in: where `cd` leads, and what `pwd` prints there.

use super::super::model::{Command, Word};
use super::super::reader::LONGEST_PATH;
use super::Resolver;
use super::env;
use super::lookup::Found;

/// Folders that every system has, so that going there cannot fail.
const ALWAYS_THERE: [&str; 14] = [
    "/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/opt", "/proc", "/root", "/sbin", "/tmp", "/usr",
    "/var",
];

impl Resolver<'_> {
    pub(super) fn change_directory(&mut self, words: &[Word], merge: bool) {
        let target = words.iter().find(|word| !word.shown().starts_with('-') || word.shown() == "-");
        let before = match self.look_up("PWD") {
            Found::Value(value) => Some(value),
            _ => None,
        };
        let path = match target {
            None => Some(self.home.to_owned()),
            Some(word) if word.literal().as_deref() == Some("-") => match self.look_up("OLDPWD") {
                Found::Value(value) => env::literal(&value),
                _ => None,
            },
            Some(word) => word.literal(),
        };
        let base = before.as_ref().and_then(|value| env::literal(value));
        let now = path.and_then(|path| joined(base.as_deref(), &path));
        self.assign_text("OLDPWD", before, merge);
        self.assign_text("PWD", now.map(env::text), merge);
    }

    /// What `cd` and `pwd` print, where that is certain. A `cd` that may fail leaves the shell where it was,
    /// or what stands behind `&&` unrun: then nothing is.
    pub(super) fn printed_folder(&mut self, command: &Command) -> Option<String> {
        let (name, options) = command.words.split_first()?;
        match env::plain(name)? {
            "cd" if self.is_always_there() && options.len() < 2 => Some(String::new()),
            "pwd" if options.iter().all(|word| word.shown().starts_with('-')) => {
                self.folder().map(|folder| format!("{folder}\n"))
            }
            _ => None,
        }
    }

    /// Whether the folder just gone to is one that cannot be missing.
    pub(super) fn is_always_there(&mut self) -> bool {
        let folder = self.folder().unwrap_or_default();
        folder == self.home || ALWAYS_THERE.contains(&folder.as_str())
    }

    fn folder(&mut self) -> Option<String> {
        match self.look_up("PWD") {
            Found::Value(value) => env::literal(&value),
            _ => None,
        }
    }
}

/// The path that `cd` leads to, as the shell writes it. No system goes to one that is too long.
pub(crate) fn joined(base: Option<&str>, path: &str) -> Option<String> {
    if base.map_or(0, str::len).saturating_add(path.len()) > LONGEST_PATH {
        return None;
    }
    let base = if path.starts_with('/') { "" } else { base?.trim_end_matches('/') };
    Some(walked(base, path))
}

/// A folder without a slash at its end, and the way from there: without `.`, `..` and doubled slashes.
pub(crate) fn walked(base: &str, path: &str) -> String {
    let mut whole = String::with_capacity(base.len().saturating_add(path.len()).saturating_add(1));
    whole.push_str(base);
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => whole.truncate(whole.rfind('/').unwrap_or(0)),
            part => {
                whole.push('/');
                whole.push_str(part);
            }
        }
    }
    if whole.is_empty() {
        whole.push('/');
    }
    whole
}
