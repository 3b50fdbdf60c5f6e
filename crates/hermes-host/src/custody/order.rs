//! What a custodian is told to start.

use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::bytes::{Reader, Writer};
use crate::places::Vacant;
use crate::process::{Confinement, Launch, Limits};

/// A program to start, as the bytes the kernel takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(super) argv: Vec<CString>,
    /// The shell that stands in for the program; empty if none does.
    pub(super) shell: Vec<CString>,
    /// `NAME=value`.
    pub(super) env: Vec<CString>,
    pub(super) cwd: CString,
    pub(super) pty: bool,
    /// Whether the third stream is what the program tells by, instead of its standard error.
    pub(super) tells: bool,
    pub(super) confinement: Option<Confinement>,
    pub(super) limits: Limits,
    /// Whether a control group holds to the limits.
    pub(super) grouped: bool,
    /// The folder of a program that may outlive the runtime.
    pub(super) lasting: Option<PathBuf>,
}

impl Order {
    /// A NUL cannot be passed to a program; text is cut there by the kernel, so we refuse to.
    pub(crate) fn of(launch: &Launch) -> Result<Self, String> {
        let whole = |bytes: Vec<u8>| {
            CString::new(bytes).map_err(|_| "an argument, variable or path holds a NUL byte".to_owned())
        };
        let pair =
            |(name, value): &(OsString, OsString)| whole([name.as_bytes(), b"=", value.as_bytes()].concat());
        let words = |words: &[OsString]| -> Result<Vec<CString>, String> {
            words.iter().map(|word| whole(word.as_bytes().to_vec())).collect()
        };
        Ok(Order {
            argv: words(&launch.argv)?,
            shell: words(&launch.shell)?,
            env: launch.env.iter().map(pair).collect::<Result<_, _>>()?,
            cwd: whole(launch.cwd.as_os_str().as_bytes().to_vec())?,
            pty: launch.pty,
            tells: launch.tells,
            confinement: launch.confinement.clone(),
            limits: launch.limits,
            grouped: false,
            lasting: None,
        })
    }

    /// The same for a program that may outlive the runtime, with its files in `folder`.
    pub(crate) fn lasting(self, folder: PathBuf) -> Self {
        Order { lasting: Some(folder), ..self }
    }

    pub(super) fn cwd(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.cwd.to_bytes()))
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer
            .list(self.argv.iter().map(|word| word.as_bytes()))
            .list(self.shell.iter().map(|word| word.as_bytes()))
            .list(self.env.iter().map(|pair| pair.as_bytes()))
            .bytes(self.cwd.as_bytes())
            .yes(self.pty)
            .yes(self.tells)
            .yes(self.confinement.is_some());
        if let Some(confinement) = &self.confinement {
            write_confinement(&mut writer, confinement);
        }
        let Limits { file_bytes, open_files, processes, memory_bytes } = self.limits;
        writer.list(
            self.lasting.iter().map(|folder| folder.as_os_str().as_bytes()).collect::<Vec<_>>().into_iter(),
        );
        writer.perhaps(file_bytes).perhaps(open_files).perhaps(processes).perhaps(memory_bytes);
        writer.yes(self.grouped);
        writer.framed()
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut reader = Reader(body);
        let owned = |words: Vec<&[u8]>| -> Option<Vec<CString>> {
            words.into_iter().map(|word| CString::new(word).ok()).collect()
        };
        Some(Order {
            argv: owned(reader.list()?)?,
            shell: owned(reader.list()?)?,
            env: owned(reader.list()?)?,
            cwd: CString::new(reader.bytes()?).ok()?,
            pty: reader.yes()?,
            tells: reader.yes()?,
            confinement: if reader.yes()? { Some(read_confinement(&mut reader)?) } else { None },
            lasting: reader.list()?.first().map(|folder| PathBuf::from(OsStr::from_bytes(folder))),
            limits: Limits {
                file_bytes: reader.perhaps()?,
                open_files: reader.perhaps()?,
                processes: reader.perhaps()?,
                memory_bytes: reader.perhaps()?,
            },
            grouped: reader.yes()?,
        })
    }
}

pub(super) fn write_confinement(writer: &mut Writer, confinement: &Confinement) {
    for paths in [&confinement.writable, &confinement.protected, &confinement.hidden, &confinement.shown] {
        writer.list(paths.iter().map(|path| path.as_os_str().as_bytes()));
    }
    write_vacant(writer, confinement.vacant.as_ref());
    writer.yes(confinement.network).yes(confinement.local_services).yes(confinement.strict);
}

pub(super) fn read_confinement(reader: &mut Reader<'_>) -> Option<Confinement> {
    let mut paths = || -> Option<Vec<PathBuf>> {
        Some(reader.list()?.into_iter().map(|path| PathBuf::from(OsStr::from_bytes(path))).collect())
    };
    let (writable, protected, hidden, shown) = (paths()?, paths()?, paths()?, paths()?);
    Some(Confinement {
        writable,
        protected,
        hidden,
        shown,
        vacant: read_vacant(reader)?,
        network: reader.yes()?,
        local_services: reader.yes()?,
        strict: reader.yes()?,
    })
}

fn write_vacant(writer: &mut Writer, vacant: Option<&Vacant>) {
    writer.yes(vacant.is_some());
    if let Some(Vacant { folder, around, patterns, before, opened, looks_below, home, quarantine, name }) =
        vacant
    {
        writer
            .bytes(folder.as_os_str().as_bytes())
            .list(around.iter().map(|path| path.as_os_str().as_bytes()))
            .list(patterns.iter().map(String::as_bytes))
            .list(before.iter().map(|path| path.as_os_str().as_bytes()))
            .list(opened.iter().map(|path| path.as_os_str().as_bytes()))
            .yes(*looks_below)
            .list(home.iter().map(|path| path.as_os_str().as_bytes()))
            .bytes(quarantine.as_os_str().as_bytes())
            .bytes(name.as_bytes());
    }
}

/// The outer `None`: what came is not whole.
fn read_vacant(reader: &mut Reader<'_>) -> Option<Option<Vacant>> {
    let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    if !reader.yes()? {
        return Some(None);
    }
    Some(Some(Vacant {
        folder: path(reader.bytes()?),
        around: reader.list()?.into_iter().map(path).collect(),
        patterns: reader.list()?.into_iter().map(text).collect::<Option<_>>()?,
        before: reader.list()?.into_iter().map(path).collect(),
        opened: reader.list()?.into_iter().map(path).collect(),
        looks_below: reader.yes()?,
        home: reader.list()?.into_iter().map(path).next(),
        quarantine: path(reader.bytes()?),
        name: text(reader.bytes()?)?,
    }))
}
