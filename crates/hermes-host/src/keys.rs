//! The keys that tools need: from the environment, or from `<home>/.env`, where `hermes setup` keeps them.

use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::env::Env;
use crate::env_file::{EnvDocument, EnvFile};
use crate::home::Home;

/// Looks a key up. The environment wins, as it does for every other setting. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Keys {
    env: Env,
    home: Home,
    read: Arc<Mutex<Option<Reading>>>,
}

/// The file as it was read, and what it looked like then.
#[derive(Debug)]
struct Reading {
    stamp: Option<(u64, i64, i64, u64)>,
    document: EnvDocument,
}

impl Keys {
    pub fn new(env: Env, home: Home) -> Self {
        Keys { env, home, read: Arc::default() }
    }

    /// The value of a key that is set and not empty. The file is read again only when it changed.
    pub fn get(&self, name: &str) -> Option<String> {
        if let Some(value) = self.env.get(name) {
            return Some(value.to_owned());
        }
        let meta = std::fs::metadata(self.home.env_file()).ok();
        let stamp = meta.map(|meta| (meta.ino(), meta.mtime(), meta.mtime_nsec(), meta.len()));
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.as_ref().is_none_or(|read| read.stamp != stamp) {
            let document = EnvFile::new(self.home.clone()).read().unwrap_or_default();
            *read = Some(Reading { stamp, document });
        }
        let value = read.as_ref().and_then(|read| read.document.get(name));
        value.filter(|value| !value.is_empty()).map(str::to_owned)
    }
}
