//! What a commit of several files is about to do, written down in Hermes's own folder before the first name changes.
//! After a kill in the middle whoever comes next finds it and takes everything back, so that no file stays half way.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use super::heal;
use super::stage::Staged;
use crate::home::Home;
use crate::private;

/// What one that is still being written ends in.
const UNFINISHED: &str = "new";
/// What one ends in whose files are all in place.
const SETTLED: &str = "done";

/// Where intents are kept.
#[derive(Clone, Debug)]
pub(crate) struct Intents {
    folder: PathBuf,
}

/// One of a commit that is under way. Whoever wrote it holds its lock, and loses that with its life.
pub(super) struct Intent {
    path: PathBuf,
    folder: File,
    _locked: File,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// Folders that were made for it, outermost first.
    pub(super) made: Vec<Name>,
}

/// What happens to one file.
#[derive(Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) path: Name,
    /// The name beside it that its old content has meanwhile; `None` if there was none.
    pub(super) aside: Option<String>,
    /// The hash of the new content; `None` if the file goes away.
    pub(super) after: Option<String>,
}

/// A path may be no text.
#[derive(Serialize, Deserialize)]
pub(super) struct Name(Vec<u8>);

impl Name {
    pub(super) fn path(&self) -> &Path {
        Path::new(std::ffi::OsStr::from_bytes(&self.0))
    }
}

impl From<&Path> for Name {
    fn from(path: &Path) -> Self {
        Name(path.as_os_str().as_bytes().to_vec())
    }
}

impl Intents {
    pub(crate) fn at(hermes_home: &Path) -> Self {
        Intents { folder: Home::at(hermes_home).commits_dir() }
    }

    /// Writes down what is about to happen, to stay after a power cut too.
    pub(super) fn begin(&self, staged: &[Staged<'_>], made: &[PathBuf]) -> io::Result<Intent> {
        private::folder(&self.folder)?;
        let step = |one: &Staged<'_>| Step {
            path: Name::from(one.path),
            aside: one.old.is_some().then(|| one.aside.clone()),
            after: one.after_hash().map(str::to_owned),
        };
        let plan = Plan {
            steps: staged.iter().map(step).collect(),
            made: made.iter().map(|path| Name::from(path.as_path())).collect(),
        };
        let path = self.folder.join(uuid::Uuid::now_v7().simple().to_string());
        let unfinished = path.with_extension(UNFINISHED);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        let written = file.write_all(&serde_json::to_vec(&plan)?).and_then(|()| file.sync_all());
        if let Err(error) = written.and_then(|()| fs::rename(&unfinished, &path)) {
            let _ = fs::remove_file(&unfinished);
            return Err(error);
        }
        let intent = Intent { path, folder: File::open(&self.folder)?, _locked: file };
        intent.folder.sync_all()?;
        Ok(intent)
    }

    /// Takes back what killed commits left half done.
    pub(crate) fn heal(&self) {
        // Usually nothing was ever left.
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if let Some(_dead) = abandoned(&path) {
                heal_one(&path);
            }
        }
    }
}

impl Intent {
    /// All files are in place: from here on nothing is taken back.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        let settled = self.path.with_extension(SETTLED);
        fs::rename(&self.path, &settled)?;
        self.path = settled;
        self.folder.sync_all()
    }

    /// Nothing is left to do, one way or the other.
    pub(super) fn forget(self) {
        // One that stays is found again, with nothing left to do for it.
        let _ = fs::remove_file(&self.path);
    }
}

/// The intent, locked, if whoever wrote it is dead.
fn abandoned(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
    let same = |named: fs::Metadata| file.metadata().is_ok_and(|own| own.ino() == named.ino());
    fs::metadata(path).is_ok_and(same).then_some(file)
}

fn heal_one(path: &Path) {
    let extension = path.extension().and_then(|end| end.to_str());
    let plan = fs::read(path).ok().and_then(|text| serde_json::from_slice::<Plan>(&text).ok());
    let is_healed = match (extension, plan) {
        (Some(UNFINISHED), _) => true,
        (Some(SETTLED), Some(plan)) => heal::finish(&plan),
        (None, Some(plan)) => heal::take_back(&plan),
        _ => false,
    };
    if is_healed {
        let _ = fs::remove_file(path);
    }
}
