//! Writes an archive, entry by entry, whatever its format.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use hermes_host::workspace::NewFile;
use lzma_rust2::{XzOptions, XzWriter};
use zip::write::SimpleFileOptions;

use super::format::Format;

/// An archive that is being written.
pub(crate) enum Writer<'a> {
    Zip(Box<zip::ZipWriter<NewFile<'a>>>, i64),
    Tar(tar::Builder<NewFile<'a>>),
    TarGz(tar::Builder<GzEncoder<NewFile<'a>>>),
    TarZst(tar::Builder<zstd::Encoder<'static, NewFile<'a>>>),
    TarXz(Box<tar::Builder<XzWriter<NewFile<'a>>>>),
    Gz(GzEncoder<NewFile<'a>>),
    Zst(zstd::Encoder<'static, NewFile<'a>>),
    Xz(Box<XzWriter<NewFile<'a>>>),
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
    pub(crate) fn new(file: NewFile<'a>, format: Format, level: u32) -> io::Result<Self> {
        let gz = |file| GzEncoder::new(file, Compression::new(level.min(9)));
        let zst = |file| zstd::Encoder::new(file, i32::try_from(level.min(19)).unwrap_or(3));
        let xz = |file| XzWriter::new(file, XzOptions::with_preset(level.min(9)));
        Ok(match format {
            Format::Zip => Writer::Zip(Box::new(zip::ZipWriter::new(file)), i64::from(level.min(9))),
            Format::Tar => Writer::Tar(tar::Builder::new(file)),
            Format::TarGz => Writer::TarGz(tar::Builder::new(gz(file))),
            Format::TarZst => Writer::TarZst(tar::Builder::new(zst(file)?)),
            Format::TarXz => Writer::TarXz(Box::new(tar::Builder::new(xz(file)?))),
            Format::Gz => Writer::Gz(gz(file)),
            Format::Zst => Writer::Zst(zst(file)?),
            Format::Xz => Writer::Xz(Box::new(xz(file)?)),
        })
    }

    pub(crate) fn folder(&mut self, name: &str, meta: Meta) -> io::Result<()> {
        match self {
            Writer::Zip(zip, _) => {
                let options = SimpleFileOptions::default().unix_permissions(meta.mode);
                zip.add_directory(name, options).map_err(io::Error::other)
            }
            Writer::Tar(tar) => tar_folder(tar, name, meta),
            Writer::TarGz(tar) => tar_folder(tar, name, meta),
            Writer::TarZst(tar) => tar_folder(tar, name, meta),
            Writer::TarXz(tar) => tar_folder(tar, name, meta),
            Writer::Gz(_) | Writer::Zst(_) | Writer::Xz(_) => Ok(()),
        }
    }

    pub(crate) fn file(&mut self, name: &str, meta: Meta, content: &mut dyn Read) -> io::Result<()> {
        match self {
            Writer::Zip(zip, level) => {
                let options = SimpleFileOptions::default()
                    .unix_permissions(meta.mode)
                    .compression_level(Some(*level))
                    .large_file(meta.size >= u64::from(u32::MAX));
                zip.start_file(name, options).map_err(io::Error::other)?;
                io::copy(content, zip).map(|_| ())
            }
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
            Writer::Zip(zip, _) => zip.finish().map_err(io::Error::other),
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

fn header(meta: Meta, kind: tar::EntryType) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(meta.size);
    header.set_mode(meta.mode & 0o777);
    header.set_mtime(u64::try_from(meta.modified).unwrap_or(0));
    header
}

fn tar_folder(tar: &mut tar::Builder<impl Write>, name: &str, meta: Meta) -> io::Result<()> {
    let mut header = header(Meta { size: 0, ..meta }, tar::EntryType::Directory);
    tar.append_data(&mut header, format!("{name}/"), io::empty())
}

/// A tar names the length first, so a file that shrinks meanwhile is filled up and one that grows is cut.
fn tar_file(
    tar: &mut tar::Builder<impl Write>,
    name: &str,
    meta: Meta,
    content: &mut dyn Read,
) -> io::Result<()> {
    let exact = content.take(meta.size).chain(io::repeat(0)).take(meta.size);
    tar.append_data(&mut header(meta, tar::EntryType::Regular), name, exact)
}
