//! How a plugin is started: its words, its variables and its walls.

use std::path::PathBuf;

use hermes_host::Host;
use hermes_host::process::{Confinement, Launch, Limits};

use super::content::digest_of;
use super::grant::Grant;
use super::manifest::Manifest;
use super::sdk;
use crate::walls::{PASSED_ON, usual_env, walls};

/// Variables that Hermes sets for every plugin.
const SET: &[&str] = &["HERMES_PLUGIN_DATA", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "TMPDIR"];

/// Whether every plugin has this variable without asking.
pub(super) fn is_provided(name: &str) -> bool {
    PASSED_ON.contains(&name) || SET.contains(&name)
}

/// Everything needed to start a plugin again and again.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) manifest: Manifest,
    pub(super) folder: PathBuf,
    pub(super) grant: Grant,
    pub(super) host: Host,
    /// The content it must still have when it is started.
    pub(super) digest: Option<String>,
    /// The folder calls are made in, writable if the plugin was granted to write.
    pub(super) cwd: PathBuf,
}

impl Plan {
    /// Where the plugin may keep things of its own.
    pub(super) fn data_dir(&self) -> PathBuf {
        self.host.home.join("plugin-data").join(&self.manifest.id)
    }

    /// The program to start, if the plugin is still what was agreed to. Touches the disk.
    pub(super) fn launch(&self) -> Result<Launch, String> {
        if let Some(agreed) = &self.digest
            && digest_of(&self.folder)? != *agreed
        {
            let id = &self.manifest.id;
            return Err(format!(
                "it was changed since it was enabled; look at it and run 'hermes plugins enable {id}'"
            ));
        }
        let data = self.data_dir();
        let temporary = data.join("tmp");
        hermes_host::private::folder(&temporary)
            .map_err(|error| format!("{}: {error}", temporary.display()))?;
        let mut env = usual_env(&self.host);
        env.push(("TMPDIR".to_owned(), temporary.display().to_string()));
        env.push(("HERMES_PLUGIN_DATA".to_owned(), data.display().to_string()));
        env.push(("PYTHONPATH".to_owned(), sdk::python(&self.host.home)?.display().to_string()));
        env.push(("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned()));
        env.extend(self.grant.env.iter().filter_map(|name| Some((name.clone(), self.host.keys.get(name)?))));
        Ok(Launch {
            confinement: Some(self.walls()),
            limits: Limits { processes: Some(256), memory_bytes: Some(2 << 30), ..Limits::default() },
            ..Launch::new(self.words(), &self.folder).with_env(env)
        })
    }

    /// A program of the plugin's own is named by its folder, so that `PATH` cannot stand in for it.
    fn words(&self) -> Vec<String> {
        let mut words = self.manifest.command.clone();
        if let Some(first) = words.first_mut() {
            let own = self.folder.join(first.strip_prefix("./").unwrap_or(first.as_str()));
            if first.starts_with("./") || own.is_file() {
                *first = own.display().to_string();
            }
        }
        words
    }

    /// The program it starts is there.
    pub(super) fn program_is_there(&self) -> Result<(), String> {
        let words = self.words();
        let Some(first) = words.first() else { return Err("it names no program".to_owned()) };
        match self.host.env.find_binary(first) {
            Some(_) => Ok(()),
            None => Err(match &self.manifest.build {
                Some(build) => format!("the program '{first}' is not there; make it with: {build}"),
                None => format!("the program '{first}' is not there"),
            }),
        }
    }

    fn walls(&self) -> Confinement {
        let mut writable = vec![self.data_dir()];
        if self.grant.writes() {
            writable.push(self.cwd.clone());
        }
        walls(&self.host, &self.cwd, writable, self.grant.network())
    }
}
