//! What the user has agreed to, by exact content: project configuration files and hook scripts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use hermes_host::home::Home;
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// SHA-256 as hexadecimal text.
pub(crate) fn digest(content: impl AsRef<[u8]>) -> String {
    Sha256::digest(content.as_ref()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The list of trusted digests, one per line with a note of what it was.
#[derive(Clone, Debug)]
pub(crate) struct TrustStore {
    home: Home,
}

impl TrustStore {
    pub(crate) fn of(home: &Home) -> Self {
        TrustStore { home: home.clone() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.home.root().join("trusted")
    }

    /// All digests the user has agreed to.
    pub(crate) fn digests(&self) -> Result<Vec<String>, Failure> {
        let text = match std::fs::read_to_string(self.path()) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Failure::io("the list of trusted files")(error)),
        };
        let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
        Ok(text.lines().filter_map(first_word).collect())
    }

    pub(crate) fn add(&self, digest: &str, what: &str) -> Result<(), Failure> {
        if self.digests()?.iter().any(|known| known == digest) {
            return Ok(());
        }
        self.home.ensure()?;
        let line = format!("{digest} {}\n", what.replace(['\n', '\r'], " "));
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.path())
            .map_err(Failure::io("the list of trusted files"))?;
        file.write_all(line.as_bytes()).map_err(Failure::io("the list of trusted files"))
    }

    /// Forgets digests; true if any was known.
    pub(crate) fn remove(&self, digests: &BTreeSet<String>) -> Result<bool, Failure> {
        let Ok(text) = std::fs::read_to_string(self.path()) else { return Ok(false) };
        let forgotten =
            |line: &str| line.split_whitespace().next().is_some_and(|word| digests.contains(word));
        let kept: String =
            text.lines().filter(|line| !forgotten(line)).flat_map(|line| [line, "\n"]).collect();
        let changed = kept != text;
        if changed {
            let next = self.path().with_extension("new");
            std::fs::write(&next, kept)
                .and_then(|()| std::fs::rename(&next, self.path()))
                .map_err(Failure::io("the list of trusted files"))?;
        }
        Ok(changed)
    }
}
