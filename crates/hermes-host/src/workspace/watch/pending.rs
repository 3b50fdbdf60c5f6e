//! Changes that wait to be told: one for each file, however often it was touched.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notify::event::{ModifyKind, RenameMode};
use notify::{Event, EventKind};

use crate::workspace::sweep::{is_aside_name, is_temporary};

/// What happened to a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Create,
    Modify,
    Delete,
    Rename,
}

/// A change that has settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchEvent {
    pub kind: ChangeKind,
    pub path: PathBuf,
    /// Where a renamed file is now.
    pub to: Option<PathBuf>,
    /// Milliseconds since the epoch.
    pub at_ms: i64,
}

struct Waiting {
    event: WatchEvent,
    last: Instant,
    /// What ties the two halves of a rename together.
    tracker: Option<usize>,
}

impl Waiting {
    fn has_settled(&self, settle: Duration, now: Instant) -> bool {
        now.saturating_duration_since(self.last) >= settle
    }
}

/// The changes of one watch. Bounded: what does not fit is counted.
#[derive(Default)]
pub(super) struct Pending {
    waiting: Vec<Option<Waiting>>,
    by_path: HashMap<PathBuf, usize>,
    pub(super) dropped: u64,
    most: usize,
}

impl Pending {
    pub(super) fn holding(most: usize) -> Self {
        Pending { most, ..Pending::default() }
    }

    /// Takes in what the kernel says; `replaces` if what comes by a new name takes the place of something.
    pub(super) fn note(&mut self, event: &Event, replaces: bool, at_ms: i64, now: Instant) {
        if event.need_rescan() {
            self.dropped += 1;
        }
        let tracker = event.tracker();
        let first = event.paths.first();
        match (event.kind, first, event.paths.get(1)) {
            // What a write has beside the file is nobody's affair; a file that exchanged its name with it is changed,
            // and one that was put aside is gone.
            (_, Some(path), None) if is_own_file(path) => {}
            (EventKind::Modify(ModifyKind::Name(RenameMode::Both)), Some(_), Some(to)) if is_aside(to) => {}
            (EventKind::Modify(ModifyKind::Name(RenameMode::Both)), Some(from), Some(to))
                if is_own_file(to) =>
            {
                self.add(ChangeKind::Modify, from, at_ms, now, None);
            }
            (EventKind::Create(_), Some(path), _) => self.add(ChangeKind::Create, path, at_ms, now, None),
            (EventKind::Remove(_), Some(path), _) => self.add(ChangeKind::Delete, path, at_ms, now, None),
            (EventKind::Modify(ModifyKind::Name(RenameMode::From)), Some(path), _) => {
                self.add(ChangeKind::Delete, path, at_ms, now, tracker);
            }
            (EventKind::Modify(ModifyKind::Name(RenameMode::To)), Some(path), _) => {
                let kind = if replaces { ChangeKind::Modify } else { ChangeKind::Create };
                self.add(kind, path, at_ms, now, tracker);
            }
            (EventKind::Modify(ModifyKind::Name(RenameMode::Both)), Some(from), Some(to)) => {
                self.rename(from, to, at_ms, now, tracker);
            }
            (EventKind::Modify(_), Some(path), _) => self.add(ChangeKind::Modify, path, at_ms, now, None),
            _ => {}
        }
    }

    fn add(&mut self, kind: ChangeKind, path: &Path, at_ms: i64, now: Instant, tracker: Option<usize>) {
        use ChangeKind::{Create, Delete, Modify, Rename};
        let index = self.by_path.get(path).copied();
        let known = index.and_then(|index| self.waiting.get_mut(index)).and_then(Option::as_mut);
        let Some(known) = known else {
            return self.push(WatchEvent { kind, path: path.to_owned(), to: None, at_ms }, now, tracker);
        };
        known.last = now;
        known.tracker = tracker.or(known.tracker);
        known.event.at_ms = at_ms;
        known.event.kind = match (known.event.kind, kind) {
            (Create, Modify | Create) => Create,
            (Rename, Modify) => Rename,
            // Made and gone again: nobody needs to know.
            (Create, Delete) => return self.forget(path),
            (Delete, Create) => Modify,
            (_, later) => later,
        };
    }

    fn rename(&mut self, from: &Path, to: &Path, at_ms: i64, now: Instant, tracker: Option<usize>) {
        let source = self.by_path.get(from).and_then(|index| self.waiting.get(*index)?.as_ref());
        let was_new = source.is_none() && tracker.is_some();
        // Both halves were noted one by one.
        let mut come = ChangeKind::Create;
        for path in [from, to] {
            let index = self.by_path.get(path).copied();
            let half = index.and_then(|index| self.waiting.get(index)?.as_ref());
            if let Some(half) = half.filter(|half| half.tracker == tracker && tracker.is_some()) {
                come = half.event.kind;
                self.forget(path);
            }
        }
        if was_new {
            // The source was made and renamed before anybody was told of it, as editors save.
            return self.add(come, to, at_ms, now, None);
        }
        let event =
            WatchEvent { kind: ChangeKind::Rename, path: from.to_owned(), to: Some(to.to_owned()), at_ms };
        self.push(event, now, None);
    }

    fn push(&mut self, event: WatchEvent, now: Instant, tracker: Option<usize>) {
        if self.by_path.len() >= self.most {
            self.dropped += 1;
            return;
        }
        let key = event.to.clone().unwrap_or_else(|| event.path.clone());
        self.by_path.insert(key, self.waiting.len());
        self.waiting.push(Some(Waiting { event, last: now, tracker }));
    }

    fn forget(&mut self, path: &Path) {
        if let Some(place) = self.by_path.remove(path).and_then(|index| self.waiting.get_mut(index)) {
            *place = None;
        }
    }

    /// The changes that have been quiet for `settle`, oldest first, at most `most` of those that are
    /// wanted. The others are let go of.
    pub(super) fn take(
        &mut self,
        settle: Duration,
        most: usize,
        now: Instant,
        wanted: impl Fn(&WatchEvent) -> bool,
    ) -> Vec<WatchEvent> {
        let mut taken = Vec::new();
        for place in &mut self.waiting {
            if taken.len() == most {
                break;
            }
            if place.as_ref().is_some_and(|waiting| waiting.has_settled(settle, now)) {
                taken.extend(place.take().map(|waiting| waiting.event).filter(&wanted));
            }
        }
        let rest = std::mem::take(&mut self.waiting).into_iter().flatten();
        self.waiting = rest.map(Some).collect();
        self.by_path.clear();
        for (index, waiting) in self.waiting.iter().flatten().enumerate() {
            let event = &waiting.event;
            self.by_path.insert(event.to.clone().unwrap_or_else(|| event.path.clone()), index);
        }
        taken
    }

    /// Whether a change that is wanted has settled.
    pub(super) fn has_settled(
        &self,
        settle: Duration,
        now: Instant,
        wanted: impl Fn(&WatchEvent) -> bool,
    ) -> bool {
        self.waiting
            .iter()
            .flatten()
            .any(|waiting| waiting.has_settled(settle, now) && wanted(&waiting.event))
    }

    /// How long until the next change settles; `None` if none is on its way.
    pub(super) fn next(&self, settle: Duration, now: Instant) -> Option<Duration> {
        let open = self.waiting.iter().flatten().filter(|waiting| !waiting.has_settled(settle, now));
        open.map(|waiting| settle.saturating_sub(now.saturating_duration_since(waiting.last))).min()
    }
}

pub(super) fn is_own_file(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| is_temporary(name) || is_aside(path))
}

fn is_aside(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_aside_name)
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, DataChange, RemoveKind};

    use super::*;

    const SETTLE: Duration = Duration::from_millis(100);

    fn create() -> EventKind {
        EventKind::Create(CreateKind::File)
    }

    fn modify() -> EventKind {
        EventKind::Modify(ModifyKind::Data(DataChange::Any))
    }

    fn remove() -> EventKind {
        EventKind::Remove(RemoveKind::File)
    }

    fn told(events: Vec<Event>) -> Vec<(ChangeKind, String)> {
        let mut pending = Pending::holding(100);
        let start = Instant::now();
        for event in &events {
            pending.note(event, false, 1, start);
        }
        assert!(pending.take(SETTLE, 10, start, |_| true).is_empty(), "nothing has settled yet");
        let taken = pending.take(SETTLE, 10, start + SETTLE, |_| true);
        taken.into_iter().map(|event| (event.kind, event.path.display().to_string())).collect()
    }

    fn on(kind: EventKind, path: &str) -> Event {
        Event::new(kind).add_path(path.into())
    }

    fn renamed(from: &str, to: &str) -> Vec<Event> {
        let name = |mode| EventKind::Modify(ModifyKind::Name(mode));
        vec![
            on(name(RenameMode::From), from).set_tracker(7),
            on(name(RenameMode::To), to).set_tracker(7),
            Event::new(name(RenameMode::Both)).add_path(from.into()).add_path(to.into()).set_tracker(7),
        ]
    }

    #[test]
    fn many_touches_are_one_change() {
        assert_eq!(
            told(vec![on(create(), "a"), on(modify(), "a"), on(modify(), "a")]),
            [(ChangeKind::Create, "a".into())]
        );
        assert_eq!(told(vec![on(modify(), "a"), on(modify(), "a")]), [(ChangeKind::Modify, "a".into())]);
        assert_eq!(told(vec![on(create(), "a"), on(remove(), "a")]), []);
        assert_eq!(told(vec![on(remove(), "a"), on(create(), "a")]), [(ChangeKind::Modify, "a".into())]);
    }

    #[test]
    fn an_editor_that_saves_by_rename_makes_one_change() {
        let save = [vec![on(create(), "a.tmp"), on(modify(), "a.tmp")], renamed("a.tmp", "a")].concat();
        assert_eq!(told(save), [(ChangeKind::Create, "a".into())]);
        assert_eq!(told(renamed("old", "new")), [(ChangeKind::Rename, "old".into())]);
    }

    #[test]
    fn our_own_writes_are_one_change_each() {
        let (tmp, old) =
            (".hermes-0123456789abcdef0123456789abcdef.tmp", ".hermes-0123456789abcdef0123456789abcdef.old");
        let written = vec![on(create(), tmp), on(modify(), tmp)];
        let exchanged =
            [written.clone(), renamed(tmp, "a"), renamed("a", tmp), vec![on(remove(), tmp)]].concat();
        assert_eq!(told(exchanged), [(ChangeKind::Modify, "a".into())]);
        assert_eq!(told([written, renamed(tmp, "a")].concat()), [(ChangeKind::Create, "a".into())]);
        assert_eq!(
            told([renamed("a", old), vec![on(remove(), old)]].concat()),
            [(ChangeKind::Delete, "a".into())]
        );
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut pending = Pending::holding(3);
        for index in 0..10 {
            pending.note(&on(create(), &format!("f{index}")), false, 1, Instant::now());
        }
        assert_eq!(pending.dropped, 7);
    }
}
