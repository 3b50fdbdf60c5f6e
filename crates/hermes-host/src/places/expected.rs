//! What somebody agreed to have at a place where nothing was: no other program that runs at the same time is blamed
//! for it, as long as it is what the command left there.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::copied::Copied;
use super::left::{Left, seen, strange};
use super::vacant::QUARANTINE;

const EXPECTED: &str = "expected";
/// What was left there, beside the note.
const LEFT: &str = "left";
/// What was there when the command began, beside the note.
const BEGUN: &str = "begun";
/// In the note of a place that is no more than around one that somebody agreed to.
const AROUND: &str = "around";
/// How long the command that somebody agreed to may take.
const LONGEST_COMMAND: Duration = Duration::from_secs(600);

/// From now on the place may be taken. What is there already is not what somebody agrees to now.
pub(crate) fn expect(hermes_home: &Path, place: &Path) {
    write_note(hermes_home, place, "");
}

/// The same for a place around one that may be taken: nothing else in it may.
pub(crate) fn expect_within(hermes_home: &Path, place: &Path) {
    write_note(hermes_home, place, AROUND);
}

fn write_note(hermes_home: &Path, place: &Path, text: &str) {
    let note = note(&hermes_home.join(QUARANTINE), place);
    let Some(folder) = note.parent() else { return };
    // What another command that is under way has made by now is agreed to as well.
    let is_under_way = is_current(&note, SystemTime::now()) && !is_settled(&note);
    // That one may take more of it.
    if is_under_way && text == AROUND {
        return;
    }
    let begun = || serde_json::to_vec(&seen(place)).map_err(std::io::Error::from);
    let write = || match is_under_way {
        true => Ok(()),
        false => begun().and_then(|begun| fs::write(note.with_extension(BEGUN), begun)),
    };
    // Without the note another program may be blamed, and what it is blamed for is kept.
    let _ = crate::private::folder(folder).and_then(|()| write()).and_then(|()| fs::write(&note, text));
}

/// The command that somebody agreed to has ended: what is at its places is what was agreed to, and nothing else is.
pub(crate) fn settle(quarantine: &Path, places: &BTreeSet<PathBuf>) {
    for place in places {
        let notes = place.ancestors().map(|path| note(quarantine, path)).filter(|note| note.exists());
        let notes: Vec<PathBuf> = notes.collect();
        let now = if notes.is_empty() { Left::new() } else { seen(place) };
        for note in notes {
            let mut left = read(&note).unwrap_or_default();
            let begun = Begun::of(&note);
            let made = now.iter().filter(|(path, copied)| !begun.has(path, copied));
            let made: Left = made.map(|(path, copied)| (path.clone(), copied.clone())).collect();
            left.retain(|path, _| !path.starts_with(place));
            left.extend(made);
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
    let note_of = |path: &Path| note(quarantine, path);
    let note = place.ancestors().map(note_of).find(|note| is_current(note, since))?;
    if is_settled(&note) {
        return Some(read(&note).map(|left| strange(&left, place)).unwrap_or_default());
    }
    // Nobody can tell what a command will make of it that still runs; what was there before it is none of that.
    let is_open =
        |note: &PathBuf| is_current(note, since) && fs::read(note).is_ok_and(|text| text.is_empty());
    let may_be_made = |path: &Path| path.ancestors().map(note_of).any(|note| is_open(&note));
    let begun = Begun::of(&note);
    let is_strange = |(path, copied): &(PathBuf, Copied)| !may_be_made(path) || begun.has(path, copied);
    let now = seen(place).into_iter().filter(is_strange);
    Some(now.map(|(path, _)| path).filter(|path| !begun.was_left(path)).collect())
}

fn is_current(note: &Path, since: SystemTime) -> bool {
    let noted = fs::metadata(note).and_then(|facts| facts.modified());
    noted.is_ok_and(|when| when + LONGEST_COMMAND >= since)
}

fn is_settled(note: &Path) -> bool {
    fs::read(note).is_ok_and(|text| text == LEFT.as_bytes())
}

/// What was there when the command began that a note is about, without what others were agreed to before.
struct Begun {
    there: Left,
    left: Left,
}

impl Begun {
    fn of(note: &Path) -> Self {
        let text = fs::read(note.with_extension(BEGUN)).ok();
        let there = text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Begun { there, left: read(note).unwrap_or_default() }
    }

    /// Whether this is there as it was then, and nobody agreed to it.
    fn has(&self, path: &Path, copied: &Copied) -> bool {
        self.there.get(path) == Some(copied) && self.left.get(path) != Some(copied)
    }

    /// Whether it is there as somebody agreed to it before.
    fn was_left(&self, path: &Path) -> bool {
        self.left.contains_key(path) && strange(&self.left, path).is_empty()
    }
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
