//! All of the user's own tools, looked at again and again: each look says what changed since the last.
//! What is broken keeps the tools it had; what vanished is waited for a moment, because editors and
//! deployments replace files by taking them away first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hermes_core::{AnyTool, Owner, ToolError};
use hermes_host::Host;
use hermes_host::home::Home;

use crate::plugin::{self, Enabled, EnabledPlugin};
use crate::registered::{Registered, RegisteredFile};
use crate::yaml::{YamlFile, tools};

/// How long a missing file is waited for before its tools go.
pub const GRACE: Duration = Duration::from_secs(2);

/// Something that is different from the last look.
pub enum Change {
    /// The owner's whole set is this now.
    Tools(Owner, Vec<Arc<dyn AnyTool>>),
    /// The owner has no tools any more.
    Gone(Owner),
    /// The owner keeps what it had, and this is why.
    Broken(Owner, String),
    /// The owner must not run any more, and this is why.
    Stopped(Owner, String),
}

/// Remembers what it saw.
pub struct OwnTools {
    host: Host,
    home: Home,
    /// Where calls are made.
    cwd: PathBuf,
    files: BTreeMap<PathBuf, SeenFile>,
    plugins: BTreeMap<String, SeenPlugin>,
}

/// A file at the last look.
struct SeenFile {
    registered: RegisteredFile,
    state: FileState,
}

#[derive(PartialEq, Eq)]
enum FileState {
    Fresh,
    Read(Vec<u8>),
    Missing(Instant),
    Gone,
}

/// A plugin at the last look, by what was agreed to and what was there.
#[derive(PartialEq)]
struct SeenPlugin {
    enabled: EnabledPlugin,
    digest: Option<String>,
}

impl OwnTools {
    pub fn new(host: Host, home: Home, cwd: PathBuf) -> Self {
        OwnTools { host, home, cwd, files: BTreeMap::new(), plugins: BTreeMap::new() }
    }

    /// Where changes can show: the folders of all files and plugins, and Hermes's own.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = vec![self.home.root().to_owned()];
        folders.extend(self.files.keys().filter_map(|file| file.parent()).map(Path::to_owned));
        folders.extend(self.plugins.values().map(|seen| seen.enabled.folder.clone()));
        folders.sort();
        folders.dedup();
        folders
    }

    /// Whether something is waited for, so that a look is due without a change.
    pub fn is_waiting(&self) -> bool {
        self.files.values().any(|seen| matches!(seen.state, FileState::Missing(_)))
    }

    /// Everything that changed since the last look.
    pub async fn look(&mut self, now: Instant) -> Result<Vec<Change>, ToolError> {
        let mut changes = self.look_at_files(now)?;
        changes.extend(self.look_at_plugins().await?);
        Ok(changes)
    }

    fn look_at_files(&mut self, now: Instant) -> Result<Vec<Change>, ToolError> {
        let registered = Registered::of(&self.home).files()?;
        let mut changes = Vec::new();
        let host = &self.host;
        self.files.retain(|path, _| {
            let kept = registered.iter().any(|file| file.path == *path);
            if !kept {
                changes.push(Change::Gone(YamlFile::owner_of(path)));
            }
            kept
        });
        for file in registered {
            let fresh = || SeenFile { registered: file.clone(), state: FileState::Fresh };
            let seen = self.files.entry(file.path.clone()).or_insert_with(fresh);
            // Another consent makes other tools of the same text.
            if seen.registered != file {
                *seen = fresh();
            }
            changes.extend(look_at(seen, host, now));
        }
        Ok(changes)
    }

    async fn look_at_plugins(&mut self) -> Result<Vec<Change>, ToolError> {
        let enabled = Enabled::of(&self.home).all()?;
        let mut changes = Vec::new();
        self.plugins.retain(|id, _| {
            let kept = enabled.contains_key(id);
            if !kept {
                changes.push(Change::Gone(Owner::Plugin(id.clone())));
            }
            kept
        });
        for (id, plugin) in enabled {
            let digest = plugin::digest_of(&plugin.folder).ok();
            let seen = SeenPlugin { enabled: plugin.clone(), digest };
            if self.plugins.get(&id) == Some(&seen) {
                continue;
            }
            let owner = Owner::Plugin(id.clone());
            changes.push(match plugin::load(&id, &plugin, &self.host, &self.cwd).await {
                Ok(tools) => Change::Tools(owner, tools),
                Err(why) if plugin.place == plugin::Place::User => Change::Broken(owner, why),
                Err(why) => Change::Stopped(owner, why),
            });
            self.plugins.insert(id, seen);
        }
        Ok(changes)
    }
}

fn look_at(seen: &mut SeenFile, host: &Host, now: Instant) -> Option<Change> {
    let path = &seen.registered.path;
    let owner = YamlFile::owner_of(path);
    match YamlFile::bytes(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => match seen.state {
            FileState::Gone => None,
            FileState::Missing(since) if now.duration_since(since) >= GRACE => {
                seen.state = FileState::Gone;
                Some(Change::Gone(owner))
            }
            FileState::Missing(_) => None,
            FileState::Fresh | FileState::Read(_) => {
                let why = format!("{}: {error}", path.display());
                seen.state = FileState::Missing(now);
                Some(Change::Broken(owner, why))
            }
        },
        Err(error) => Some(Change::Broken(owner, format!("{}: {error}", path.display()))),
        Ok(bytes) if matches!(&seen.state, FileState::Read(before) if *before == bytes) => None,
        Ok(bytes) => {
            let specs = YamlFile::parse(&bytes, &path.display().to_string(), host);
            seen.state = FileState::Read(bytes);
            Some(match specs {
                Ok(specs) => Change::Tools(owner, tools(specs, host, &seen.registered.consent())),
                Err(why) => Change::Broken(owner, why),
            })
        }
    }
}
