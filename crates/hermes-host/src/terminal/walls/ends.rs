//! What stays as it is because a place that stays leads there: links on the way to it and in it, and where they end. Other
//! programs run what is at the end, and it has a name of its own that no rule is about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::kept::PROTECTED;
use super::scene::{Scene, entries, temporary};
use super::vacancies::RUNS_ALTHOUGH_SECRET;
use crate::places::{Folders, Leading, OF_HOME, Search, led_to};

/// How far below a place links are looked for.
const DEPTH: usize = 3;
/// Links and folders that are looked at in one place.
const MOST: usize = 200;
/// What lies in them is run, also what lies in a folder that something in them leads to. Elsewhere, as among the skills of an
/// agent, such a folder is somebody's work.
const RUN: &[&str] = &[".git", ".githooks", ".git-hooks", ".husky", ".vscode", "hooks"];
/// What is installed is replaced all the time, and nobody writes there by hand.
const INSTALLED: &str = "node_modules";

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
        let is_installed =
            |end: &Path| end.strip_prefix(&scene.own).unwrap_or(end).iter().any(|name| name == INSTALLED);
        let counts = |end: &Path| {
            let is_within = writable.iter().any(|folder| end.starts_with(folder) && end != folder);
            is_within && !is_around(end) && !is_opened(end) && !is_installed(end)
        };
        let found: BTreeSet<PathBuf> =
            starts(scene, protected).iter().flat_map(|from| led_to(from, counts).0).collect();
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

/// What is protected and makes other programs run something, and not only because it is secret. Of the person's home those
/// are settings, each by itself: what else lies there, such as tools, is linked to from where it is built.
fn starts(scene: &Scene<'_>, protected: &[PathBuf]) -> Vec<Leading> {
    let is_of_home = |place: &Path| {
        let is_work = scene.own != scene.home && scene.own.starts_with(&scene.home);
        place.starts_with(&scene.home) && !(is_work && place.starts_with(&scene.own))
    };
    let is_any = protected.iter().any(|place| is_of_home(place));
    let run_anywhere = if is_any { run_anywhere(scene) } else { BTreeSet::new() };
    let is_run = |place: &Path| place.ancestors().any(|above| run_anywhere.contains(above));
    let is_setting = |place: &Path| is_of_home(place) && !is_run(place);
    let whole = protected.iter().filter(|place| !is_setting(place) && !is_only_secret(scene, place));
    let whole = whole.map(|place| {
        let is_for_git = scene.named_for_git.iter().any(|named| place.starts_with(named));
        let is_run = is_for_git || place.iter().any(|name| RUN.iter().any(|run| name == *run));
        let folders = if is_run { Folders::All } else { Folders::OfPlace };
        Leading { place: place.clone(), depth: DEPTH, folders, most: MOST }
    });
    let settings =
        protected.iter().filter(|place| is_setting(place)).flat_map(|place| match *place == scene.home {
            true => entries(place).into_iter().filter(|entry| is_dotted(entry)).collect(),
            false => vec![place.clone()],
        });
    let of_git = is_any.then(|| OF_HOME.iter().map(|name| scene.home.join(name))).into_iter().flatten();
    let settings = settings.chain(of_git).filter(|place| !is_only_secret(scene, place));
    let settings = settings.map(|place| Leading { place, depth: 0, folders: Folders::None, most: 0 });
    whole.chain(settings).collect()
}

fn is_dotted(place: &Path) -> bool {
    place.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// What is in the home and makes programs run something in any folder that it is in.
fn run_anywhere(scene: &Scene<'_>) -> BTreeSet<PathBuf> {
    let patterns: Vec<String> =
        scene.patterns.iter().filter(|pattern| !pattern.starts_with("~/")).cloned().collect();
    let mut found = Search::new(&scene.home, &scene.home, &patterns).in_workspace();
    found.extend(PROTECTED.iter().map(|name| scene.own.join(name)));
    let named = scene.named_for_git.iter().filter(|place| !scene.home.starts_with(place));
    found.extend(named.cloned());
    found
}

/// Read and not run: nothing comes of it where somebody changes what it leads to.
pub(super) fn is_only_secret(scene: &Scene<'_>, place: &Path) -> bool {
    let runs = place.file_name().is_some_and(|name| RUNS_ALTHOUGH_SECRET.iter().any(|runs| name == *runs));
    !runs && !scene.is_denied_to_writers(place) && !scene.may_read(place)
}

/// Whether a place lies in a protected one, and in no other within that where commands write.
pub(super) fn is_kept(place: &Path, writable: &[PathBuf], protected: &[PathBuf]) -> bool {
    let nearest = |all: &[PathBuf]| {
        let around = all.iter().filter(|folder| place.starts_with(folder));
        around.map(|folder| folder.as_os_str().len()).max()
    };
    nearest(protected) >= nearest(writable)
}
