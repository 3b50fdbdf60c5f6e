//! The secret that a client of the HTTP server must know. It is made once and stays in a file that only the user can
//! read.

use std::io;
use std::path::PathBuf;

use hermes_host::home::Home;
use hermes_host::private;
use sha2::{Digest, Sha256};

/// Shorter ones could be guessed.
const SHORTEST: usize = 16;

/// The token of this user's server.
#[derive(Clone)]
pub struct ServeToken {
    secret: String,
}

impl ServeToken {
    /// A token that the user chose.
    pub fn chosen(secret: &str) -> Result<Self, String> {
        let secret = secret.trim();
        if secret.len() < SHORTEST || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!("a token has at least {SHORTEST} letters, digits or signs and no spaces"));
        }
        Ok(ServeToken { secret: secret.to_owned() })
    }

    /// The token of this user, made at the first call.
    pub fn of(home: &Home) -> io::Result<Self> {
        let path = Self::file(home);
        match std::fs::read_to_string(&path) {
            Ok(secret) => Self::chosen(&secret).map_err(|reason| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}: {reason}", path.display()))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let secret = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
                private::folder(path.parent().unwrap_or(home.root()))?;
                private::replace(&path, format!("{secret}\n").as_bytes())?;
                Ok(ServeToken { secret })
            }
            Err(error) => Err(error),
        }
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
        shown.is_some_and(|shown| Sha256::digest(shown) == Sha256::digest(&self.secret))
    }
}
