//! What taking back would do, found out without doing it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use hermes_core::ToolError;
use rustix::fs::{FileType, OFlags, fstat};
use rustix::io::Errno;

use super::objects::hash;
use super::record::{FileState, MadeFolder, UndoFile, UndoRecord};
use super::store::UndoStore;
use crate::state::fault;
use crate::workspace::open_exact;

/// Larger files are not compared; they are taken for changed.
const MAX_COMPARED: u64 = 64 * 1024 * 1024;

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct PlannedFile {
    pub path: PathBuf,
    /// The content now; `None` if nothing is there.
    pub now: Option<Vec<u8>>,
    /// The content it would have; `None` if nothing would be there.
    pub then: Option<Vec<u8>>,
    /// Permission bits, and user and group, of a file that comes back.
    pub(super) mode: Option<u32>,
    pub(super) owner: Option<(u32, u32)>,
    /// Why this file cannot be taken back.
    pub problem: Option<String>,
}

impl PlannedFile {
    /// Whether the file already is what it would become.
    pub fn is_done(&self) -> bool {
        self.problem.is_none() && self.now == self.then
    }
}

/// What would become of the files of some records.
#[derive(Clone, Debug)]
pub struct UndoPlan {
    pub records: Vec<UndoRecord>,
    /// Sorted by path.
    pub files: Vec<PlannedFile>,
}

impl UndoPlan {
    /// Whether every file can be taken back.
    pub fn is_clear(&self) -> bool {
        self.files.iter().all(|file| file.problem.is_none())
    }

    /// The folders that were made for these changes, outermost first. They go as far as nothing is left in them.
    pub fn folders(&self) -> Vec<PathBuf> {
        let folders: BTreeSet<&PathBuf> =
            self.records.iter().flat_map(|record| &record.folders).map(|MadeFolder(path)| path).collect();
        folders.into_iter().cloned().collect()
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.files.iter().all(PlannedFile::is_done)
    }
}

impl UndoStore {
    /// Plans to take back these records, newest first, as one step.
    pub fn plan(&self, records: Vec<UndoRecord>) -> Result<UndoPlan, ToolError> {
        let mut by_path: BTreeMap<&Path, Vec<&UndoFile>> = BTreeMap::new();
        for file in records.iter().flat_map(|record| &record.files) {
            by_path.entry(&file.path).or_default().push(file);
        }
        let mut files = Vec::with_capacity(by_path.len());
        for (path, chain) in by_path {
            files.push(self.plan_file(path, &chain)?);
        }
        Ok(UndoPlan { records, files })
    }

    fn plan_file(&self, path: &Path, chain: &[&UndoFile]) -> Result<PlannedFile, ToolError> {
        let (Some(newest), Some(oldest)) = (chain.first(), chain.last()) else {
            return Err(ToolError::internal("an empty plan"));
        };
        let (now, then) = (look(path), &oldest.before);
        let mut planned = PlannedFile {
            path: path.to_owned(),
            now: None,
            then: None,
            mode: None,
            owner: None,
            problem: None,
        };
        let state = match now {
            Seen::Nothing => FileState::Absent,
            Seen::Content(content) => {
                let (sha256, size) = (hash(&content), content.len() as u64);
                planned.now = Some(content);
                FileState::Content { sha256, size, mode: 0, owner: None }
            }
            Seen::Other(what) => {
                planned.problem = Some(what);
                return Ok(planned);
            }
        };
        match then {
            FileState::Absent => {}
            FileState::NotKept { size } => {
                planned.problem = Some(format!("its {size} bytes were too many to keep"));
                return Ok(planned);
            }
            FileState::Content { sha256, mode, owner, .. } => {
                let kept = self.objects.get(sha256);
                planned.then = kept.map_err(|error| fault("a kept content could not be read", error))?;
                // What stands there now is another file if the old one was gone in between.
                let was_gone = chain.iter().any(|file| file.before == FileState::Absent);
                if planned.now.is_none() || was_gone {
                    (planned.mode, planned.owner) = (Some(*mode), *owner);
                }
                if planned.then.is_none() {
                    planned.problem = Some("its old content is not kept any more".to_owned());
                    return Ok(planned);
                }
            }
        }
        if !state.is_same(then) && !state.is_same(&newest.after) {
            planned.problem = Some("it was changed since, by something else".to_owned());
        } else if !is_unbroken(chain) {
            planned.problem = Some("something else changed it between these calls".to_owned());
        }
        Ok(planned)
    }
}

/// Whether each change began where the one before it ended, or where that one began because it never ran.
fn is_unbroken(chain: &[&UndoFile]) -> bool {
    chain.windows(2).all(|pair| match pair {
        [newer, older] => newer.before.is_same(&older.after) || newer.before.is_same(&older.before),
        _ => true,
    })
}

enum Seen {
    Nothing,
    Content(Vec<u8>),
    /// Something that is not a plain file, or cannot be read.
    Other(String),
}

fn look(path: &Path) -> Seen {
    let opened = match open_exact(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY) {
        Ok(opened) => opened,
        Err(Errno::NOENT | Errno::NOTDIR) => return Seen::Nothing,
        Err(Errno::LOOP) => return Seen::Other("a symbolic link stands in its way now".to_owned()),
        Err(errno) => return Seen::Other(format!("it cannot be read: {errno}")),
    };
    match fstat(&opened) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {}
        _ => return Seen::Other("it is not a plain file any more".to_owned()),
    }
    let mut content = Vec::new();
    match File::from(opened).take(MAX_COMPARED + 1).read_to_end(&mut content) {
        Ok(length) if length as u64 <= MAX_COMPARED => Seen::Content(content),
        Ok(_) => Seen::Other("it is too large now to be compared".to_owned()),
        Err(error) => Seen::Other(format!("it cannot be read: {error}")),
    }
}
