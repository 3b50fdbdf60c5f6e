//! One file a server, readable by its owner only: the tokens, and whether the server wants a login.

use std::io;
use std::path::PathBuf;

use hermes_host::home::Home;
use hermes_host::private;
use rmcp::transport::auth::{AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};

/// The folder with what is known of logins.
#[derive(Clone, Debug)]
pub struct LoginStore {
    folder: PathBuf,
}

#[derive(Default, Serialize, Deserialize)]
struct Login {
    /// What the server said when it last wanted to know who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wanted: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credentials: Option<StoredCredentials>,
}

impl LoginStore {
    pub fn of(home: &Home) -> Self {
        LoginStore { folder: home.root().join("mcp").join("logins") }
    }

    /// Whether the server wants a login that it does not have.
    pub fn is_wanted(&self, server: &str) -> bool {
        self.read(server).is_ok_and(|login| login.wanted.is_some())
    }

    /// Whether there are tokens for a server.
    pub fn has_tokens(&self, server: &str) -> bool {
        let tokens = self.read(server).ok().and_then(|login| login.credentials);
        tokens.is_some_and(|credentials| credentials.token_response.is_some())
    }

    /// Forgets the tokens; true if there were any.
    pub fn forget(&self, server: &str) -> io::Result<bool> {
        match std::fs::remove_file(self.path(server)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Takes note that a server wants a login, or that it is content.
    pub(crate) fn set_wanted(&self, server: &str, challenge: Option<&str>) -> io::Result<()> {
        let mut login = self.read(server)?;
        if login.wanted.as_deref() == challenge {
            return Ok(());
        }
        login.wanted = challenge.map(str::to_owned);
        self.write(server, &login)
    }

    /// What was granted at the last login.
    pub(crate) fn granted(&self, server: &str) -> Vec<String> {
        let credentials = self.read(server).ok().and_then(|login| login.credentials);
        credentials.map(|credentials| credentials.granted_scopes).unwrap_or_default()
    }

    pub(crate) fn challenge(&self, server: &str) -> Option<String> {
        self.read(server).ok()?.wanted.filter(|challenge| !challenge.is_empty())
    }

    fn read(&self, server: &str) -> io::Result<Login> {
        match std::fs::read(self.path(server)) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::from),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Login::default()),
            Err(error) => Err(error),
        }
    }

    fn write(&self, server: &str, login: &Login) -> io::Result<()> {
        private::folder(&self.folder)?;
        private::replace(&self.path(server), &serde_json::to_vec(login)?)
    }

    fn path(&self, server: &str) -> PathBuf {
        self.folder.join(format!("{server}.json"))
    }
}

/// The tokens of one server, as the SDK keeps them.
pub(super) struct Keeper {
    pub(super) store: LoginStore,
    pub(super) server: String,
}

#[async_trait::async_trait]
impl CredentialStore for Keeper {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.store.read(&self.server).map_err(broken)?.credentials)
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let login = Login { wanted: None, credentials: Some(credentials) };
        self.store.write(&self.server, &login).map_err(broken)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.store.forget(&self.server).map(drop).map_err(broken)
    }

    /// One refresh at a time, over all processes: a refresh token is good for one use.
    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let path = self.store.folder.join(format!("{}.lock", self.server));
        let locked = tokio::task::spawn_blocking(move || private::lock(&path)).await;
        let lock =
            locked.map_err(|error| AuthError::CredentialStoreError(error.to_string()))?.map_err(broken)?;
        Ok(Some(CredentialRefreshGuard::new(lock)))
    }
}

fn broken(error: io::Error) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}
