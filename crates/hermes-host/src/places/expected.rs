//! What somebody agreed to have at a place where nothing was: no other program that runs at the same time is blamed
//! for it, as long as it is what the command left there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::copied::Copied;
use super::left::{Left, files, seen, strange};
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
/// How long it is known what was left. Programs that began before may run for days.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// From now on the places may be taken. What is there already is not what somebody agrees to now. Returns those that
/// nobody else is taking.
pub(crate) fn expect<'p>(
    hermes_home: &Path,
    places: impl IntoIterator<Item = &'p PathBuf>,
) -> BTreeSet<PathBuf> {
    let mut places = places.into_iter().peekable();
    if places.peek().is_some() {
        sweep(&hermes_home.join(QUARANTINE));
    }
    places.filter(|place| write_note(hermes_home, place, "")).cloned().collect()
}

/// Nothing came of it: what is at the places now is nobody's whom somebody agreed to.
pub(crate) fn withdraw(quarantine: &Path, places: &BTreeSet<PathBuf>) {
    let notes = places.iter().map(|place| note(quarantine, place));
    for note in notes.filter(|note| is_open(note)) {
        // Where it cannot be written it is as if something still came.
        let _ = fs::write(note, LEFT);
    }
}

/// What was left long ago is not kept any longer than it is of use.
fn sweep(quarantine: &Path) {
    let entries = fs::read_dir(quarantine.join(EXPECTED)).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let changed = fs::symlink_metadata(path.with_extension("")).or_else(|_| fs::symlink_metadata(&path));
        let changed = changed.and_then(|facts| facts.modified());
        let is_old = |when: SystemTime| when.elapsed().is_ok_and(|age| age > KEPT);
        if changed.is_ok_and(is_old) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The same for a place around one that may be taken: nothing else in it may.
pub(crate) fn expect_within(hermes_home: &Path, place: &Path) {
    write_note(hermes_home, place, AROUND);
}

/// Whether nobody is taking the place already.
fn write_note(hermes_home: &Path, place: &Path, text: &str) -> bool {
    let note = note(&hermes_home.join(QUARANTINE), place);
    let Some(folder) = note.parent() else { return false };
    // What another command that is under way has made by now is agreed to as well.
    let is_under_way = is_current(&note, SystemTime::now()) && !is_settled(&note);
    let is_first = !is_under_way || !is_open(&note);
    // That one may take more of it.
    if is_under_way && text == AROUND {
        return false;
    }
    let marks = || -> Marks { seen(place).into_iter().map(|(path, copied)| (path, copied.mark())).collect() };
    let begun = || serde_json::to_vec(&marks()).map_err(std::io::Error::from);
    let write = || match is_under_way {
        true => Ok(()),
        false => begun().and_then(|begun| fs::write(note.with_extension(BEGUN), begun)),
    };
    // Without the note another program may be blamed, and what it is blamed for is kept.
    let _ = crate::private::folder(folder).and_then(|()| write()).and_then(|()| fs::write(&note, text));
    is_first
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
    let Some(note) = place.ancestors().map(note_of).find(|note| is_current(note, since)) else {
        return strangers_within(quarantine, place, since);
    };
    if is_settled(&note) {
        return Some(strange(&read(&note).unwrap_or_default(), place));
    }
    // Nobody can tell what a command will make of it that still runs; what was there before it is none of that.
    let may_be_made =
        |path: &Path| path.ancestors().map(note_of).any(|note| is_current(&note, since) && is_open(&note));
    let begun = Begun::of(&note);
    let is_strange = |(path, copied): &(PathBuf, Copied)| !may_be_made(path) || begun.has(path, copied);
    let now = seen(place).into_iter().filter(is_strange);
    Some(now.map(|(path, _)| path).filter(|path| !begun.was_left(path)).collect())
}

/// The same where what somebody agreed to is in the place.
fn strangers_within(quarantine: &Path, place: &Path, since: SystemTime) -> Option<Vec<PathBuf>> {
    let mut is_noted = false;
    let mut all = Vec::new();
    for path in files(place).into_iter().filter(|path| path != place) {
        match strangers(quarantine, &path, since) {
            Some(strange) => {
                is_noted = true;
                all.extend(strange);
            }
            None => all.push(path),
        }
    }
    is_noted.then_some(all)
}

fn is_current(note: &Path, since: SystemTime) -> bool {
    let noted = fs::metadata(note).and_then(|facts| facts.modified());
    noted.is_ok_and(|when| when + LONGEST_COMMAND >= since)
}

fn is_settled(note: &Path) -> bool {
    fs::read(note).is_ok_and(|text| text == LEFT.as_bytes())
}

fn is_open(note: &Path) -> bool {
    fs::read(note).is_ok_and(|text| text.is_empty())
}

/// Of what was there only what tells it from anything else.
type Marks = BTreeMap<PathBuf, String>;

/// What was there when the command began that a note is about, without what others were agreed to before.
struct Begun {
    there: Marks,
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
        self.there.get(path) == Some(&copied.mark()) && self.left.get(path) != Some(copied)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_is_not_kept_and_notes_are_not_kept_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let (home, place) = (folder.path().join("home"), folder.path().join(".env"));
        let quarantine = home.join(QUARANTINE);
        fs::write(&place, "TOKEN=was-here").unwrap();
        expect(&home, [&place]);
        settle(&quarantine, &BTreeSet::from([place.clone()]));
        let since = SystemTime::now();
        assert_eq!(strangers(&quarantine, &place, since), Some(vec![place.clone()]), "nobody agreed to that");
        let note = note(&quarantine, &place);
        let begun = fs::read_to_string(note.with_extension(BEGUN)).unwrap();
        let encoded = ["VE9LRU49d2FzLWhlcmU", "was-here"];
        assert!(!encoded.iter().any(|text| begun.contains(text)), "{begun}");
        for name in [note.clone(), note.with_extension(BEGUN), note.with_extension(LEFT)] {
            let long_ago = SystemTime::now() - KEPT - Duration::from_secs(1);
            fs::File::options().write(true).open(name).unwrap().set_modified(long_ago).unwrap();
        }
        let other = folder.path().join("other");
        expect(&home, [&other]);
        let left = fs::read_dir(quarantine.join(EXPECTED)).unwrap().count();
        assert_eq!(left, 2, "the new note and what is beside it");
    }

    #[test]
    fn where_nothing_came_of_it_nothing_may_be_made() {
        let folder = tempfile::tempdir().unwrap();
        let (home, place) = (folder.path().join("home"), folder.path().join(".husky/pre-commit"));
        let quarantine = home.join(QUARANTINE);
        let all = || strangers(&quarantine, &folder.path().join(".husky"), SystemTime::now());
        fs::create_dir(folder.path().join(".husky")).unwrap();
        expect(&home, [&place]);
        fs::write(&place, "mine").unwrap();
        assert_eq!(all(), Some(Vec::new()), "it may be made");
        let beside = folder.path().join(".husky/other");
        fs::write(&beside, "x").unwrap();
        assert_eq!(all(), Some(vec![beside.clone()]), "and nothing else");
        withdraw(&quarantine, &BTreeSet::from([place.clone()]));
        assert_eq!(all().map(BTreeSet::from_iter), Some(BTreeSet::from([beside, place])));
    }
}
