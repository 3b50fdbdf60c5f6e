//! The walls around programs of the user's own tools. What is not named is read-only, and keys and Hermes's
//! own records cannot be read at all.

use std::path::{Path, PathBuf};

use hermes_host::Host;
use hermes_host::process::Confinement;

/// Variables that programs need and that hold no secrets.
pub(crate) const PASSED_ON: &[&str] = &["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TZ", "USER"];

/// Files of Hermes's own that no tool has any business with.
const OWN_SECRETS: &[&str] =
    &[".env", "state.db", "state.db-wal", "state.db-shm", "results", "trusted", "plugins.json", "tools.json"];

/// Keys and passwords in the user's home.
const USER_SECRETS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".kube",
    ".docker/config.json",
    ".netrc",
    ".git-credentials",
];

/// Walls for a program that works for calls made in `cwd`.
pub(crate) fn walls(host: &Host, cwd: &Path, writable: Vec<PathBuf>, network: bool) -> Confinement {
    let user_home = host.env.get("HOME").map(PathBuf::from);
    let own = OWN_SECRETS.iter().map(|name| host.home.join(name));
    let users = USER_SECRETS.iter().filter_map(|name| Some(user_home.as_ref()?.join(name)));
    Confinement {
        writable,
        protected: vec![host.home.join("plugins"), cwd.join(".git/hooks"), cwd.join(".hermes")],
        hidden: own.chain(users).filter(|path| path.exists()).collect(),
        network,
        ..Confinement::default()
    }
}

/// The variables every program gets.
pub(crate) fn usual_env(host: &Host) -> Vec<(String, String)> {
    PASSED_ON.iter().filter_map(|name| Some(((*name).to_owned(), host.env.get(name)?.to_owned()))).collect()
}
