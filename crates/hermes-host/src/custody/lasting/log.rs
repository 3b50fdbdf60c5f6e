//! The newest part of an output, in two files that take turns. Each is named by where in the whole output it begins
//! and how many lines end before that, so a reader can tell what it missed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;

/// What comes before the number in the name of a file.
const LOG_NAME: &str = "log.";
/// Bytes of one file; between one and two of them are kept.
const LOG_BYTES: u64 = 512 * 1024;

/// Writes into the working folder.
pub(super) struct Log {
    file: File,
    begins: Begins,
    length: u64,
    /// Lines that ended so far.
    lines: u64,
    older: Option<Begins>,
}

impl Log {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Log {
            file: create(Begins::default())?,
            begins: Begins::default(),
            length: 0,
            lines: 0,
            older: None,
        })
    }

    /// A disk that is full loses output, not the program.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(usize::try_from(LOG_BYTES).unwrap_or(usize::MAX)) {
            if self.length >= LOG_BYTES {
                self.turn();
            }
            let _ = self.file.write_all(piece);
            self.lines += u64::try_from(memchr::memchr_iter(b'\n', piece).count()).unwrap_or_default();
            self.length += u64::try_from(piece.len()).unwrap_or_default();
        }
    }

    fn turn(&mut self) {
        let begins = Begins { byte: self.begins.byte + self.length, lines: self.lines };
        let Ok(file) = create(begins) else { return };
        if let Some(older) = self.older.replace(self.begins) {
            let _ = fs::remove_file(older.name());
        }
        (self.file, self.begins, self.length) = (file, begins, 0);
    }
}

/// Where a file begins in the whole output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Begins {
    pub(crate) byte: u64,
    /// Lines that end before it.
    pub(crate) lines: u64,
}

impl Begins {
    pub(crate) fn name(self) -> String {
        format!("{LOG_NAME}{}.{}", self.byte, self.lines)
    }

    /// What a name says.
    pub(crate) fn read(name: &str) -> Option<Self> {
        let (byte, lines) = name.strip_prefix(LOG_NAME)?.split_once('.')?;
        Some(Begins { byte: byte.parse().ok()?, lines: lines.parse().ok()? })
    }
}

fn create(begins: Begins) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(begins.name())
}
