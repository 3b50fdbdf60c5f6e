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
}

/// Remembers what it saw.
pub struct OwnTools {
    host: Host,
    home: Home,
    files: BTreeMap<PathBuf, Seen>,
}

/// A file at the last look.
struct Seen {
    registered: RegisteredFile,
    state: State,
}

#[derive(PartialEq, Eq)]
enum State {
    Fresh,
    Read(Vec<u8>),
    Missing(Instant),
    Gone,
}

impl OwnTools {
    pub fn new(host: Host, home: Home) -> Self {
        OwnTools { host, home, files: BTreeMap::new() }
    }

    /// Where changes can show: the folders of all files, and Hermes's own.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = vec![self.home.root().to_owned()];
        folders.extend(self.files.keys().filter_map(|file| file.parent()).map(Path::to_owned));
        folders.sort();
        folders.dedup();
        folders
    }

    /// Whether something is waited for, so that a look is due without a change.
    pub fn is_waiting(&self) -> bool {
        self.files.values().any(|seen| matches!(seen.state, State::Missing(_)))
    }

    /// Everything that changed since the last look. Touches the disk: not for async threads.
    pub fn look(&mut self, now: Instant) -> Result<Vec<Change>, ToolError> {
        let registered = Registered::of(&self.home).files()?;
        let mut changes = Vec::new();
        let kept: Vec<&PathBuf> = registered.iter().map(|file| &file.path).collect();
        let dropped: Vec<PathBuf> = self.files.keys().filter(|path| !kept.contains(path)).cloned().collect();
        for path in dropped {
            self.files.remove(&path);
            changes.push(Change::Gone(YamlFile::owner_of(&path)));
        }
        for file in registered {
            let seen = self
                .files
                .entry(file.path.clone())
                .or_insert_with(|| Seen { registered: file.clone(), state: State::Fresh });
            // Another consent makes other tools of the same text.
            if seen.registered != file {
                *seen = Seen { registered: file, state: State::Fresh };
            }
            changes.extend(look_at(seen, &self.host, now));
        }
        Ok(changes)
    }
}

fn look_at(seen: &mut Seen, host: &Host, now: Instant) -> Option<Change> {
    let path = &seen.registered.path;
    let owner = YamlFile::owner_of(path);
    match YamlFile::bytes(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => match seen.state {
            State::Gone => None,
            State::Missing(since) if now.duration_since(since) >= GRACE => {
                seen.state = State::Gone;
                Some(Change::Gone(owner))
            }
            State::Missing(_) => None,
            State::Fresh | State::Read(_) => {
                let why = format!("{}: {error}", path.display());
                seen.state = State::Missing(now);
                Some(Change::Broken(owner, why))
            }
        },
        Err(error) => Some(Change::Broken(owner, format!("{}: {error}", path.display()))),
        Ok(bytes) if seen.state == State::Read(bytes.clone()) => None,
        Ok(bytes) => {
            let specs = YamlFile::parse(&bytes, &path.display().to_string(), host);
            seen.state = State::Read(bytes);
            Some(match specs {
                Ok(specs) => Change::Tools(owner, tools(specs, host, &seen.registered.consent())),
                Err(why) => Change::Broken(owner, why),
            })
        }
    }
}
