//! Places in the session's folder where nothing is and nothing may come to be by a command that nobody agreed to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::kept::PROTECTED;
use super::scene::{Scene, around};
use crate::places::{QUARANTINE, Vacant, names_below};

/// What makes a repository of the session's folder itself.
const HEAD: &str = "HEAD";
/// What holds for it holds for all that git runs in folders below.
const HOOK_BELOW: &str = "x/.git/hooks/x";
/// Read by a program that runs what it says, although it holds secrets too.
pub(super) const RUNS_ALTHOUGH_SECRET: &[&str] = &[".envrc"];

/// What every program of the home folder may read when it starts: anything that begins with a dot.
const HOME_SETTINGS: &str = ".*/**";
/// What work makes in any folder, and no program of the home folder reads from there.
const OF_WORK: &[&str] = &[
    ".cache",
    ".dockerignore",
    ".editorconfig",
    ".env",
    ".env.example",
    ".env.local",
    ".eslintignore",
    ".gitattributes",
    ".github",
    ".gitignore",
    ".gitkeep",
    ".gitlab-ci.yml",
    ".gitmodules",
    ".mypy_cache",
    ".next",
    ".node_repl_history",
    ".parcel-cache",
    ".prettierignore",
    ".prettierrc",
    ".pytest_cache",
    ".python_history",
    ".ruff_cache",
    ".tox",
    ".trash",
    ".turbo",
    ".venv",
];

/// Places that others must leave empty, and for which somebody agreed to a command.
#[derive(Clone, Debug, Default)]
pub(in crate::terminal) struct Expected {
    pub(in crate::terminal) places: Vec<PathBuf>,
    /// What the rules say they are, which may be more.
    pub(in crate::terminal) around: Vec<PathBuf>,
}

/// The places that make other programs run something later, or that are denied. What only holds secrets may be made: a
/// program that writes its own settings does no harm with them. `ends` are others where something leads and nothing is.
/// Second: what somebody agreed to there.
pub(super) fn vacant(scene: &Scene<'_>, writable: &[PathBuf], ends: &[PathBuf]) -> (Vacant, Expected) {
    let always = PROTECTED.iter().chain(&[HEAD]).map(|name| (*name).to_owned());
    let singled_out: BTreeSet<String> =
        scene.patterns.iter().flat_map(|pattern| below(pattern, scene)).collect();
    let for_git = scene.named_for_git.iter().chain(ends).filter_map(|place| as_pattern(place, &scene.own));
    let watched = singled_out.into_iter().filter(|pattern| is_watched(pattern, scene)).chain(always);
    let watched = watched.chain(for_git);
    let open = opened(scene);
    let (given_up, patterns): (Vec<String>, Vec<String>) =
        watched.partition(|pattern| is_given_up(&scene.own.join(pattern), &open));
    let mut vacant = Vacant {
        folder: scene.own.clone(),
        around: around(scene, writable),
        patterns,
        quarantine: scene.ground.hermes_home.join(QUARANTINE),
        home: Some(scene.ground.user_home.to_owned()),
        looks_below: !scene.may_write(&scene.own.join(HOOK_BELOW)),
        ..Vacant::default()
    };
    vacant.before = vacant.occupied();
    vacant.before.extend(open.iter().cloned());
    vacant.opened = open.into_iter().collect();
    if scene.home.starts_with(&scene.own) {
        vacant.before.extend(OF_WORK.iter().map(|name| scene.home.join(name)));
    }
    // Of the whole folder nobody would settle what may be made in it.
    let is_within = |path: &&PathBuf| path.starts_with(&scene.own) && **path != scene.own;
    let agreed = scene.agreed.written.iter().filter(is_within);
    let expected = match given_up.is_empty() {
        true => Expected::default(),
        false => Expected {
            places: agreed.cloned().collect(),
            around: given_up.iter().map(|pattern| scene.own.join(pattern)).collect(),
        },
    };
    (vacant, expected)
}

/// A pattern of the rules as it is written from the session's folder.
fn below(pattern: &str, scene: &Scene<'_>) -> Vec<String> {
    let from_here = |pattern: String| -> Option<String> {
        let in_home = pattern.strip_prefix("~/").zip(way_home(scene));
        let mut names = match in_home {
            Some((HOME_SETTINGS, way)) => {
                return Some(way.into_iter().chain([".*"]).collect::<Vec<_>>().join("/"));
            }
            // What else begins like that is about single files in all of them.
            Some((rest, _)) if rest.starts_with(".*") => return None,
            Some((rest, way)) => way.into_iter().chain(rest.split('/')).collect(),
            None => names_below(&pattern, &scene.own)?,
        };
        if names.last() == Some(&"**") {
            names.pop();
        }
        let says_something = |name: &&str| name.contains(|letter| !matches!(letter, '*' | '?' | '.'));
        let is_plain = |name: &&str| !name.contains(['[', ']', '\\', '<', '{', '}']);
        let is_clear = names.first().is_some_and(says_something) && names.iter().all(is_plain);
        is_clear.then(|| names.join("/"))
    };
    alternatives(pattern).into_iter().filter_map(from_here).collect()
}

/// A place as a pattern that fits nothing else; `None` where its name cannot be one.
fn as_pattern(place: &Path, own: &Path) -> Option<String> {
    let below = place.strip_prefix(own).ok()?.to_str()?;
    let is_plain = !below.contains(['*', '?', '[', ']', '\\', '<', '{', '}']);
    (is_plain && !place.iter().any(|name| name == ".git")).then(|| below.to_owned())
}

/// The names from the session's folder to the home folder, where that lies in it.
fn way_home<'s>(scene: &'s Scene<'_>) -> Option<Vec<&'s str>> {
    scene.home.strip_prefix(&scene.own).ok()?.iter().map(|name| name.to_str()).collect()
}

/// `a{b,c}` as `ab` and `ac`.
fn alternatives(pattern: &str) -> Vec<String> {
    let split = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (inside, after))) = split else { return vec![pattern.to_owned()] };
    inside.split(',').flat_map(|choice| alternatives(&format!("{before}{choice}{after}"))).collect()
}

fn is_watched(pattern: &str, scene: &Scene<'_>) -> bool {
    let sample = scene.own.join(pattern.replace("**/", "").replace(['*', '?'], "x"));
    if scene.may_write(&sample) {
        return false;
    }
    scene.is_denied_to_writers(&sample) || RUNS_ALTHOUGH_SECRET.contains(&pattern) || scene.may_read(&sample)
}

/// What the operator opened or somebody agreed to, within the session's folder.
fn opened(scene: &Scene<'_>) -> Vec<PathBuf> {
    let operators = scene.sandbox.writable.iter().map(|open| scene.own.join(open));
    let agreed = scene.agreed.written.iter().chain(&scene.agreed.deleted).cloned();
    let is_within = |open: &PathBuf| open.starts_with(&scene.own) && *open != scene.own;
    operators.chain(agreed).filter(is_within).collect()
}

/// Whether the place, something in it, or a folder around it was opened.
fn is_given_up(place: &Path, open: &[PathBuf]) -> bool {
    let folded = |path: &Path| PathBuf::from(path.to_string_lossy().to_lowercase());
    let place = folded(place);
    open.iter().map(|open| folded(open)).any(|open| open.starts_with(&place) || place.starts_with(&open))
}
