//! What was at one place, to be compared and put back. No link is followed, neither to read nor to write.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::spot::{Spot, read_short};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Copied {
    File {
        #[serde(serialize_with = "encode", deserialize_with = "decode")]
        bytes: Vec<u8>,
        mode: u32,
    },
    Link(PathBuf),
    /// Only what changes with it is known.
    Other(String),
}

impl Copied {
    /// Of what is longer only the marks.
    pub(super) fn of(path: &Path, longest: u64) -> Option<Self> {
        if let Ok(target) = fs::read_link(path) {
            return if target.to_str().is_some() { Some(Copied::Link(target)) } else { Copied::other(path) };
        }
        match read_short(path, longest) {
            Ok((bytes, mode)) => Some(Copied::File { bytes, mode }),
            Err(_) => Copied::other(path),
        }
    }

    /// What changes with it.
    pub(super) fn other(path: &Path) -> Option<Self> {
        let facts = fs::symlink_metadata(path).ok()?;
        let marks = (facts.dev(), facts.ino(), facts.len(), facts.ctime(), facts.ctime_nsec());
        Some(Copied::Other(format!("{marks:?}")))
    }

    /// Tells it from anything else, and says nothing of what is in it.
    pub(super) fn mark(&self) -> String {
        let (kind, bytes) = match self {
            Copied::File { bytes, mode } => (format!("file {mode:o}"), bytes.as_slice()),
            Copied::Link(target) => ("link".to_owned(), target.as_os_str().as_bytes()),
            Copied::Other(marks) => ("other".to_owned(), marks.as_bytes()),
        };
        STANDARD.encode(Sha256::new().chain_update(kind).chain_update([0]).chain_update(bytes).finalize())
    }

    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Copied::File { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// Fails where anything is there.
    pub(super) fn put_back(&self, path: &Path) -> io::Result<()> {
        let spot = Spot::at(path)?;
        match self {
            Copied::File { bytes, mode } => {
                let mut file = spot.make_file(0o600)?;
                file.write_all(bytes)?;
                file.set_permissions(fs::Permissions::from_mode(*mode))
            }
            Copied::Link(target) => Ok(spot.make_link(target)?),
            Copied::Other(_) => Ok(()),
        }
    }
}

fn encode<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&STANDARD.encode(bytes))
}

fn decode<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
}
