//! The file itself: locked while it is edited, replaced as a whole, readable by its owner only.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use hermes_core::{ErrorCode, ToolError};

use super::document::EnvDocument;
use crate::home::Home;
use crate::state::files::{self, Sync};
use crate::state::{fault, file_fault};

const MAX_BYTES: u64 = 1 << 20;

/// The `.env` file of a home. Its methods touch the disk: not for async threads.
#[derive(Clone, Debug)]
pub struct EnvFile {
    home: Home,
}

impl EnvFile {
    pub fn new(home: Home) -> Self {
        EnvFile { home }
    }

    pub fn is_there(&self) -> bool {
        self.home.env_file().exists()
    }

    /// The file as it is now. A missing file is an empty one.
    pub fn read(&self) -> Result<EnvDocument, ToolError> {
        let unreadable = |error: io::Error| file_fault("the .env file could not be read", &error);
        let file = match File::open(self.home.env_file()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(EnvDocument::default()),
            Err(error) => return Err(unreadable(error)),
        };
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(ToolError::new(ErrorCode::TooLarge, "the .env file is larger than a megabyte"));
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| fault("the .env file is not UTF-8 text", error.utf8_error()))?;
        Ok(EnvDocument::parse(&text))
    }

    pub fn get(&self, name: &str) -> Result<Option<String>, ToolError> {
        Ok(self.read()?.get(name).map(str::to_owned))
    }

    pub fn set(&self, name: &str, value: &str) -> Result<(), ToolError> {
        self.edit(|document| document.set(name, value))
    }

    /// Says whether the variable was there.
    pub fn unset(&self, name: &str) -> Result<bool, ToolError> {
        self.edit(|document| Ok(document.unset(name)))
    }

    /// Reads, changes and writes under a kernel lock, so that two processes lose no edit.
    pub fn edit<T>(
        &self,
        change: impl FnOnce(&mut EnvDocument) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let unwritable = |error: io::Error| file_fault("the .env file could not be written", &error);
        self.home.ensure()?;
        // Beside the file, which is replaced and so cannot carry the lock itself.
        let _lock = files::lock(&self.home.root().join(".env.lock")).map_err(unwritable)?;
        let before = self.read()?;
        let mut document = before.clone();
        let answer = change(&mut document)?;
        if document != before {
            files::replace(&self.target(), document.to_text().as_bytes(), Sync::Yes).map_err(unwritable)?;
        }
        Ok(answer)
    }

    /// Where the text goes: through a symlink, so that a `.env` kept elsewhere stays there.
    fn target(&self) -> PathBuf {
        let path = self.home.env_file();
        fs::canonicalize(&path).unwrap_or(path)
    }
}
