//! Writes an archive, entry by entry, whatever its format.

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use hermes_host::workspace::NewFile;
use lzma_rust2::{XzOptions, XzWriter};
use zip::result::ZipError;
use zip::write::{FullFileOptions, SimpleFileOptions};
use zip::{AesMode, CompressionMethod};

use super::format::Format;
use super::password::Password;
use super::seven_zip::SevenZipWriter;
use super::times;

/// An archive that is being written.
pub(crate) enum Writer<'a> {
    Zip(Box<ZipTarget<'a>>),
    SevenZ(Box<SevenZipWriter<'a>>),
    Tar(tar::Builder<NewFile<'a>>),
    TarGz(tar::Builder<GzEncoder<NewFile<'a>>>),
    TarZst(tar::Builder<zstd::Encoder<'static, NewFile<'a>>>),
    TarXz(Box<tar::Builder<XzWriter<NewFile<'a>>>>),
    Gz(GzEncoder<NewFile<'a>>),
    Zst(zstd::Encoder<'static, NewFile<'a>>),
    Xz(Box<XzWriter<NewFile<'a>>>),
}

/// A zip file, and how what goes into it is kept.
pub(crate) struct ZipTarget<'a> {
    zip: zip::ZipWriter<NewFile<'a>>,
    level: i64,
    password: Option<&'a Password>,
}

/// What an archive says about a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    pub(crate) size: u64,
    pub(crate) mode: u32,
    /// Seconds since the epoch.
    pub(crate) modified: i64,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        file: NewFile<'a>,
        format: Format,
        level: u32,
        password: Option<&'a Password>,
    ) -> io::Result<Self> {
        let gz = |file| GzEncoder::new(file, Compression::new(level.min(9)));
        let zst = |file| zstd::Encoder::new(file, i32::try_from(level.min(19)).unwrap_or(3));
        let xz = |file| XzWriter::new(file, XzOptions::with_preset(level.min(9)));
        Ok(match format {
            Format::Zip => {
                let (zip, level) = (zip::ZipWriter::new(file), i64::from(level.min(9)));
                Writer::Zip(Box::new(ZipTarget { zip, level, password }))
            }
            Format::SevenZ => Writer::SevenZ(Box::new(SevenZipWriter::new(file, level.min(9), password)?)),
            Format::Tar => Writer::Tar(tar::Builder::new(file)),
            Format::TarGz => Writer::TarGz(tar::Builder::new(gz(file))),
            Format::TarZst => Writer::TarZst(tar::Builder::new(zst(file)?)),
            Format::TarXz => Writer::TarXz(Box::new(tar::Builder::new(xz(file)?))),
            Format::Gz => Writer::Gz(gz(file)),
            Format::Zst => Writer::Zst(zst(file)?),
            Format::Xz => Writer::Xz(Box::new(xz(file)?)),
        })
    }

    pub(crate) fn folder(&mut self, name: &Path, meta: Meta) -> io::Result<()> {
        match self {
            Writer::Zip(target) => target.zip.add_directory(text(name)?, zip_options(meta)?).map_err(as_io),
            Writer::SevenZ(archive) => archive.folder(text(name)?, meta),
            Writer::Tar(tar) => tar_folder(tar, name, meta),
            Writer::TarGz(tar) => tar_folder(tar, name, meta),
            Writer::TarZst(tar) => tar_folder(tar, name, meta),
            Writer::TarXz(tar) => tar_folder(tar, name, meta),
            Writer::Gz(_) | Writer::Zst(_) | Writer::Xz(_) => Ok(()),
        }
    }

    pub(crate) fn file(&mut self, name: &Path, meta: Meta, content: &mut dyn Read) -> io::Result<()> {
        match self {
            Writer::Zip(target) => {
                // Zip files have a way of their own not to compress.
                let (method, level) = match target.level {
                    0 => (CompressionMethod::Stored, None),
                    level => (CompressionMethod::Deflated, Some(level)),
                };
                let options = zip_options(meta)?
                    .compression_method(method)
                    .compression_level(level)
                    .large_file(meta.size >= u64::from(u32::MAX));
                match target.password {
                    None => target.zip.start_file(text(name)?, options),
                    Some(password) => target.zip.start_file(
                        text(name)?,
                        options.with_aes_encryption(AesMode::Aes256, password.text()),
                    ),
                }
                .map_err(as_io)?;
                io::copy(content, &mut target.zip).map(|_| ())
            }
            Writer::SevenZ(archive) => archive.file(text(name)?, meta, content),
            Writer::Tar(tar) => tar_file(tar, name, meta, content),
            Writer::TarGz(tar) => tar_file(tar, name, meta, content),
            Writer::TarZst(tar) => tar_file(tar, name, meta, content),
            Writer::TarXz(tar) => tar_file(tar, name, meta, content),
            Writer::Gz(gz) => io::copy(content, gz).map(|_| ()),
            Writer::Zst(zst) => io::copy(content, zst).map(|_| ()),
            Writer::Xz(xz) => io::copy(content, xz).map(|_| ()),
        }
    }

    /// Writes what is left and gives the file back.
    pub(crate) fn finish(self) -> io::Result<NewFile<'a>> {
        match self {
            Writer::Zip(target) => target.zip.finish().map_err(as_io),
            Writer::SevenZ(archive) => archive.finish(),
            Writer::Tar(tar) => tar.into_inner(),
            Writer::TarGz(tar) => tar.into_inner()?.finish(),
            Writer::TarZst(tar) => tar.into_inner()?.finish(),
            Writer::Gz(gz) => gz.finish(),
            Writer::TarXz(tar) => tar.into_inner()?.finish(),
            Writer::Zst(zst) => zst.finish(),
            Writer::Xz(xz) => xz.finish(),
        }
    }
}

/// The name for a format that holds only text; others were left out before.
fn text(name: &Path) -> io::Result<&str> {
    name.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidFilename, "the name is no text"))
}

/// What a zip file says about an entry.
fn zip_options(meta: Meta) -> io::Result<FullFileOptions<'static, 'static>> {
    let options = SimpleFileOptions::default().unix_permissions(meta.mode);
    let shown = times::on_the_wall(meta.modified).unwrap_or_default();
    let mut options = options.last_modified_time(shown).into_full_options();
    if let Some(seconds) = times::seconds_field(meta.modified) {
        options.add_extra_field(times::SECONDS_FIELD, seconds, false).map_err(as_io)?;
    }
    Ok(options)
}

/// The failure of the file below, where it was that.
fn as_io(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        error => io::Error::other(error),
    }
}

fn header(meta: Meta, kind: tar::EntryType) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(meta.size);
    header.set_mode(meta.mode & 0o777);
    header.set_mtime(u64::try_from(meta.modified).unwrap_or(0));
    header
}

fn tar_folder(tar: &mut tar::Builder<impl Write>, name: &Path, meta: Meta) -> io::Result<()> {
    let mut header = header(Meta { size: 0, ..meta }, tar::EntryType::Directory);
    tar.append_data(&mut header, name.join(""), io::empty())
}

/// A tar names the length first, so a file that shrinks meanwhile is filled up and one that grows is cut.
fn tar_file(
    tar: &mut tar::Builder<impl Write>,
    name: &Path,
    meta: Meta,
    content: &mut dyn Read,
) -> io::Result<()> {
    let exact = content.take(meta.size).chain(io::repeat(0)).take(meta.size);
    tar.append_data(&mut header(meta, tar::EntryType::Regular), name, exact)
}
