//! What somebody agreed to have at a place where nothing was: no other program that runs at the same time is blamed
//! for it.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::vacant::QUARANTINE;

const EXPECTED: &str = "expected";
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

/// Whether somebody agreed to it, for a command that ran since then.
pub(super) fn is_expected(quarantine: &Path, place: &Path, since: SystemTime) -> bool {
    let noted = |path: &Path| fs::metadata(note(quarantine, path)).and_then(|facts| facts.modified());
    place.ancestors().any(|path| noted(path).is_ok_and(|when| when + LONGEST_COMMAND >= since))
}

fn note(quarantine: &Path, place: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    place.to_string_lossy().to_lowercase().hash(&mut hasher);
    quarantine.join(EXPECTED).join(format!("{:016x}", hasher.finish()))
}
