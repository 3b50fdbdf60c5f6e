//! A small list of Hermes's own as one JSON file in its home, changed by one process at a time and never seen
//! half-written.

use std::marker::PhantomData;
use std::path::PathBuf;

use hermes_core::{ErrorCode, ToolError};
use hermes_host::home::Home;
use hermes_host::{plain_file, private};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Hundreds of plugins with all their schemas.
const MAX_BYTES: u64 = 64 << 20;

/// The file `<home>/<name>` with a `T` in it; no file is an empty `T`.
#[derive(Clone, Debug)]
pub(crate) struct Kept<T> {
    home: Home,
    name: &'static str,
    /// What it is, for messages.
    what: &'static str,
    holds: PhantomData<fn() -> T>,
}

impl<T: Default + Serialize + DeserializeOwned> Kept<T> {
    pub(crate) fn new(home: &Home, name: &'static str, what: &'static str) -> Self {
        Kept { home: home.clone(), name, what, holds: PhantomData }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.home.root().join(self.name)
    }

    pub(crate) fn read(&self) -> Result<T, ToolError> {
        let text = match plain_file::read_text(&self.path(), MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(T::default()),
            Err(error) => return Err(self.fault("could not be read", &error)),
        };
        serde_json::from_str(&text).map_err(|error| self.fault("is damaged", &error))
    }

    pub(crate) fn edit(&self, change: impl FnOnce(&mut T)) -> Result<(), ToolError> {
        self.home.ensure()?;
        let unwritable = |error: &dyn std::fmt::Display| self.fault("could not be written", error);
        let lock = self.home.root().join(format!("{}.lock", self.name));
        let _lock = private::lock(&lock).map_err(|error| unwritable(&error))?;
        let mut list = self.read()?;
        change(&mut list);
        let text = serde_json::to_string_pretty(&list).map_err(|error| unwritable(&error))?;
        private::replace(&self.path(), text.as_bytes()).map_err(|error| unwritable(&error))
    }

    fn fault(&self, happened: &str, error: &dyn std::fmt::Display) -> ToolError {
        ToolError::new(ErrorCode::Internal, format!("{} {happened}", self.what))
            .with_operator(error.to_string())
    }
}
