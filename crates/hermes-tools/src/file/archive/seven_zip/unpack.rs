//! Goes through the entries of a 7z archive.

use std::io::{BufReader, Read};

use hermes_core::{ErrorCode, ToolError};
use hermes_host::workspace::OpenFile;
use sevenz_rust2::{Archive, ArchiveEntry, ArchiveReader, EncoderMethod, Error, NtTime, Password as Given};

use super::header::is_bearable;
use super::pack::TICKS;
use crate::file::archive::password::{Password, locked};
use crate::file::archive::read::{Each, Entry, Kind, Look, damaged, is_damage};

/// As much as the strongest preset of any packer asks for.
const MOST_DICTIONARY: u64 = 256 * 1024 * 1024;
/// Set where the upper half of the attributes is a Unix mode.
const HAS_MODE: u32 = 0x8000;

/// Shows every entry to `each`: those with content first, as they lie in the archive.
pub(crate) fn entries(
    mut file: BufReader<OpenFile>,
    password: Option<&Password>,
    look: Look,
    each: &mut Each<'_>,
) -> Result<(), ToolError> {
    let size = file.get_ref().size();
    if !is_bearable(&mut file, size).map_err(damaged)? {
        return Err(ToolError::new(ErrorCode::TooLarge, "the archive's list of contents is too large"));
    }
    let given = password.map_or_else(Given::empty, |password| Given::new(password.text()));
    let archive = Archive::read(&mut file, &given).map_err(|error| explain(error, password, false))?;
    if look == Look::Names {
        return archive.files.iter().try_for_each(|entry| each(shown(entry, &mut std::io::empty())));
    }
    if archive.blocks.iter().any(|block| dictionary(block) > MOST_DICTIONARY) {
        return Err(ToolError::new(ErrorCode::TooLarge, "the archive needs too much memory to be unpacked"));
    }
    let is_encrypted = is_encrypted(&archive);
    let mut refused = None;
    let mut reader = ArchiveReader::from_archive(archive, file, given);
    let passed = reader.for_each_entries(|entry, content| {
        each(shown(entry, content)).map(|()| true).map_err(|error| {
            refused = Some(error);
            Error::Other("refused".into())
        })
    });
    match (refused, passed) {
        // Wrong content is how a wrong password shows.
        (Some(error), _) if is_encrypted && is_damage(&error) => Err(locked(password)),
        (Some(error), _) => Err(error),
        (None, passed) => passed.map_err(|error| explain(error, password, is_encrypted)),
    }
}

fn shown<'a>(entry: &'a ArchiveEntry, content: &'a mut dyn Read) -> Entry<'a> {
    let has_mode = entry.has_windows_attributes && entry.windows_attributes & HAS_MODE != 0;
    let mode = has_mode.then_some(entry.windows_attributes >> 16);
    let kind = match mode.map(|mode| mode & 0o170_000) {
        Some(0o120_000) => Kind::Link,
        Some(0o010_000 | 0o020_000 | 0o060_000 | 0o140_000) => Kind::Special,
        // An order to delete what is there.
        _ if entry.is_anti_item => Kind::Special,
        _ if entry.is_directory => Kind::Folder,
        _ => Kind::File,
    };
    let since = u64::from(entry.last_modified_date).checked_sub(u64::from(NtTime::UNIX_EPOCH));
    let modified =
        since.filter(|_| entry.has_last_modified_date).and_then(|ticks| i64::try_from(ticks / TICKS).ok());
    Entry { name: entry.name.clone().into(), kind, size: entry.size, mode, modified, content }
}

fn is_encrypted(archive: &Archive) -> bool {
    let mut coders = archive.blocks.iter().flat_map(|block| &block.coders);
    coders.any(|coder| coder.encoder_method_id() == EncoderMethod::ID_AES256_SHA256)
}

/// The largest window that a block's coders look back through.
fn dictionary(block: &sevenz_rust2::Block) -> u64 {
    let sizes = block.coders.iter().map(|coder| match (coder.encoder_method_id(), coder.properties()) {
        (EncoderMethod::ID_LZMA2, [size, ..]) => match size {
            40.. => u64::MAX,
            size => (2 | u64::from(size & 1)) << (size / 2 + 11),
        },
        (EncoderMethod::ID_LZMA, [_, a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]).into(),
        _ => 0,
    });
    sizes.max().unwrap_or(0)
}

fn explain(error: Error, password: Option<&Password>, is_encrypted: bool) -> ToolError {
    match error {
        Error::PasswordRequired => locked(None),
        // The list of contents may be encrypted too, which nothing but a failure tells.
        Error::MaybeBadPassword(_) => locked(password),
        Error::UnsupportedCompressionMethod(method) => ToolError::invalid(format!(
            "the archive is compressed with {method}, which cannot be unpacked here; nothing was unpacked"
        ))
        .with_hint("Unpack it with the 7z program in the terminal."),
        _ if is_encrypted => locked(password),
        error => damaged(error),
    }
}
