//! Everything a policy is made of, so that it can be made again when a file changes.

use std::path::PathBuf;
use std::sync::Arc;

use hermes_policy::command::UserRules;
use hermes_policy::profile::{
    Body, Engine, Ground, Known, Place, Plan, PolicyFile, Problem, RateLedger, read_policy,
};
use hermes_runtime::registry::Snapshot;
use hermes_runtime::toolsets::Toolsets;

use super::files::{Files, PolicyText};
use super::ground::ground_of;
use super::known::known;
use super::rates::HomeLedger;
use super::section::{config_level, dangerous_commands, place_of};
use crate::app::Surroundings;
use crate::failure::Failure;

pub(crate) struct PolicyMaker {
    profile: String,
    chosen_at: Place,
    files: Files,
    config: Arc<Body>,
    ground: Ground,
    known: Known,
    commands: UserRules,
    ledger: Arc<dyn RateLedger>,
}

impl PolicyMaker {
    pub(crate) fn new(
        surroundings: &Surroundings,
        registered: &Snapshot,
        toolsets: &Toolsets,
    ) -> Result<Self, Failure> {
        Self::on(ground_of(surroundings), surroundings, registered, toolsets)
    }

    /// The same policy for somebody who stands elsewhere.
    pub(crate) fn on(
        ground: Ground,
        surroundings: &Surroundings,
        registered: &Snapshot,
        toolsets: &Toolsets,
    ) -> Result<Self, Failure> {
        let level = config_level(surroundings, &ground)?;
        let config = level.body(&ground).map_err(|problems| Failure::policy(&problems))?;
        Ok(PolicyMaker {
            profile: surroundings.config().permissions.profile.clone(),
            chosen_at: place_of(&surroundings.loaded, "permissions.profile"),
            files: Files::of(surroundings)?,
            config: Arc::new(config),
            ground,
            known: known(registered, toolsets),
            commands: dangerous_commands(surroundings)?,
            ledger: Arc::new(HomeLedger::of(surroundings)),
        })
    }

    pub(crate) fn ground(&self) -> &Ground {
        &self.ground
    }

    pub(crate) fn known(&self) -> &Known {
        &self.known
    }

    /// The profile that the configuration names.
    pub(crate) fn profile(&self) -> (&str, &Place) {
        (&self.profile, &self.chosen_at)
    }

    pub(super) fn paths(&self) -> [PathBuf; 3] {
        self.files.paths()
    }

    /// The texts that count, as they are on disk now.
    pub(crate) fn texts(&self) -> Result<Vec<PolicyText>, Failure> {
        self.files.read()
    }

    /// The texts that would count if the user's own were this one.
    pub(crate) fn in_place_of_own(&self, text: PolicyText) -> Result<Vec<PolicyText>, Failure> {
        self.files.in_place_of_own(text)
    }

    pub(crate) fn read(&self, texts: &[PolicyText]) -> Result<Vec<PolicyFile>, Vec<Problem>> {
        let (mut files, mut problems) = (Vec::new(), Vec::new());
        for PolicyText { path, text } in texts {
            match read_policy(&path.display().to_string(), text, &self.ground, &self.known) {
                Ok(file) => files.push(file),
                Err(found) => problems.extend(found),
            }
        }
        if problems.is_empty() { Ok(files) } else { Err(problems) }
    }

    /// A policy from these texts, with the profile of the configuration or another.
    pub(crate) fn build(&self, texts: &[PolicyText], profile: Option<&str>) -> Result<Engine, Vec<Problem>> {
        let files = self.read(texts)?;
        Engine::build(&Plan {
            profile: profile.unwrap_or(&self.profile),
            chosen_at: match profile {
                Some(_) => Place::whole("the profile asked for"),
                None => self.chosen_at.clone(),
            },
            files: &files,
            config: Some(Arc::clone(&self.config)),
            ground: &self.ground,
            commands: self.commands.clone(),
            ledger: Some(Arc::clone(&self.ledger)),
        })
    }
}
