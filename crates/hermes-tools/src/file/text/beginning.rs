//! The start of a file, read in as few steps as it takes.

use std::io::{self, Read};

use hermes_host::workspace::OpenFile;

use super::sniff::SAMPLE;

/// Bytes that are asked for at once.
pub(in crate::file) const AT_ONCE: usize = 64 * 1024;

/// The first bytes of a file.
pub(in crate::file) struct Beginning {
    pub(in crate::file) bytes: Vec<u8>,
    /// Whether that is all of it.
    pub(in crate::file) whole: bool,
}

/// Reads all of a file if it is small.
pub(in crate::file) fn beginning(file: &mut OpenFile) -> io::Result<Beginning> {
    if let Some(bytes) = file.take_content(AT_ONCE) {
        return Ok(Beginning { bytes, whole: true });
    }
    // One byte more than there should be: a buffer that was not filled shows the end.
    let size = usize::try_from(file.size()).unwrap_or(AT_ONCE).clamp(SAMPLE, AT_ONCE) + 1;
    let mut bytes = vec![0; size];
    let mut filled = 0;
    while let Some(room) = bytes.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read(room)? {
            0 => break,
            length => filled += length,
        }
    }
    bytes.truncate(filled);
    Ok(Beginning { bytes, whole: filled < size })
}
