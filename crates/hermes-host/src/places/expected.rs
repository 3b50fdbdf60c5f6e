//! What somebody agreed to have at a place where nothing was: no other program that runs at the same time is blamed
//! for it, as long as it is what the command left there.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::left::{Left, seen, strange};
use super::vacant::QUARANTINE;

const EXPECTED: &str = "expected";
/// What was left there, beside the note.
const LEFT: &str = "left";
/// How long the command that somebody agreed to may take.
const LONGEST_COMMAND: Duration = Duration::from_secs(600);

/// From now on the place may be taken.
pub(crate) fn expect(hermes_home: &Path, place: &Path) {
    let note = note(&hermes_home.join(QUARANTINE), place);
    // Without the note another program may be blamed, and what it is blamed for is kept.
    if let Some(folder) = note.parent() {
        let _ = crate::private::folder(folder).and_then(|()| fs::write(&note, ""));
    }
}

/// The command that somebody agreed to has ended: what is at its places is what was agreed to, and nothing else is.
pub(crate) fn settle(quarantine: &Path, places: &BTreeSet<PathBuf>) {
    for place in places {
        let notes = place.ancestors().map(|path| note(quarantine, path)).filter(|note| note.exists());
        let notes: Vec<PathBuf> = notes.collect();
        let now = if notes.is_empty() { Left::new() } else { seen(place) };
        for note in notes {
            let mut left = read(&note).unwrap_or_default();
            left.retain(|path, _| !path.starts_with(place));
            left.extend(now.iter().map(|(path, copied)| (path.clone(), copied.clone())));
            // Where it cannot be written it is as if the command still ran.
            if let Ok(text) = serde_json::to_vec(&left) {
                let _ = fs::write(note.with_extension(LEFT), text).and_then(|()| fs::write(&note, LEFT));
            }
        }
    }
}

/// What is at the place of another program and nobody agreed to; `None` where nobody agreed to anything there, for a
/// command that ran since then.
pub(super) fn strangers(quarantine: &Path, place: &Path, since: SystemTime) -> Option<Vec<PathBuf>> {
    let noted = |note: &PathBuf| fs::metadata(note).and_then(|facts| facts.modified());
    let is_current = |note: &PathBuf| noted(note).is_ok_and(|when| when + LONGEST_COMMAND >= since);
    let note = place.ancestors().map(|path| note(quarantine, path)).find(is_current)?;
    // Nobody can tell what a command will make of it that still runs.
    let is_settled = fs::read(&note).is_ok_and(|text| text == LEFT.as_bytes());
    let left = if is_settled { read(&note) } else { None };
    Some(left.map(|left| strange(&left, place)).unwrap_or_default())
}

/// What was agreed to comes to be at these places again, where nothing is now.
pub(super) fn put_back(quarantine: &Path, places: &[PathBuf]) {
    for place in places {
        let notes = place.ancestors().map(|path| note(quarantine, path));
        let left = notes.filter_map(|note| read(&note)).find_map(|mut left| left.remove(place));
        // What cannot be put back is in the quarantine, and told.
        let _ = left.map(|copied| copied.put_back(place));
    }
}

fn read(note: &Path) -> Option<Left> {
    serde_json::from_slice(&fs::read(note.with_extension(LEFT)).ok()?).ok()
}

fn note(quarantine: &Path, place: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    place.to_string_lossy().to_lowercase().hash(&mut hasher);
    quarantine.join(EXPECTED).join(format!("{:016x}", hasher.finish()))
}
