//! The environment as a door: a snapshot handed in by the application, so tests own it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The environment variables a host was started with. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Env {
    variables: Arc<BTreeMap<String, String>>,
}

impl Env {
    /// The environment of this process. Values that are not UTF-8 are left out.
    pub fn of_process() -> Self {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// The value of a variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// All variables, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first executable file called `program` on `PATH`, or `program` itself if it names a path.
    pub fn find_binary(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return Some(PathBuf::from(program)).filter(|path| is_executable(path));
        }
        let path = self.get("PATH")?;
        std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| is_executable(file))
    }
}

impl FromIterator<(String, String)> for Env {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Env { variables: Arc::new(pairs.into_iter().collect()) }
    }
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
