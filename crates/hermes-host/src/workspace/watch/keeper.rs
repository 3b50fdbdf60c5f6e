//! Holds on to what is watched. The kernel watches objects and people watch names: when a folder is removed and made
//! again, or another one takes its place, the kernel has nothing more to say, and the keeper takes hold of the new one.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use notify::event::{CreateKind, RemoveKind};
use notify::{Event, EventKind};
use rustix::fs::{AtFlags, Dir, FileType, OFlags, statat};

use super::attach::{Attached, attach};
use super::known::Known;
use super::shared::{MOST_PENDING, Shared, Signal};
use super::subject::Subject;
use crate::workspace::open::open_exact;

/// How often a name is looked at, in case the kernel said nothing.
const LOOK: Duration = Duration::from_millis(500);
/// The same while nothing stands there.
const SOON: Duration = Duration::from_millis(100);

pub(super) struct Keeper {
    subject: Subject,
    shared: Arc<Shared>,
    /// `None` while nothing is there that could be watched.
    attached: Option<Attached>,
}

impl Keeper {
    /// Keeps the watch until it is told to stop.
    pub(super) fn start(
        subject: Subject,
        shared: Arc<Shared>,
        attached: Attached,
        signals: Receiver<Signal>,
    ) -> io::Result<()> {
        let keeper = Keeper { subject, shared, attached: Some(attached) };
        std::thread::Builder::new().name("file watch".into()).spawn(move || keeper.keep(&signals)).map(|_| ())
    }

    fn keep(mut self, signals: &Receiver<Signal>) {
        loop {
            let wait = if self.attached.is_some() { LOOK } else { SOON };
            match signals.recv_timeout(wait) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Signal::Lost) => self.take_hold(true),
                Err(RecvTimeoutError::Timeout) => self.take_hold(false),
                Ok(Signal::Moved(_)) => {}
                Ok(Signal::Unheard) => self.look_again(),
                Ok(Signal::Come(path)) => {
                    if self.see_what_came(path, signals) {
                        return;
                    }
                }
            }
        }
    }

    /// Makes sure that what is watched is what stands there now.
    fn take_hold(&mut self, is_lost: bool) {
        let identity = self.subject.identity();
        if let Some(attached) = &self.attached {
            // Where it is looked at again and again, no hold can be lost.
            if attached.polled || (attached.identity == identity && !is_lost) {
                return;
            }
            self.attached = None;
            self.shared.forget();
            // What is lost the kernel has told; what is only another one it has not.
            if !is_lost || self.subject.single.is_some() {
                self.tell(EventKind::Remove(RemoveKind::Any));
            }
        }
        if identity.is_none() {
            return;
        }
        // Another one may have come while this one was taken hold of: the next look finds it.
        self.attached = attach(&self.subject, &self.shared)
            .ok()
            .filter(|attached| attached.identity == self.subject.identity());
        if self.attached.is_some() {
            self.tell(EventKind::Create(CreateKind::Any));
            if self.subject.single.is_none() {
                self.tell_inside(self.subject.root.clone());
            }
        }
    }

    /// Tells that the folder is gone, or is there again; of a file, what really became of it.
    fn tell(&self, kind: EventKind) {
        match &self.subject.single {
            None => self.shared.note(&Event::new(kind).add_path(self.subject.root.clone())),
            Some(single) => {
                let looked = single.lock().unwrap_or_else(PoisonError::into_inner).looked();
                looked.iter().for_each(|event| self.shared.note(event));
            }
        }
    }

    /// Tells what is in new folders: some of it may have been there before they were watched. Returns whether to stop.
    fn see_what_came(&mut self, path: PathBuf, signals: &Receiver<Signal>) -> bool {
        if let Some(attached) = &mut self.attached {
            attached.catch_up();
        }
        let (mut come, mut is_lost, mut is_unheard, mut stops) = (vec![path], false, false, false);
        let mut moved = Vec::new();
        while let Ok(signal) = signals.try_recv() {
            match signal {
                Signal::Come(path) => come.push(path),
                // What moved here was watched where it was.
                Signal::Moved(path) => moved.push(path),
                Signal::Lost => is_lost = true,
                Signal::Unheard => is_unheard = true,
                Signal::Stop => stops = true,
            }
        }
        come.retain(|path| !moved.contains(path));
        come.into_iter().for_each(|path| self.tell_inside(path));
        if is_lost {
            self.take_hold(true);
        }
        if is_unheard {
            self.look_again();
        }
        stops
    }

    /// Learns anew which names stand there.
    fn look_again(&self) {
        if self.subject.single.is_none() {
            self.shared.learn(Known::in_folder(&self.subject.root, self.subject.recursive));
        }
    }

    /// Tells everything in a folder as new. No link is followed.
    fn tell_inside(&self, folder: PathBuf) {
        let mut left = MOST_PENDING;
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for (path, is_folder) in inside(&folder) {
                let Some(fewer) = left.checked_sub(1) else { return self.shared.lose() };
                left = fewer;
                if is_folder && self.subject.recursive {
                    folders.push(path.clone());
                }
                let event = Event::new(EventKind::Create(CreateKind::Any)).add_path(path);
                self.shared.note_inside(&event);
            }
        }
    }
}

/// What is in a folder, and whether it is a folder; nothing if it is none.
pub(super) fn inside(folder: &Path) -> Vec<(PathBuf, bool)> {
    let Ok(handle) = open_exact(folder, OFlags::RDONLY | OFlags::DIRECTORY) else { return Vec::new() };
    let Ok(entries) = Dir::read_from(&handle) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name != "." && name != ".." {
            let kind = match entry.file_type() {
                FileType::Unknown => statat(&handle, name, AtFlags::SYMLINK_NOFOLLOW)
                    .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode)),
                kind => kind,
            };
            found.push((folder.join(name), kind == FileType::Directory));
        }
    }
    found
}
