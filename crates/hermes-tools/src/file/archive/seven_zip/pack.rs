//! Writes a 7z archive, entry by entry.

use std::io::{self, Read};

use hermes_host::workspace::NewFile;
use sevenz_rust2::encoder_options::{AesEncoderOptions, EncoderOptions, Lzma2Options};
use sevenz_rust2::{ArchiveEntry, ArchiveWriter, EncoderConfiguration, Error, NtTime};

use crate::file::archive::password::Password;
use crate::file::archive::write::Meta;

/// Attributes: the upper half is a Unix mode; it is a folder.
const HAS_MODE: u32 = 0x8000;
const IS_FOLDER: u32 = 0x10;

/// Units of the archive's clock in a second.
pub(super) const TICKS: u64 = 10_000_000;

pub(crate) struct SevenZipWriter<'a> {
    archive: ArchiveWriter<NewFile<'a>>,
    level: u32,
    password: Option<&'a Password>,
}

impl<'a> SevenZipWriter<'a> {
    pub(crate) fn new(file: NewFile<'a>, level: u32, password: Option<&'a Password>) -> io::Result<Self> {
        let mut archive = ArchiveWriter::new(file).map_err(as_io)?;
        archive.set_content_methods(methods(level, 0, password));
        Ok(SevenZipWriter { archive, level, password })
    }

    pub(crate) fn folder(&mut self, name: &str, meta: Meta) -> io::Result<()> {
        let entry = described(ArchiveEntry::new_directory(name), meta, 0o040_000, IS_FOLDER);
        self.archive.push_archive_entry(entry, None::<io::Empty>).map(|_| ()).map_err(as_io)
    }

    pub(crate) fn file(&mut self, name: &str, meta: Meta, content: &mut dyn Read) -> io::Result<()> {
        self.archive.set_content_methods(methods(self.level, meta.size, self.password));
        let entry = described(ArchiveEntry::new_file(name), meta, 0o100_000, 0);
        // The library takes no empty content.
        let mut first = [0];
        let content = match content.read(&mut first)? {
            0 => None,
            _ => Some(io::Cursor::new(first).chain(content)),
        };
        self.archive.push_archive_entry(entry, content).map(|_| ()).map_err(as_io)
    }

    pub(crate) fn finish(self) -> io::Result<NewFile<'a>> {
        self.archive.finish()
    }
}

/// What content of a given size goes through.
fn methods(level: u32, size: u64, password: Option<&Password>) -> Vec<EncoderConfiguration> {
    let mut options = Lzma2Options::from_level(level);
    // A window beyond the file's end would only cost memory.
    let enough = u32::try_from(size).unwrap_or(u32::MAX).max(64 * 1024);
    let usual = EncoderOptions::from(options.clone()).get_lzma_dict_size();
    options.set_dictionary_size(enough.min(usual));
    let locks = password.map(|password| AesEncoderOptions::new(password.text().into()).into());
    locks.into_iter().chain([options.into()]).collect()
}

fn described(mut entry: ArchiveEntry, meta: Meta, kind: u32, attributes: u32) -> ArchiveEntry {
    entry.has_windows_attributes = true;
    entry.windows_attributes = attributes | HAS_MODE | (kind | (meta.mode & 0o777)) << 16;
    let since = u64::try_from(meta.modified).unwrap_or(0).saturating_mul(TICKS);
    entry.last_modified_date = NtTime::new(u64::from(NtTime::UNIX_EPOCH).saturating_add(since));
    entry.has_last_modified_date = meta.modified > 0;
    entry
}

/// The failure of the file below, where it was that.
fn as_io(error: Error) -> io::Error {
    match error {
        Error::Io(error, _) => error,
        error => io::Error::other(error),
    }
}
