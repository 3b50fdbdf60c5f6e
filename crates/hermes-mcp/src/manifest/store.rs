//! The files of all servers, one each, written whole and by one process at a time.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hermes_host::home::Home;
use hermes_host::private;

use super::agreed::Agreed;
use super::definition::Manifest;
use super::record::Record;

/// When a file was written, which one it is, and how long it is.
pub(crate) type Stamp = (SystemTime, u64, u64);

/// Changes whenever a file is written anew; nothing for none.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let file = std::fs::metadata(path).ok()?;
    Some((file.modified().ok()?, file.ino(), file.len()))
}

/// The folder with what is known of every server.
#[derive(Clone, Debug)]
pub struct ManifestStore {
    folder: PathBuf,
}

impl ManifestStore {
    pub fn of(home: &Home) -> Self {
        ManifestStore { folder: home.root().join("mcp") }
    }

    /// What is known of a server. A damaged file is an error, not a server that was never seen: otherwise whoever
    /// can damage the file could have everything agreed to anew.
    pub fn load(&self, server: &str) -> io::Result<Option<Record>> {
        match std::fs::read(self.path(server)) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
                let path = self.path(server);
                let text = format!(
                    "{} is damaged ({error}); remove it, and 'hermes mcp test {server}' shows its tools anew",
                    path.display()
                );
                io::Error::new(io::ErrorKind::InvalidData, text)
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Changes whenever what is known of a server is written anew.
    pub(crate) fn stamp(&self, server: &str) -> Option<Stamp> {
        stamp(&self.path(server))
    }

    /// Takes note of what a server shows now.
    pub fn observe(&self, server: &str, seen: Manifest, accept_new_tools: bool) -> io::Result<Record> {
        self.update(server, |known| match known {
            None => Record::first(seen),
            Some(mut record) => {
                record.observe(seen, accept_new_tools);
                record
            }
        })
    }

    /// Agrees to what the user was shown of a server. `None` if the server was never seen.
    pub fn accept(&self, server: &str, agreed: &Agreed) -> io::Result<Option<Record>> {
        if self.load(server)?.is_none() {
            return Ok(None);
        }
        let accepted = self.update(server, |known| {
            let mut record = known.unwrap_or_default();
            record.accept(agreed);
            record
        })?;
        Ok(Some(accepted))
    }

    /// Forgets a server; true if it was known.
    pub fn forget(&self, server: &str) -> io::Result<bool> {
        match std::fs::remove_file(self.path(server)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn update(&self, server: &str, change: impl FnOnce(Option<Record>) -> Record) -> io::Result<Record> {
        private::folder(&self.folder)?;
        // Two processes that saw the server at once must not undo each other's agreement.
        let _lock = private::lock(&self.folder.join(".lock"))?;
        let known = self.load(server)?;
        let next = change(known.clone());
        if known.as_ref() != Some(&next) {
            let bytes = serde_json::to_vec_pretty(&next).map_err(io::Error::other)?;
            private::replace(&self.path(server), &bytes)?;
        }
        Ok(next)
    }

    fn path(&self, server: &str) -> PathBuf {
        self.folder.join(format!("{server}.json"))
    }
}
