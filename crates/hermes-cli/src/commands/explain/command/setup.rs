//! From flags and the fields of a case to the ground a command is judged on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_core::ports::PathResolver;
use hermes_host::Env;
use hermes_policy::command::Stage;
use hermes_policy::profile::Ground;
use serde_json::{Map, Value};

use super::args::CommandArgs;
use crate::app::{Folders, ground};
use crate::commands::explain::rows::{roots, text};
use crate::failure::Failure;

/// What the flags say, for every case alike.
pub(super) struct Setup {
    home: Option<PathBuf>,
    cwd: Option<PathBuf>,
    roots: Vec<PathBuf>,
    here: PathBuf,
    user_home: PathBuf,
    own: Option<PathBuf>,
    temp: Option<PathBuf>,
}

impl Setup {
    pub(super) fn new(args: &CommandArgs) -> Result<Self, Failure> {
        let env = Env::of_process();
        let here = std::env::current_dir().map_err(Failure::io("the working folder"))?;
        let own = env.get("HERMES_HOME").map(PathBuf::from);
        Ok(Setup {
            // Elsewhere --home is Hermes's own folder, and HERMES_HOME stands in for it.
            home: args.stage.home.clone().filter(|home| Some(home) != own.as_ref()),
            cwd: args.stage.cwd.clone(),
            roots: args.stage.roots.clone(),
            user_home: env.get("HOME").map_or_else(|| "/".into(), PathBuf::from),
            temp: env.get("TMPDIR").map(PathBuf::from),
            here,
            own,
        })
    }

    /// Where one case plays. Its own fields come before the flags.
    pub(super) fn scene(
        &self,
        row: &Map<String, Value>,
        links: Arc<dyn PathResolver>,
    ) -> Result<Scene, String> {
        let field = |name: &str| Ok::<_, String>(text(row, name)?.map(PathBuf::from));
        let given_home = field("home")?.or_else(|| self.home.clone());
        // A home that was given stands for a whole other user, with a Hermes of their own.
        let hermes_home = match (&given_home, &self.own) {
            (None, Some(own)) => own.clone(),
            (home, _) => home.as_ref().unwrap_or(&self.user_home).join(".hermes"),
        };
        let home = given_home.unwrap_or_else(|| self.user_home.clone());
        let cwd = field("cwd")?.or_else(|| self.cwd.clone());
        let cwd = cwd.map_or_else(|| self.here.clone(), |cwd| self.here.join(cwd));
        let mut roots = roots(row)?.unwrap_or_else(|| self.roots.clone());
        if roots.is_empty() {
            roots.push(cwd.clone());
        }
        let roots: Vec<PathBuf> = roots.iter().map(|root| self.here.join(root)).collect();
        let home = self.here.join(home);
        let own = hermes_home.clone();
        let folders = Folders { home, hermes_home, cwd: cwd.clone(), temp: self.temp.clone() };
        Ok(Scene { ground: ground(folders, Some(links)), cwd, roots, own })
    }
}

/// Where a case plays.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) ground: Ground,
    pub(super) cwd: PathBuf,
    pub(super) roots: Vec<PathBuf>,
    /// Hermes's own folder as it is written.
    pub(super) own: PathBuf,
}

impl Scene {
    /// The stages that the analysis speaks of. The first has the folders as they are written.
    pub(super) fn stages(&self) -> Vec<Stage> {
        let roots: Vec<&Path> = self.roots.iter().map(PathBuf::as_path).collect();
        let mut stages = self.ground.stages(&self.cwd, &roots);
        stages.reverse();
        stages
    }
}
