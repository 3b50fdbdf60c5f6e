//! Goes through an archive, entry by entry, whatever its format.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use flate2::read::MultiGzDecoder;
use hermes_core::ToolError;
use hermes_host::workspace::{OpenFile, meant};
use lzma_rust2::XzReader;
use zip::result::ZipError;

use super::format::Format;
use super::password::{Password, locked};
use super::seven_zip;
use super::times;

/// What an entry is. Only files and folders are ever unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// A device, pipe or something unknown.
    Special,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Folder => "directory",
            Kind::Link => "link",
            Kind::Special => "special",
        }
    }
}

/// One entry. `content` is what is left of it to be read.
pub(crate) struct Entry<'a> {
    /// Names of files need not be text.
    pub(crate) name: OsString,
    pub(crate) kind: Kind,
    /// As the archive says, which may be a lie.
    pub(crate) size: u64,
    pub(crate) mode: Option<u32>,
    /// When it was changed last, in seconds since the epoch.
    pub(crate) modified: Option<i64>,
    pub(crate) content: &'a mut dyn Read,
}

pub(super) type Each<'a> = dyn FnMut(Entry<'_>) -> Result<(), ToolError> + 'a;

/// What is wanted of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Content is unpacked only where nothing else tells its size.
    Names,
    Contents,
}

/// How an archive is to be read.
pub(crate) struct Reading<'a> {
    pub(crate) format: Format,
    /// Names the file in a bare compressed one.
    pub(crate) stem: &'a str,
    pub(crate) password: Option<&'a Password>,
    pub(crate) look: Look,
}

/// Shows every entry to `each`, in the order of the archive.
pub(crate) fn entries(
    mut file: OpenFile,
    reading: &Reading<'_>,
    each: &mut Each<'_>,
) -> Result<(), ToolError> {
    let Reading { format, stem, password, look } = *reading;
    let mut start = Vec::new();
    file.by_ref().take(6).read_to_end(&mut start).map_err(|error| file.explain(error))?;
    if !format.fits(&start) {
        return Err(damaged("its first bytes are not those of its format"));
    }
    file.seek(SeekFrom::Start(0)).map_err(|error| file.explain(error))?;
    let modified = file.modified();
    let file = BufReader::with_capacity(64 * 1024, file);
    match format {
        Format::Zip => zip_entries(file, password, look, each),
        Format::SevenZ => seven_zip::entries(file, password, look, each),
        Format::Tar => tar_entries(file, each),
        Format::TarGz => tar_entries(MultiGzDecoder::new(file), each),
        Format::TarZst => tar_entries(zstd_reader(file)?, each),
        Format::TarXz => tar_entries(xz_reader(file), each),
        Format::Xz => bare(xz_reader(file), (stem, modified), each),
        Format::Gz => bare(MultiGzDecoder::new(file), (stem, modified), each),
        Format::Zst => bare(zstd_reader(file)?, (stem, modified), each),
    }
}

/// An entry's name without its leading folders; `None` if nothing is left of it.
pub(crate) fn stripped(name: &OsStr, components: usize) -> Option<&OsStr> {
    let mut rest = name.as_bytes();
    for _ in 0..components {
        let slash = rest.iter().position(|byte| *byte == b'/')?;
        rest = rest.get(slash + 1..)?;
    }
    (!rest.is_empty()).then(|| OsStr::from_bytes(rest))
}

fn zstd_reader(file: BufReader<OpenFile>) -> Result<impl Read, ToolError> {
    /// Windows of more than 128 MiB are for attacks.
    const MOST_WINDOW: u32 = 27;
    let mut decoder = zstd::stream::read::Decoder::with_buffer(file).map_err(damaged)?;
    decoder.window_log_max(MOST_WINDOW).map_err(damaged)?;
    Ok(decoder)
}

fn xz_reader(file: BufReader<OpenFile>) -> impl Read {
    /// As much as the strongest preset of any packer needs.
    const MOST_KIB: u32 = 128 * 1024;
    XzReader::new_mem_limit(file, true, MOST_KIB)
}

/// A bare compressed file says nothing about times; its own stands for that of its content, as with all such programs.
fn bare(
    mut content: impl Read,
    (stem, modified): (&str, Option<i64>),
    each: &mut Each<'_>,
) -> Result<(), ToolError> {
    let name = meant(stem).file_name().map(OsStr::to_owned).unwrap_or_default();
    each(Entry { name, kind: Kind::File, size: 0, mode: None, modified, content: &mut content })
}

fn tar_entries(reader: impl Read, each: &mut Each<'_>) -> Result<(), ToolError> {
    let mut archive = tar::Archive::new(reader);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let kind = match entry.header().entry_type() {
            kind if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() => Kind::File,
            tar::EntryType::Directory => Kind::Folder,
            tar::EntryType::Symlink | tar::EntryType::Link => Kind::Link,
            tar::EntryType::XGlobalHeader => continue,
            _ => Kind::Special,
        };
        let name = OsString::from_vec(entry.path_bytes().into_owned());
        let (size, mode) = (entry.size(), entry.header().mode().ok());
        let modified = entry.header().mtime().ok().and_then(|time| i64::try_from(time).ok());
        each(Entry { name, kind, size, mode, modified, content: &mut entry })?;
    }
    // What follows the end mark must still be sound: a cut or forged checksum shows only there.
    const MOST_AFTER: u64 = 64 * 1024 * 1024;
    let mut rest = archive.into_inner().take(MOST_AFTER);
    io::copy(&mut rest, &mut io::sink()).map_err(damaged)?;
    Ok(())
}

fn zip_entries(
    file: BufReader<OpenFile>,
    password: Option<&Password>,
    look: Look,
    each: &mut Each<'_>,
) -> Result<(), ToolError> {
    let mut archive = zip::ZipArchive::new(file).map_err(damaged)?;
    // Of two entries of one name the library shows only the last, and programs disagree about which one counts.
    if archive.has_duplicate_names() {
        return Err(refused("names are in it twice"));
    }
    // What is in it stands in a list at its end and again before each entry, and programs read the one or the other. Where
    // they differ, where the list leaves an entry out, or where entries share their data, somebody is to be deceived.
    archive.validate_header_consistency().map_err(|error| match error {
        ZipError::InvalidArchive(why) => {
            refused("it says different things about itself in different places").with_operator(why)
        }
        error => damaged(error),
    })?;
    for index in 0..archive.len() {
        let is_encrypted = archive.by_index_raw(index).map_err(damaged)?.encrypted();
        let entry = match (look, is_encrypted, password) {
            (Look::Names, ..) => archive.by_index_raw(index),
            (Look::Contents, false, _) => archive.by_index(index),
            (Look::Contents, true, Some(password)) => {
                archive.by_index_decrypt(index, password.text().as_bytes())
            }
            (Look::Contents, true, None) => return Err(locked(None)),
        };
        let mut entry = entry.map_err(|error| match error {
            ZipError::InvalidPassword => locked(password),
            ZipError::UnsupportedArchive(what) => unsupported(what),
            error => damaged(error),
        })?;
        let name = String::from_utf8(entry.name_raw().to_vec())
            .or_else(|_| entry.name().map(|name| name.into_owned()))
            .map_err(damaged)?
            .into();
        let mode = entry.unix_mode();
        // The upper bits of the mode say what kind of file it was.
        let kind = match mode.map(|mode| mode & 0o170_000) {
            Some(0o120_000) => Kind::Link,
            Some(0o010_000 | 0o020_000 | 0o060_000 | 0o140_000) => Kind::Special,
            _ if entry.is_dir() => Kind::Folder,
            _ => Kind::File,
        };
        let (size, modified) = (entry.size(), times::modified(&entry));
        if kind == Kind::Folder && size > 0 {
            return Err(refused("one of its folders has the content of a file"));
        }
        let shown = each(Entry { name, kind, size, mode, modified, content: &mut entry });
        // The old cipher tells some wrong passwords only by what comes out.
        shown.map_err(|error| if is_encrypted && is_damage(&error) { locked(password) } else { error })?;
    }
    Ok(())
}

/// Whether an error says that content does not add up.
pub(super) fn is_damage(error: &ToolError) -> bool {
    error.message == damaged("").message
}

fn refused(why: &str) -> ToolError {
    ToolError::invalid(format!("the archive is refused: {why}; nothing was unpacked"))
}

fn unsupported(what: &str) -> ToolError {
    ToolError::invalid(format!("the archive cannot be unpacked here: {what}; nothing was unpacked"))
        .with_hint("Unpack it with a program in the terminal.")
}

pub(super) fn damaged(why: impl ToString) -> ToolError {
    ToolError::invalid("the archive is damaged; nothing was unpacked").with_operator(why.to_string())
}
