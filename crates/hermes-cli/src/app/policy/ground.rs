//! Where the policy and every judge of commands stand: one place that says so, for the runtime, for approvals
//! and for `explain`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_core::ports::PathResolver;
use hermes_policy::profile::{Ground, Spelling};

use crate::app::Surroundings;

/// Folders that any command may use as scratch.
const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

/// The folders as they are written.
pub(crate) struct Folders {
    pub(crate) home: PathBuf,
    pub(crate) hermes_home: PathBuf,
    pub(crate) cwd: PathBuf,
    /// `TMPDIR`.
    pub(crate) temp: Option<PathBuf>,
}

pub(crate) fn ground_of(surroundings: &Surroundings) -> Ground {
    let env = &surroundings.host.env;
    let folders = Folders {
        home: env.get("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from),
        hermes_home: surroundings.home.root().to_owned(),
        cwd: surroundings.cwd.clone(),
        temp: env.get("TMPDIR").map(PathBuf::from),
    };
    let local_network = surroundings.config().network.allow_private;
    Ground { local_network, ..ground(folders, Some(Arc::new(surroundings.host.workspace.clone()))) }
}

/// The ground on these folders. Links are followed, and what is written is remembered beside where it leads.
pub(crate) fn ground(folders: Folders, resolver: Option<Arc<dyn PathResolver>>) -> Ground {
    let Folders { home, hermes_home, cwd, temp } = folders;
    let (real_home, real_hermes) = (real(&home), real(&hermes_home));
    let spelled = Spelling { home, hermes_home };
    let differs = spelled.home != real_home || spelled.hermes_home != real_hermes;
    // Somebody whose TMPDIR holds the home folder has not meant all of it to be scratch.
    let temp = temp.filter(|temp| temp.is_absolute() && !real_home.starts_with(real(temp)));
    let mut scratch: Vec<PathBuf> = Vec::new();
    for folder in TEMPORARY.into_iter().map(PathBuf::from).chain(temp) {
        for folder in [real(&folder), folder] {
            if !scratch.contains(&folder) {
                scratch.push(folder);
            }
        }
    }
    Ground {
        home: real_home,
        hermes_home: real_hermes,
        cwd: real(&cwd),
        spelled: differs.then_some(spelled).into_iter().collect(),
        temp: scratch,
        local_network: false,
        resolver,
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
