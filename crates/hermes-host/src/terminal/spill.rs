//! What a program prints beyond its head, on disk: memory stays small however many programs print at once, and the
//! middle of a long output is not lost.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use rustix::fs::{MemfdFlags, Mode, OFlags, memfd_create, open};

/// So much is kept of what comes after the head.
pub(super) const MOST: u64 = 4 * 1024 * 1024;

/// The output after its head, in a file that never has a name: no other program can open it, and it is gone with who
/// holds it.
#[derive(Debug)]
pub(super) struct Spill {
    file: File,
    written: u64,
}

impl Spill {
    /// Begins with what was kept in memory so far.
    pub(super) fn begin(so_far: &[u8]) -> io::Result<Self> {
        let flags = OFlags::TMPFILE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
        let unnamed = open(std::env::temp_dir(), flags, Mode::from_raw_mode(0o600));
        // Some disks have no such files.
        let file = File::from(unnamed.or_else(|_| memfd_create("hermes-output", MemfdFlags::CLOEXEC))?);
        let mut spill = Spill { file, written: 0 };
        spill.push(so_far)?;
        Ok(spill)
    }

    /// Adds what there is room for.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = usize::try_from(MOST - self.written).unwrap_or(usize::MAX);
        let bytes = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        self.file.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Everything that found room, behind what came before it; with room for what comes after it.
    pub(super) fn behind(&self, head: &[u8], room: usize) -> io::Result<Vec<u8>> {
        let all = head.len() + usize::try_from(self.written).unwrap_or_default();
        // Of megabytes that grow there are two while they move.
        let mut bytes = Vec::with_capacity(all + room);
        bytes.extend(head);
        bytes.resize(all, 0);
        self.file.read_exact_at(bytes.get_mut(head.len()..).unwrap_or_default(), 0)?;
        Ok(bytes)
    }
}
