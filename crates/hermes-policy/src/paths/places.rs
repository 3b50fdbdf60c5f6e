//! Where the person, the runtime and the work live.

use std::path::{Path, PathBuf};

/// Folders that anybody's temporary files go to.
const TEMP: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];

/// Who is at the path: a file tool replaces whole files, a command also talks to devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Door {
    /// File tools. Devices are refused; ordinary files of the person's home may be written.
    #[default]
    Tools,
    /// Commands. `/dev/null` and its like are streams; writing outside the workspace asks.
    Shell,
}

/// The folders that a judgement depends on, absolute and free of `..` and, as far as known, of links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The home folder of the person Hermes works for.
    pub home: PathBuf,
    /// Hermes's own state.
    pub hermes_home: PathBuf,
    /// The workspace, and whatever else was opened for work.
    pub roots: Vec<PathBuf>,
    pub temp: Vec<PathBuf>,
    pub door: Door,
}

impl Places {
    /// File tools in one workspace, with the usual temporary folders.
    pub fn new(
        home: impl Into<PathBuf>,
        hermes_home: impl Into<PathBuf>,
        roots: impl IntoIterator<Item = PathBuf>,
    ) -> Self {
        Places {
            home: home.into(),
            hermes_home: hermes_home.into(),
            roots: roots.into_iter().collect(),
            temp: TEMP.iter().map(PathBuf::from).collect(),
            door: Door::Tools,
        }
    }

    #[must_use]
    pub fn for_shell(mut self) -> Self {
        self.door = Door::Shell;
        self
    }

    /// The innermost place that holds the path; of equals the workspace comes first.
    pub(super) fn holding(&self, path: &Path) -> Option<Holder> {
        let roots = self.roots.iter().map(|root| (Holder::Root, root));
        let temp = self.temp.iter().map(|temp| (Holder::Temp, temp));
        let mut found: Option<(Holder, usize)> = None;
        for (holder, place) in roots.chain(std::iter::once((Holder::Home, &self.home))).chain(temp) {
            if !path.starts_with(place) {
                continue;
            }
            let depth = place.components().count();
            if found.is_none_or(|(_, deepest)| depth > deepest) {
                found = Some((holder, depth));
            }
        }
        found.map(|(holder, _)| holder)
    }

    /// Whether the path is one of the places, or a folder above the workspace or the home.
    pub(super) fn is_above(&self, path: &Path) -> bool {
        self.roots.iter().chain([&self.home]).any(|place| place.starts_with(path))
            || self.temp.iter().any(|place| place == path)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Root,
    Home,
    Temp,
}
