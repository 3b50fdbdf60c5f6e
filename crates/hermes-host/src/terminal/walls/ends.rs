//! What stays as it is because a place that stays leads there: links on the way to it and in it, and where they end. Other
//! programs run what is at the end, and it has a name of its own that no rule is about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::scene::{Scene, temporary};
use crate::places::led_to;

/// How far below a place links are looked for.
const DEPTH: usize = 3;

#[derive(Default)]
pub(super) struct Ends {
    /// None of them lies in another, or in a protected place.
    pub(super) kept: Vec<PathBuf>,
    /// Where nothing is yet, in the session's folder. What is missing elsewhere is kept by what stands in for it.
    pub(super) missing: Vec<PathBuf>,
}

impl Ends {
    /// `writable` are all folders that commands may write in, `protected` what leads somewhere.
    pub(super) fn of(scene: &Scene<'_>, writable: &[PathBuf], protected: &[PathBuf]) -> Self {
        let temporary: Vec<PathBuf> = temporary(scene.ground).collect();
        let is_around = |end: &Path| {
            [&scene.own, &scene.home].into_iter().chain(&temporary).any(|folder| folder.starts_with(end))
        };
        let is_opened = |end: &Path| {
            let mut inside = scene.opened.iter().filter(|opened| opened.starts_with(&scene.own));
            inside.any(|opened| end.starts_with(opened))
        };
        let counts = |end: &Path| {
            let is_within = writable.iter().any(|folder| end.starts_with(folder) && end != folder);
            is_within && !is_around(end) && !is_opened(end)
        };
        // Everything of a person is in their home, also what nobody runs.
        let depth = |place: &Path| if *place == scene.home { 1 } else { DEPTH };
        let places = protected.iter().map(|place| (place.clone(), depth(place)));
        let found = led_to(places, counts);
        let is_kept = |end: &Path| is_kept(end, writable, protected);
        let is_elsewhere = |end: &Path| !end.starts_with(&scene.own) || end.iter().any(|name| name == ".git");
        let (there, missing): (Vec<PathBuf>, Vec<PathBuf>) = found
            .into_iter()
            .filter(|end| scene.stays(end) && !is_kept(end))
            .partition(|end| end.symlink_metadata().is_ok() || is_elsewhere(end));
        let all: BTreeSet<&Path> = there.iter().map(PathBuf::as_path).collect();
        let is_first = |end: &&PathBuf| !end.ancestors().skip(1).any(|above| all.contains(above));
        let kept = there.iter().filter(is_first).cloned().collect();
        Ends { kept, missing }
    }
}

/// Whether a place lies in a protected one, and in no other within that where commands write.
pub(super) fn is_kept(place: &Path, writable: &[PathBuf], protected: &[PathBuf]) -> bool {
    let nearest = |all: &[PathBuf]| {
        let around = all.iter().filter(|folder| place.starts_with(folder));
        around.map(|folder| folder.as_os_str().len()).max()
    };
    nearest(protected) >= nearest(writable)
}
