//! The newest part of an output, in two files that take turns. Each is named by where in the whole output it
//! begins, so a reader can tell what it missed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;

/// What comes before the number in the name of a file.
pub(crate) const LOG_NAME: &str = "log.";
/// Bytes of one file; between one and two of them are kept.
const LOG_BYTES: u64 = 512 * 1024;

/// Writes into the working folder.
pub(super) struct Log {
    file: File,
    begins: u64,
    length: u64,
    older: Option<u64>,
}

impl Log {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Log { file: create(0)?, begins: 0, length: 0, older: None })
    }

    /// A disk that is full loses output, not the program.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(usize::try_from(LOG_BYTES).unwrap_or(usize::MAX)) {
            if self.length >= LOG_BYTES {
                self.turn();
            }
            let _ = self.file.write_all(piece);
            self.length += u64::try_from(piece.len()).unwrap_or_default();
        }
    }

    fn turn(&mut self) {
        let begins = self.begins + self.length;
        let Ok(file) = create(begins) else { return };
        if let Some(older) = self.older.replace(self.begins) {
            let _ = fs::remove_file(name(older));
        }
        (self.file, self.begins, self.length) = (file, begins, 0);
    }
}

fn name(begins: u64) -> String {
    format!("{LOG_NAME}{begins}")
}

fn create(begins: u64) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(name(begins))
}
