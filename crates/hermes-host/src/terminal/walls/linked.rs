//! Second names of settings, where commands write.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::scene::{Scene, entries};
use crate::workspace::SecondNames;

/// Hard links below `writable` to files that commands cannot write by their first names: settings of the person, what else
/// the rules single out, and what is protected or lies right in a protected folder, such as a hook. Somebody outside made
/// them, since a command cannot.
pub(super) fn linked(scene: &Scene<'_>, writable: &[PathBuf], protected: &[PathBuf]) -> Vec<PathBuf> {
    let has_others = |place: &PathBuf| {
        let facts = std::fs::symlink_metadata(place);
        facts.is_ok_and(|facts| facts.is_file() && facts.nlink() > 1)
    };
    let settings = entries(&scene.home).into_iter().chain(scene.elsewhere.iter().cloned());
    let settings = settings.filter(|place| has_others(place) && !scene.may_write(place));
    let inside = protected
        .iter()
        .filter(|place| **place != scene.home && place.is_dir())
        .flat_map(|place| entries(place));
    let first_names = settings.chain(protected.iter().cloned().chain(inside).filter(has_others));
    let second_names = SecondNames::to(first_names.collect()).below(writable).into_iter();
    second_names.map(|(second, _)| second).filter(|second| scene.stays(second)).collect()
}
