//! The secret that a client of the HTTP server must know. It stays in a file that only the user can read, and another
//! one in the file counts from the next request on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_host::home::Home;
use hermes_host::private;
use sha2::{Digest, Sha256};

use crate::manifest::{Stamp, stamp};

/// Shorter ones could be guessed.
const SHORTEST: usize = 16;

/// The token of this user's server. Clones share it.
#[derive(Clone)]
pub struct ServeToken {
    file: PathBuf,
    /// As it was when the file was last read; nothing while there is none.
    read: Arc<Mutex<(Option<Stamp>, Option<String>)>>,
}

impl ServeToken {
    /// The token that the user put into a file.
    pub fn in_file(file: &Path) -> io::Result<Self> {
        let before = stamp(file);
        let secret = read(file)?;
        Ok(ServeToken { file: file.to_owned(), read: Arc::new(Mutex::new((before, Some(secret)))) })
    }

    /// The token of this user, made at the first call.
    pub fn of(home: &Home) -> io::Result<Self> {
        let path = Self::file(home);
        if !path.try_exists()? {
            let secret = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
            private::folder(path.parent().unwrap_or(home.root()))?;
            private::replace(&path, format!("{secret}\n").as_bytes())?;
        }
        Self::in_file(&path)
    }

    /// Where the user's token is kept.
    pub fn file(home: &Home) -> PathBuf {
        home.root().join("mcp").join("serve-token")
    }

    /// Whether an `Authorization` header shows the token. Digests are compared, so that the time it takes tells
    /// nothing.
    pub(super) fn is_shown_by(&self, header: Option<&str>) -> bool {
        let shown = header.and_then(|header| {
            let (scheme, token) = header.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let secret = self.secret();
        shown.zip(secret).is_some_and(|(shown, secret)| Sha256::digest(shown) == Sha256::digest(&secret))
    }

    /// The token as the file has it now. Without a good one in it nobody comes in.
    fn secret(&self) -> Option<String> {
        let mut read_before = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stamp(&self.file);
        if now.is_none() || read_before.0 != now {
            *read_before = (now, read(&self.file).ok());
        }
        read_before.1.clone()
    }
}

fn read(file: &Path) -> io::Result<String> {
    let text = std::fs::read_to_string(file)?;
    let secret = text.trim();
    if secret.len() < SHORTEST || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        let reason = format!("a token has at least {SHORTEST} letters, digits or signs and no spaces");
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{}: {reason}", file.display())));
    }
    Ok(secret.to_owned())
}
