//! All of the user's own tools, looked at again and again: each look says what changed since the last.
//! What is broken keeps the tools it had; what vanished is waited for a moment, because editors and
//! deployments replace files by taking them away first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hermes_core::{AnyTool, Owner, ToolError};
use hermes_host::Host;
use hermes_host::home::Home;

use crate::clash::{clash_text, clashes};
use crate::plugin::{self, Enabled, EnabledPlugin};
use crate::registered::Registered;
use crate::seen_file::{Look, SeenFile};
use crate::watched::Watched;
use crate::yaml::YamlFile;

/// How long a missing file is waited for before its tools go.
pub const GRACE: Duration = Duration::from_secs(2);

/// Something that is different from the last look.
pub enum Change {
    /// The owner's whole set is this now. The names are those it may take from others.
    Tools(Owner, Vec<Arc<dyn AnyTool>>, BTreeSet<String>),
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
    /// The names each file offered, which are not all of its own where others have them too.
    offered: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Names that stood in several files, with their places.
    clashes: BTreeMap<String, Vec<String>>,
    plugins: BTreeMap<String, SeenPlugin>,
}

/// A plugin at the last look, by what was agreed to and what was there.
#[derive(PartialEq)]
struct SeenPlugin {
    enabled: EnabledPlugin,
    /// What is there, or why nobody can say.
    digest: Result<String, String>,
}

impl OwnTools {
    pub fn new(host: Host, home: Home, cwd: PathBuf) -> Self {
        let (files, offered) = (BTreeMap::new(), BTreeMap::new());
        OwnTools { host, home, cwd, files, offered, clashes: BTreeMap::new(), plugins: BTreeMap::new() }
    }

    /// Where changes can show: all files and plugins, and Hermes's own lists of them.
    pub fn watched(&self) -> Watched {
        let mut watched = Watched::default();
        watched.file(&Registered::of(&self.home).path());
        watched.file(&Enabled::of(&self.home).path());
        self.files.keys().for_each(|file| watched.file(file));
        let plugins = self.plugins.values().flat_map(|seen| plugin::folders_of(&seen.enabled.folder));
        plugins.for_each(|folder| watched.folder(&folder));
        watched
    }

    /// Whether something is waited for, so that a look is due without a change.
    pub fn is_waiting(&self) -> bool {
        self.files.values().any(SeenFile::is_missing)
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
        let mut changed = BTreeSet::new();
        for file in registered {
            let seen = self.files.entry(file.path.clone()).or_insert_with(|| SeenFile::new(file.clone()));
            // Another consent makes other tools of the same text.
            if !seen.is_of(&file) {
                *seen = SeenFile::new(file.clone());
            }
            let owner = YamlFile::owner_of(&file.path);
            match seen.look(host, now) {
                Look::Same => {}
                Look::Broken(why) => changes.push(Change::Broken(owner, why)),
                Look::Gone => changes.push(Change::Gone(owner)),
                Look::Read => {
                    changed.insert(file.path);
                }
            }
        }
        changes.extend(self.settle(&changed));
        Ok(changes)
    }

    /// The sets of files that changed, and of those that gain or lose a tool because another file has it too. A file
    /// that vanished holds no name that another has by now: it may have been renamed.
    fn settle(&mut self, changed: &BTreeSet<PathBuf>) -> Vec<Change> {
        let present = || self.files.values().filter(|seen| !seen.is_missing()).map(SeenFile::specs);
        let taken: BTreeSet<&str> = present().flatten().map(|tool| tool.name.as_str()).collect();
        let clashes = clashes(present());
        let mut offered = BTreeMap::new();
        let mut changes: Vec<Change> = Vec::new();
        for (path, seen) in &self.files {
            let before = self.offered.get(path);
            let is_free = |name: &str| match seen.is_missing() {
                true => before.is_some_and(|names| names.contains(name)) && !taken.contains(name),
                false => !clashes.contains_key(name),
            };
            let names = seen.specs().iter().map(|tool| tool.name.clone()).filter(|name| is_free(name));
            let names: BTreeSet<String> = names.collect();
            if changed.contains(path) || before.is_some_and(|before| *before != names) {
                let (tools, may_take) = seen.tools(&self.host, is_free);
                changes.push(Change::Tools(YamlFile::owner_of(path), tools, may_take));
            }
            offered.insert(path.clone(), names);
        }
        for (name, places) in clashes.iter().filter(|(name, places)| self.clashes.get(*name) != Some(*places))
        {
            let owner = Owner::Yaml(places.first().cloned().unwrap_or_default());
            changes.push(Change::Broken(owner, clash_text(name, places)));
        }
        (self.offered, self.clashes) = (offered, clashes);
        changes
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
            let digest = plugin::digest_of(&plugin.folder);
            let seen = SeenPlugin { enabled: plugin.clone(), digest };
            if self.plugins.get(&id) == Some(&seen) {
                continue;
            }
            let owner = Owner::Plugin(id.clone());
            changes.push(match plugin::load(&id, &plugin, &self.host, &self.cwd).await {
                Ok(tools) => Change::Tools(owner, tools, BTreeSet::new()),
                Err(why) if plugin.place == plugin::Place::User => Change::Broken(owner, why),
                Err(why) => Change::Stopped(owner, why),
            });
            self.plugins.insert(id, seen);
        }
        Ok(changes)
    }
}
