//! What a custodian is told to start.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;

use super::bytes::{Reader, Writer};
use crate::process::Launch;

/// A program to start, as the bytes the kernel takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(super) argv: Vec<CString>,
    /// `NAME=value`.
    pub(super) env: Vec<CString>,
    pub(super) cwd: CString,
}

impl Order {
    /// A NUL cannot be passed to a program; text is cut there by the kernel, so we refuse to.
    pub(crate) fn of(launch: &Launch) -> Result<Self, String> {
        let whole = |bytes: Vec<u8>| {
            CString::new(bytes).map_err(|_| "an argument, variable or path holds a NUL byte".to_owned())
        };
        let pair = |(name, value): &(std::ffi::OsString, std::ffi::OsString)| {
            whole([name.as_bytes(), b"=", value.as_bytes()].concat())
        };
        Ok(Order {
            argv: launch.argv.iter().map(|word| whole(word.as_bytes().to_vec())).collect::<Result<_, _>>()?,
            env: launch.env.iter().map(pair).collect::<Result<_, _>>()?,
            cwd: whole(launch.cwd.as_os_str().as_bytes().to_vec())?,
        })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer
            .list(self.argv.iter().map(|word| word.as_bytes()))
            .list(self.env.iter().map(|pair| pair.as_bytes()))
            .bytes(self.cwd.as_bytes());
        writer.framed()
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut reader = Reader(body);
        let owned = |words: Vec<&[u8]>| -> Option<Vec<CString>> {
            words.into_iter().map(|word| CString::new(word).ok()).collect()
        };
        Some(Order {
            argv: owned(reader.list()?)?,
            env: owned(reader.list()?)?,
            cwd: CString::new(reader.bytes()?).ok()?,
        })
    }
}
