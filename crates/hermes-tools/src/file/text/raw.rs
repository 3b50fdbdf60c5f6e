//! Bytes of any file, as letters.

use std::io::{self, Read, Seek, SeekFrom};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hermes_host::workspace::OpenFile;

use super::sniff::{Content, SAMPLE, sniff};

/// Bytes in one answer at most.
const MOST: usize = 72_000;

pub(in crate::file) struct RawPage {
    pub(in crate::file) base64: String,
    /// The first byte that is not in it, if there is one.
    pub(in crate::file) next: Option<u64>,
    pub(in crate::file) hint: Option<String>,
    pub(in crate::file) is_binary: bool,
}

/// The bytes from `offset` on, which counts from 1, as many as `room` has place for.
pub(in crate::file) fn raw_page(file: &mut OpenFile, offset: u64, room: usize) -> io::Result<RawPage> {
    let start = offset.saturating_sub(1);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    // Four letters for three bytes; a multiple of three, so that pages can be joined.
    let most = MOST.min((room / 4).max(1) * 3);
    file.by_ref().take(u64::try_from(most).unwrap_or(0)).read_to_end(&mut bytes)?;
    let end = start.saturating_add(u64::try_from(bytes.len()).unwrap_or(0));
    let next = (end < file.size()).then(|| end.saturating_add(1));
    Ok(RawPage {
        is_binary: !matches!(sniff(bytes.get(..SAMPLE).unwrap_or(&bytes)), Content::Text(_)),
        base64: STANDARD.encode(&bytes),
        next,
        hint: next.map(|next| format!("Bytes {offset}-{end} of {}; go on with offset {next}.", file.size())),
    })
}
