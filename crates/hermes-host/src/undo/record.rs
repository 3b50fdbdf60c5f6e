//! One record: a call and the files it was about to change.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::workspace::{meant, spelled};

/// One call and what it was about to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoRecord {
    /// Sorts by time.
    pub id: String,
    /// The call, as the model named it; not unique.
    pub call: String,
    /// What calls of one request have in common.
    pub turn: String,
    pub session: String,
    /// Milliseconds since the epoch.
    pub at_ms: i64,
    pub files: Vec<UndoFile>,
    /// Folders that were made for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<MadeFolder>,
    /// The records that this change took back, if it was an undo itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undoes: Vec<String>,
}

impl UndoRecord {
    /// Whether it changed anything beneath a folder.
    pub fn touches(&self, folder: &Path) -> bool {
        self.files.iter().any(|file| file.path.starts_with(folder))
    }

    /// Whether both belong to one request.
    pub(super) fn is_of_turn(&self, other: &UndoRecord) -> bool {
        self.session == other.session && self.turn == other.turn
    }
}

/// One file of a record. Paths are absolute and free of links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoFile {
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    pub path: PathBuf,
    pub before: FileState,
    pub after: FileState,
}

/// A folder that a change needed and nobody had made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MadeFolder(#[serde(serialize_with = "as_text", deserialize_with = "from_text")] pub PathBuf);

/// Names of files need not be text, and records are.
fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&spelled(path))
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    String::deserialize(deserializer).map(|text| meant(&text).into_owned())
}

/// What stood, or was to stand, at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum FileState {
    Absent,
    Content {
        sha256: String,
        size: u64,
        /// Permission bits.
        mode: u32,
        /// User and group; records of earlier versions lack them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<(u32, u32)>,
    },
    /// The content was not kept, because it was too large or could not be read.
    NotKept {
        size: u64,
    },
}

impl FileState {
    /// Whether both have the same content; permission bits are not content.
    pub fn is_same(&self, other: &FileState) -> bool {
        match (self, other) {
            (FileState::Absent, FileState::Absent) => true,
            (FileState::Content { sha256, .. }, FileState::Content { sha256: other, .. }) => sha256 == other,
            _ => false,
        }
    }

    pub fn sha256(&self) -> Option<&str> {
        match self {
            FileState::Content { sha256, .. } => Some(sha256),
            FileState::Absent | FileState::NotKept { .. } => None,
        }
    }
}

/// A change that is about to happen to one file.
pub(crate) struct Touch<'a> {
    pub(crate) path: &'a Path,
    /// `None` if nothing is there.
    pub(crate) before: Option<Before<'a>>,
    /// SHA-256 and size of what will be there; `None` if nothing will.
    pub(crate) after: Option<(&'a str, u64)>,
}

/// What is there now.
pub(crate) struct Before<'a> {
    /// `None` if it is too large or cannot be read.
    pub(crate) content: Option<&'a [u8]>,
    pub(crate) size: u64,
    pub(crate) mode: u32,
    /// User and group.
    pub(crate) owner: (u32, u32),
}
