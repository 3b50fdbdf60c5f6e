//! What a program's custodian can be told.

use std::io::{Read, Write};

/// One word, answered by one byte: 0 where it was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Goes to the program's standard input.
    Type(Vec<u8>),
    /// No more will come.
    Close,
    /// End, by force after so many milliseconds.
    Stop(u32),
}

const TYPE: u8 = b't';
const CLOSE: u8 = b'c';
const STOP: u8 = b's';
/// No word is longer.
pub(crate) const LONGEST: u32 = 1024 * 1024;

impl Word {
    pub(crate) fn write(&self, to: &mut impl Write) -> std::io::Result<()> {
        let (kind, data) = match self {
            Word::Type(data) => (TYPE, data.clone()),
            Word::Close => (CLOSE, Vec::new()),
            Word::Stop(grace) => (STOP, grace.to_le_bytes().to_vec()),
        };
        let length = u32::try_from(data.len()).ok().filter(|length| *length <= LONGEST);
        let length = length.ok_or_else(|| std::io::Error::other("more than 1 MiB at once"))?;
        to.write_all(&[&[kind][..], &length.to_le_bytes(), &data].concat())
    }

    pub(super) fn read(from: &mut impl Read) -> Option<Self> {
        let (mut kind, mut length) = ([0], [0; 4]);
        from.read_exact(&mut kind).ok()?;
        from.read_exact(&mut length).ok()?;
        let length = Some(u32::from_le_bytes(length)).filter(|length| *length <= LONGEST)?;
        let mut data = vec![0; usize::try_from(length).ok()?];
        from.read_exact(&mut data).ok()?;
        match kind {
            [TYPE] => Some(Word::Type(data)),
            [CLOSE] => Some(Word::Close),
            [STOP] => Some(Word::Stop(u32::from_le_bytes(data.try_into().ok()?))),
            _ => None,
        }
    }
}
