//! Where plugins lie: the user's own, the project's and the system's.

use std::path::{Path, PathBuf};

use hermes_host::home::Home;
use serde::{Deserialize, Serialize};

use super::manifest::{MANIFEST, is_id};

/// Whose plugin it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// `<home>/plugins`: the user put it there.
    User,
    /// `.hermes/plugins` of the working folder: it came with the project, and whoever can change the
    /// project can change it.
    Project,
    /// Installed for all users of the machine.
    System,
}

impl Place {
    pub const fn as_str(self) -> &'static str {
        match self {
            Place::User => "user",
            Place::Project => "project",
            Place::System => "system",
        }
    }
}

/// A folder with a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name of the folder, which is the plugin's id.
    pub id: String,
    pub folder: PathBuf,
    pub place: Place,
}

/// The places that are searched.
#[derive(Clone, Debug)]
pub struct Folders {
    roots: Vec<(Place, PathBuf)>,
}

impl Folders {
    pub fn new(home: &Home, cwd: &Path) -> Self {
        Folders {
            roots: vec![
                (Place::User, home.root().join("plugins")),
                (Place::Project, cwd.join(".hermes/plugins")),
                (Place::System, PathBuf::from("/usr/local/share/hermes/plugins")),
                (Place::System, PathBuf::from("/usr/share/hermes/plugins")),
            ],
        }
    }

    /// Where the user's own plugins go.
    pub fn user(&self) -> &Path {
        self.roots.iter().find(|(place, _)| *place == Place::User).map_or(Path::new("/"), |(_, root)| root)
    }

    /// Every plugin, sorted by id; of several with one id the first place counts.
    pub fn all(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for (place, root) in &self.roots {
            let Ok(entries) = std::fs::read_dir(root) else { continue };
            for folder in entries.flatten().map(|entry| entry.path()) {
                let Some(id) = folder.file_name().and_then(|name| name.to_str()) else { continue };
                if is_id(id) && folder.join(MANIFEST).is_file() && !found.iter().any(|known| known.id == id) {
                    found.push(Found { id: id.to_owned(), place: *place, folder: folder.clone() });
                }
            }
        }
        found.sort_by(|left, right| left.id.cmp(&right.id));
        found
    }

    pub fn find(&self, id: &str) -> Option<Found> {
        self.all().into_iter().find(|found| found.id == id)
    }
}
