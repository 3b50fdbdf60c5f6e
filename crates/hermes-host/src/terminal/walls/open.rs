//! Where a command may write.

use std::path::PathBuf;

use super::scene::{ANY_FILE, Scene, temporary};
use crate::places::way_to;

/// The session's folder and those for temporary files as far as the rules let file tools write there, what the
/// operator opened, and what somebody agreed to.
pub(super) fn open_folders(scene: &Scene<'_>) -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = scene
        .ground
        .workspace
        .canonicalize()
        .into_iter()
        .chain(temporary(scene.ground))
        .filter(|folder| scene.may_write(&folder.join(ANY_FILE)))
        .collect();
    // The operator's own word needs no rule. What can be written anyway gets no mount of its own: a file that is
    // one cannot be replaced.
    let named = scene.agreed.written.iter().filter(|place| place.exists());
    let further = scene.opened.iter().chain(named);
    let further = further.filter(|place| !open.iter().any(|folder| place.starts_with(folder)));
    let further: Vec<PathBuf> = further.cloned().collect();
    open.extend(further);
    // Neither the session's folder nor that of Hermes nor the person's can be taken along with one around it.
    let hermes = scene.ground.hermes_home.canonicalize().ok();
    let fixed = [Some(scene.own.clone()), hermes, Some(scene.home.clone())];
    let ways: Vec<PathBuf> =
        fixed.iter().flatten().filter_map(|place| way_to(place, &open)).flatten().collect();
    open.extend(ways);
    open
}
