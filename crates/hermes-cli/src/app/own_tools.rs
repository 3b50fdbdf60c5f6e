//! The user's own tools in the registry: put there at the start, and kept up to date while it runs.

use std::sync::Arc;
use std::time::Instant;

use hermes_plugins::{Change, GRACE, OwnTools, Watch};
use hermes_runtime::Runtime;
use hermes_runtime::registry::{Registry, Set};

use super::surroundings::Surroundings;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, warn};

/// Puts the user's own tools into the registry. What cannot be used costs its own tools only, and the
/// operator is told.
pub(super) async fn add_own_tools(
    registry: &Registry,
    surroundings: &Surroundings,
) -> Result<OwnTools, Failure> {
    let mut own =
        OwnTools::new(surroundings.host.clone(), surroundings.home.clone(), surroundings.cwd.clone());
    apply(registry, own.look(Instant::now()).await?);
    Ok(own)
}

/// Follows changes until the runtime is gone. Calls under way keep the tools they started with.
pub(super) async fn follow(runtime: Arc<Runtime>, mut own: OwnTools) {
    let runtime = {
        let weak = Arc::downgrade(&runtime);
        drop(runtime);
        weak
    };
    let Ok(mut watch) = Watch::new() else { return };
    let mut told = None;
    loop {
        // What changed in a folder before it was watched is seen by one more look.
        if !watch.set(own.watched()) {
            if own.is_waiting() {
                let _ = tokio::time::timeout(GRACE, watch.changed()).await;
            } else {
                watch.changed().await;
            }
        }
        let changes = own.look(Instant::now()).await;
        let Some(runtime) = runtime.upgrade() else { return };
        match changes {
            Ok(changes) => {
                told = None;
                apply(runtime.registry(), changes);
            }
            // What is wrong with a list is said once, however often it is looked at.
            Err(error) => {
                let why = error.to_string();
                if told.as_ref() != Some(&why) {
                    tell(&why);
                }
                told = Some(why);
            }
        }
    }
}

/// All changes as one snapshot.
fn apply(registry: &Registry, changes: Vec<Change>) {
    let mut sets = Vec::new();
    for change in changes {
        match change {
            Change::Tools(owner, tools, may_take) => sets.push(Set { owner, tools, may_take }),
            Change::Gone(owner) => sets.push(Set::new(owner, Vec::new())),
            Change::Broken(_, why) => tell(&why),
            Change::Stopped(owner, why) => {
                sets.push(Set::new(owner, Vec::new()));
                tell(&why);
            }
        }
    }
    if !sets.is_empty() {
        let report = registry.replace_sets(sets);
        report.refused.iter().for_each(|refused| tell(&refused.error.to_string()));
    }
}

fn tell(problem: &str) {
    warn(Style::for_stderr(ColorChoice::Auto), "warning:", problem);
}
