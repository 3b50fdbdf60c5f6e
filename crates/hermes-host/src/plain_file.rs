//! Files that other people and programs put there. Only a plain file is opened: a pipe would keep whoever
//! opens it waiting, and a device never ends. No more is read than is bearable.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a plain file, or says what it is instead. Never waits for a writer.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|error| {
        // What a socket answers to being opened.
        match error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) {
            true => no_plain_file(),
            false => error,
        }
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_plain_file()) }
}

/// The whole of a plain file of at most `max` bytes.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > max {
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it has more than the {max} bytes it may have"),
        ));
    }
    Ok(bytes)
}

/// The same as text.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, max)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "this is not UTF-8 text"))
}

fn no_plain_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "this is no plain file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_are_read_and_only_so_far() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "1234").unwrap();
        assert_eq!(read(&path("file"), 4).unwrap(), b"1234");
        assert_eq!(read(&path("file"), 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        rustix::fs::mkfifoat(rustix::fs::CWD, path("pipe"), rustix::fs::Mode::RUSR).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("device")).unwrap();
        std::os::unix::fs::symlink(path("file"), path("link")).unwrap();
        for odd in ["pipe", "socket", "device", ""] {
            assert_eq!(open(&path(odd)).unwrap_err().to_string(), "this is no plain file", "{odd}");
        }
        assert_eq!(read_text(&path("link"), 4).unwrap(), "1234");
        assert_eq!(open(&path("none")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
