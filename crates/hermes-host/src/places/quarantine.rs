//! Where things go that a program put at places that were to stay empty. Nothing is lost: they are moved, and what was
//! moved is written down for whoever is told of the program's end.

use std::cell::OnceCell;
use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, RenameFlags, ResolveFlags, openat, openat2, renameat_with, statat,
};
use rustix::io::Errno;

use super::locked::give_back;
use super::vacant::Vacant;
use crate::spot::{FOLDER, Spot};
use crate::workspace::open_exact;

/// What was moved, line by line.
const LIST: &str = "moved";
/// For lists of tools that look at everything in a folder.
const IGNORED: (&str, &str) = (".gitignore", "*\n");
const MOST_ALIKE: u32 = 100;
/// File systems take names of 255 bytes.
const LONGEST_NAME: usize = 240;

/// Something that was taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Relative to the session's folder, or where else it was.
    pub place: String,
    /// Where it is now; `None` if it could not be moved.
    pub kept: Option<PathBuf>,
}

/// What the program of that name brought about and lost, as its custodian wrote it down.
pub(crate) fn taken(quarantine: &Path, name: &str) -> Vec<Taken> {
    let folder = quarantine.join(name);
    let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let taken = |line: &str| {
        let (place, kept) = line.split_once('\t')?;
        Some(Taken { place: place.to_owned(), kept: (!kept.is_empty()).then(|| PathBuf::from(kept)) })
    };
    let mut all: Vec<Taken> = list.lines().filter_map(taken).collect();
    // Where the disk was full there is more than the list says.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_told =
            all.iter().any(|taken| taken.kept.as_deref() == Some(&*PathBuf::from(in_one_line(&entry))));
        if name != LIST && !is_told {
            all.push(Taken { place: name.replace("__", "/"), kept: Some(entry) });
        }
    }
    all
}

/// The quarantine of one program.
pub(super) struct Quarantine {
    /// The session's folder first.
    grounds: Vec<Ground>,
    own: Option<Shelf>,
}

/// A folder that things are taken away from.
struct Ground {
    path: PathBuf,
    folder: OwnedFd,
    /// Where things go whose disk is another.
    beside: OnceCell<Option<Shelf>>,
}

/// A folder where things are kept, held open: programs that still run may put something else at its path.
struct Shelf {
    path: PathBuf,
    folder: OwnedFd,
}

impl Quarantine {
    pub(super) fn of(vacant: &Vacant) -> io::Result<Self> {
        let path = vacant.quarantine.join(&vacant.name);
        // A disk that a program has filled up is no reason to leave anything where it is.
        let made = crate::private::folder(&path).is_ok();
        let folder = made.then(|| openat(CWD, &path, FOLDER, Mode::empty()).ok()).flatten();
        let own = folder.map(|folder| Shelf { folder, path });
        let mut grounds = vec![Ground::at(&vacant.folder)?];
        // Where one is not there any more nothing is left to be taken away.
        grounds.extend(vacant.around.iter().filter_map(|folder| Ground::at(folder).ok()));
        Ok(Quarantine { grounds, own })
    }

    /// Moves them here and writes down what was moved.
    pub(super) fn take(&self, places: &[PathBuf]) {
        // Made first, so that nothing that is moved here has its name.
        let list = self.own.as_ref().and_then(|own| Spot::within(&own.folder, LIST).ok());
        let mut list = list.and_then(|list| list.make_file(0o600).ok());
        for place in places {
            let Some((number, below)) = self.ground_of(place) else { continue };
            let ground = self.grounds.get(number);
            let kept = ground.and_then(|ground| ground.take(below, self.own.as_ref())).unwrap_or_default();
            let shown = if number == 0 { below } else { place };
            let line = format!("{}\t{}\n", in_one_line(shown), in_one_line(&kept));
            let _ = list.as_mut().map(|list| list.write_all(line.as_bytes()));
        }
    }

    /// The nearest one around a place, and the way from there.
    fn ground_of<'p>(&self, place: &'p Path) -> Option<(usize, &'p Path)> {
        let all = self.grounds.iter().enumerate();
        let around =
            all.filter_map(|(number, ground)| Some((number, place.strip_prefix(&ground.path).ok()?)));
        around.min_by_key(|(_, below)| below.as_os_str().len())
    }
}

impl Ground {
    fn at(path: &Path) -> io::Result<Self> {
        let folder = open_exact(path, FOLDER)?;
        Ok(Ground { path: path.to_owned(), folder, beside: OnceCell::new() })
    }

    /// `None` if it stays where it is. Where nothing can be made to put it in, it gets a name that nobody looks for.
    fn take(&self, place: &Path, own: Option<&Shelf>) -> Option<PathBuf> {
        let (parent, name) = nearest(&self.folder, place)?;
        let shown = shelved(place);
        let on = |shelf: &Shelf| shelf.take(&parent, &name, &shown).ok();
        let beside = || on(self.beside.get_or_init(|| self.make_beside().ok()).as_ref()?);
        own.and_then(on).or_else(beside).or_else(|| {
            let unknown = unknown_name();
            moved(&parent, &name, &parent, &unknown).ok()?;
            Some(self.path.join(place).with_file_name(unknown))
        })
    }

    /// Out of what lists and commits files. Nobody knows its name before it is there.
    fn make_beside(&self) -> io::Result<Shelf> {
        let name = unknown_name();
        let spot = Spot::within(&self.folder, &name)?;
        spot.make_folder(0o700)?;
        let shelf = Shelf { folder: spot.open(FOLDER)?, path: self.path.join(name) };
        let ignored = Spot::within(&shelf.folder, IGNORED.0)?.make_file(0o600);
        // Who puts something else there has it listed, and loses it all the same.
        let _ = ignored.map(|mut ignored| ignored.write_all(IGNORED.1.as_bytes()));
        Ok(shelf)
    }
}

impl Shelf {
    /// Where it is now. Two places may look alike here, so a number tells them apart.
    fn take(&self, parent: &OwnedFd, name: &Path, shown: &str) -> rustix::io::Result<PathBuf> {
        let mut kept = shown.to_owned();
        for number in 2..MOST_ALIKE {
            match moved(parent, name, &self.folder, &kept) {
                Err(Errno::EXIST) => kept = format!("{shown}.{number}"),
                done => return done.map(|()| self.path.join(kept)),
            }
        }
        Err(Errno::EXIST)
    }
}

fn unknown_name() -> String {
    format!("hermes-quarantine-{}", uuid::Uuid::new_v4().simple())
}

/// Programs name what fits a pattern; a line stays a line all the same.
fn in_one_line(path: &Path) -> String {
    path.to_string_lossy().replace(char::is_control, " ")
}

/// The name of a place here, no longer than a number behind it leaves room for.
fn shelved(place: &Path) -> String {
    let whole = place.to_string_lossy().replace('/', "__");
    whole
        .get(whole.floor_char_boundary(whole.len().saturating_sub(LONGEST_NAME))..)
        .unwrap_or_default()
        .to_owned()
}

/// The folder around a place, and its name there. A link on the way that leads out of the session's folder is what is
/// at the place then. Other programs may change names meanwhile, so only what was opened is spoken of.
fn nearest(folder: &OwnedFd, place: &Path) -> Option<(OwnedFd, PathBuf)> {
    let within = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let above = |path: &Path| path.parent().filter(|above| !above.as_os_str().is_empty()).map(Path::to_owned);
    let around = above(place).unwrap_or_else(|| PathBuf::from("."));
    if let Ok(parent) = open_folder(folder, &around, within) {
        return Some((parent, PathBuf::from(place.file_name()?)));
    }
    let mut paths: Vec<&Path> = place.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
    paths.reverse();
    let is_link = |path: &&Path| {
        statat(folder, *path, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|facts| FileType::from_raw_mode(facts.st_mode).is_symlink())
    };
    let link = paths.into_iter().find(is_link)?;
    let around = above(link).unwrap_or_else(|| PathBuf::from("."));
    let parent = open_folder(folder, &around, within | ResolveFlags::NO_SYMLINKS).ok()?;
    Some((parent, PathBuf::from(link.file_name()?)))
}

fn open_folder(from: impl std::os::fd::AsFd, path: &Path, how: ResolveFlags) -> rustix::io::Result<OwnedFd> {
    openat2(from, path, FOLDER, Mode::empty(), how)
}

fn moved(parent: &OwnedFd, name: &Path, to: &OwnedFd, shown: &str) -> rustix::io::Result<()> {
    let rename = || renameat_with(parent, name, to, shown, RenameFlags::NOREPLACE);
    match rename() {
        // A folder can be made such that nothing can be taken out of it, by its owner too.
        Err(Errno::ACCESS | Errno::PERM) => {
            let _ = give_back(parent);
            if let Ok(thing) = openat(parent, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
                let _ = give_back(&thing);
            }
            rename()
        }
        done => done,
    }
}
