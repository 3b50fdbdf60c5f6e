//! Where ssh has the sockets of its shared connections: in the folder of Hermes itself, which no command sees. The name
//! of a socket must be short and that of the folder may be long, so programs run in it and say the name alone.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, openat};

use crate::spot::{FOLDER, Spot};

pub(super) struct Sockets(PathBuf);

impl Sockets {
    pub(super) fn of(hermes_home: &Path) -> Self {
        Sockets(hermes_home.join("ssh"))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// For a new connection. Those of connections whose owner was killed are taken away.
    pub(super) fn new_name(&self) -> io::Result<String> {
        crate::private::folder(&self.0)?;
        self.remove_dead()?;
        Ok(uuid::Uuid::new_v4().simple().to_string())
    }

    pub(super) fn is_alive(&self, name: &str) -> bool {
        let folder = openat(CWD, &self.0, FOLDER, Mode::empty());
        folder.is_ok_and(|folder| !is_dead(&folder, name))
    }

    fn remove_dead(&self) -> io::Result<()> {
        let folder = openat(CWD, &self.0, FOLDER, Mode::empty())?;
        let entries =
            Dir::read_from(openat(&folder, ".", OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty())?)?;
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().to_str() else { continue };
            let spot = Spot::within(&folder, name)?;
            let is_socket = |mode| FileType::from_raw_mode(mode) == FileType::Socket;
            // A plain file refuses connections too.
            if spot.facts().is_ok_and(|facts| is_socket(facts.st_mode)) && is_dead(&folder, name) {
                let _ = spot.open(OFlags::PATH).and_then(|dead| spot.remove(dead));
            }
        }
        Ok(())
    }
}

fn is_dead(folder: &OwnedFd, name: &str) -> bool {
    let answer = UnixStream::connect(format!("/proc/self/fd/{}/{name}", folder.as_raw_fd()));
    answer.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}
