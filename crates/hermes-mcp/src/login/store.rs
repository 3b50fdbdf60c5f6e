//! One file a server, readable by its owner only: the tokens, and whether the server wants a login.

use std::io;
use std::path::PathBuf;

use hermes_host::home::Home;
use hermes_host::private;
use rmcp::transport::auth::{AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};

use crate::secrets::Cover;

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
    /// The address that the tokens were given out for. A server of the same name elsewhere can name the same authority,
    /// so neither the name nor the issuer says whose tokens they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resource: Option<String>,
}

impl Login {
    /// The tokens, if they are for this address. Those of nobody knows which address are for none.
    fn credentials_for(self, url: &str) -> Option<StoredCredentials> {
        let asked = resource(url)?;
        self.credentials.filter(|_| self.resource == Some(asked))
    }
}

/// An address in the one spelling that addresses are compared in.
fn resource(url: &str) -> Option<String> {
    let mut url = url::Url::parse(url).ok()?;
    url.set_fragment(None);
    Some(url.into())
}

impl LoginStore {
    pub fn of(home: &Home) -> Self {
        LoginStore { folder: home.root().join("mcp").join("logins") }
    }

    /// Whether the server wants a login that it does not have.
    pub fn is_wanted(&self, server: &str) -> bool {
        self.read(server).is_ok_and(|login| login.wanted.is_some())
    }

    /// Whether there are tokens for a server at this address.
    pub fn has_tokens(&self, server: &str, url: &str) -> bool {
        let tokens = self.read(server).ok().and_then(|login| login.credentials_for(url));
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

    /// What was granted at the last login at this address.
    pub(crate) fn granted(&self, server: &str, url: &str) -> Vec<String> {
        let credentials = self.read(server).ok().and_then(|login| login.credentials_for(url));
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
    pub(super) url: String,
    /// Learns of every token, so that nobody is shown one.
    pub(super) cover: Cover,
}

impl Keeper {
    fn known(&self, credentials: &StoredCredentials) {
        let said = serde_json::to_value(&credentials.token_response).unwrap_or_default();
        let token = |name: &str| Some((name.to_owned(), said.get(name)?.as_str()?.to_owned()));
        self.cover
            .learn(["access_token", "refresh_token", "id_token"].into_iter().filter_map(token).collect());
    }
}

#[async_trait::async_trait]
impl CredentialStore for Keeper {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let credentials = self.store.read(&self.server).map_err(broken)?.credentials_for(&self.url);
        credentials.iter().for_each(|credentials| self.known(credentials));
        Ok(credentials)
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.known(&credentials);
        let login = Login { wanted: None, credentials: Some(credentials), resource: resource(&self.url) };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn keeper(folder: &std::path::Path, url: &str) -> Keeper {
        let store = LoginStore { folder: folder.to_owned() };
        Keeper { store, server: "o".to_owned(), url: url.to_owned(), cover: Cover::default() }
    }

    #[tokio::test]
    async fn tokens_are_for_the_address_they_were_given_out_for() {
        let folder = tempfile::tempdir().unwrap();
        let ours = keeper(folder.path(), "https://Ours.example:443/mcp");
        let credentials = serde_json::from_value(serde_json::json!({
            "client_id": "c",
            "token_response": {"access_token": "t", "token_type": "bearer"},
            "granted_scopes": ["tools"],
        }));
        ours.save(credentials.unwrap()).await.unwrap();
        for (url, is_ours) in [
            ("https://ours.example/mcp", true),
            ("https://ours.example/mcp#part", true),
            ("https://ours.example/other", false),
            ("https://ours.example:8443/mcp", false),
            ("http://ours.example/mcp", false),
            ("https://other.example/mcp", false),
            ("nowhere", false),
        ] {
            assert_eq!(keeper(folder.path(), url).load().await.unwrap().is_some(), is_ours, "{url}");
            assert_eq!(ours.store.has_tokens("o", url), is_ours, "{url}");
            assert_eq!(!ours.store.granted("o", url).is_empty(), is_ours, "{url}");
        }

        let path = ours.store.path("o");
        let mut old: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        old.as_object_mut().unwrap().remove("resource");
        std::fs::write(&path, old.to_string()).unwrap();
        assert!(ours.load().await.unwrap().is_none(), "tokens of nobody knows which address");
    }
}
