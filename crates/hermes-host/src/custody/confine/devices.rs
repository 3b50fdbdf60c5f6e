//! A `/dev` with nothing in it that could be hurt: a read-only mount does not keep anybody from writing to a
//! disk's device file, so the program gets a folder with the harmless ones only.

use std::fs::{self, File, OpenOptions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use super::mount_calls::{Depth, Outcome, READ_ONLY, change, change_tree, mount_new, picked, place};

const HARMLESS: &[&str] = &["full", "null", "random", "tty", "urandom", "zero"];

/// An empty file and an empty folder that nobody may open, to be placed above what is hidden.
pub(super) const CLOSED_FILE: &str = "/dev/.closed";
pub(super) const CLOSED_FOLDER: &str = "/dev/.closed.d";

/// Where the program finds the terminal that it was given: it is none of its own folder of terminals.
const CONSOLE: &str = "/dev/console";

/// Device files as they were before everything lost its devices.
pub(super) struct Devices(Vec<(PathBuf, OwnedFd)>);

impl Devices {
    /// `terminal` is the one that the program was given.
    pub(super) fn pick(terminal: Option<&Path>) -> Outcome<Self> {
        let mut devices = Vec::new();
        if let Some(terminal) = terminal {
            devices.push((PathBuf::from(CONSOLE), untouchable(terminal)?));
        }
        for name in HARMLESS {
            let path = Path::new("/dev").join(name);
            if path.exists() {
                devices.push((path.clone(), untouchable(&path)?));
            }
        }
        Ok(Devices(devices))
    }

    pub(super) fn lay_out(self) -> Outcome {
        let dev = Path::new("/dev");
        mount_new("tmpfs", dev, libc::MS_NOSUID | libc::MS_NOEXEC, "mode=755,size=64k")?;
        for (path, tree) in &self.0 {
            File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
            place(tree, path)?;
        }
        for name in ["pts", "shm"] {
            let path = dev.join(name);
            fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let quiet = libc::MS_NOSUID | libc::MS_NOEXEC;
        mount_new("devpts", &dev.join("pts"), quiet, "newinstance,ptmxmode=0666,mode=620")?;
        mount_new("tmpfs", &dev.join("shm"), quiet | libc::MS_NODEV, "mode=1777,size=512m")?;
        let links = [
            ("ptmx", "pts/ptmx"),
            ("fd", "/proc/self/fd"),
            ("stdin", "/proc/self/fd/0"),
            ("stdout", "/proc/self/fd/1"),
            ("stderr", "/proc/self/fd/2"),
        ];
        for (name, target) in links {
            symlink(target, dev.join(name)).map_err(|error| format!("/dev/{name}: {error}"))?;
        }
        closed_ones().map_err(|error| format!("{CLOSED_FILE}: {error}"))
    }
}

/// A device file whose mode, owner and times stay as they are: it is the machine's own, and whoever owns it could close
/// it to everybody else. What is written to a device needs no file system that can be written.
fn untouchable(path: &Path) -> Outcome<OwnedFd> {
    let tree = picked(path, Depth::One)?;
    change_tree(&tree, Depth::One, (READ_ONLY, 0), path)?;
    Ok(tree)
}

/// Nothing more comes into the folder, and copies of what is in it can be changed no more than it.
pub(super) fn seal() -> Outcome {
    change(Path::new("/dev"), Depth::One, READ_ONLY, 0)
}

fn closed_ones() -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o000).open(CLOSED_FILE)?;
    fs::DirBuilder::new().mode(0o000).create(CLOSED_FOLDER)
}
