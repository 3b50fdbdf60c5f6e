//! How large the list of contents will be, told before anything is unpacked.
//!
//! The list may be compressed, and the library unpacks it into memory as a whole: a bomb there would be through
//! before the first entry is seen. So what it says about its own size is read first. Layout: the document
//! `7zFormat.txt` of the LZMA SDK, sections "SignatureHeader" to "Folder".

use std::io::{self, Read, Seek, SeekFrom};

/// More than the names and sizes of as many entries as may be unpacked take.
const MOST_LIST: u64 = 64 * 1024 * 1024;
const SIGNATURE_SIZE: u64 = 32;

const END: u8 = 0x00;
const PACK_INFO: u8 = 0x06;
const UNPACK_INFO: u8 = 0x07;
const SIZE: u8 = 0x09;
const CRC: u8 = 0x0a;
const FOLDER: u8 = 0x0b;
const UNPACK_SIZE: u8 = 0x0c;
const ENCODED: u8 = 0x17;

/// Whether the list of contents stays small enough to be read.
pub(super) fn is_bearable(archive: &mut (impl Read + Seek), archive_bytes: u64) -> io::Result<bool> {
    archive.seek(SeekFrom::Start(0))?;
    let mut signature = Vec::new();
    archive.by_ref().take(SIGNATURE_SIZE).read_to_end(&mut signature)?;
    let number = |at: usize| {
        let bytes = signature.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u64::from_le_bytes).ok_or_else(cut)
    };
    let (offset, size) = (number(12)?, number(20)?);
    let start = SIGNATURE_SIZE.checked_add(offset).filter(|start| *start <= archive_bytes).ok_or_else(cut)?;
    // A file whose first lines were never finished would be searched for a list that fits.
    if size == 0 || size > MOST_LIST {
        return Ok(size == 0 && archive_bytes == SIGNATURE_SIZE);
    }
    archive.seek(SeekFrom::Start(start))?;
    let mut list = Vec::new();
    archive.by_ref().take(size).read_to_end(&mut list)?;
    match list.split_first() {
        Some((&ENCODED, streams)) => Ok(unpacked_sizes(streams)?.into_iter().all(|size| size <= MOST_LIST)),
        _ => Ok(true),
    }
}

/// What comes out of each coder of the list's own folder.
fn unpacked_sizes(streams: &[u8]) -> io::Result<Vec<u64>> {
    let mut rest = Fields(streams);
    if rest.byte()? != PACK_INFO {
        return Err(cut());
    }
    let _position = rest.number()?;
    let packed = rest.count()?;
    loop {
        match rest.byte()? {
            END => break,
            SIZE => (0..packed).try_for_each(|_| rest.number().map(|_| ()))?,
            CRC => rest.skip_checksums(packed)?,
            _ => return Err(cut()),
        }
    }
    let begins = (rest.byte()?, rest.byte()?, rest.count()?, rest.byte()?);
    if begins != (UNPACK_INFO, FOLDER, 1, 0) {
        return Err(cut());
    }
    let outputs = rest.skip_folder()?;
    if rest.byte()? != UNPACK_SIZE {
        return Err(cut());
    }
    (0..outputs).map(|_| rest.number()).collect()
}

/// What is left to be read of the list's description.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    /// As many parts as any honest list is made of.
    const MOST_PARTS: u64 = 64;

    fn byte(&mut self) -> io::Result<u8> {
        let (first, rest) = self.0.split_first().ok_or_else(cut)?;
        self.0 = rest;
        Ok(*first)
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).map_err(|_| cut())?;
        self.0 = self.0.get(length..).ok_or_else(cut)?;
        Ok(())
    }

    /// The leading ones of the first byte say how many more bytes there are.
    fn number(&mut self) -> io::Result<u64> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let mut value = 0;
        for place in 0..more.min(8) {
            value |= u64::from(self.byte()?) << (8 * place);
        }
        let high = if more >= 7 { 0 } else { u64::from(first & (0x7f >> more)) };
        Ok(value | high << (8 * more.min(7)))
    }

    fn count(&mut self) -> io::Result<u64> {
        self.number().ok().filter(|count| *count <= Self::MOST_PARTS).ok_or_else(cut)
    }

    fn skip_checksums(&mut self, count: u64) -> io::Result<()> {
        let mut defined = count;
        if self.byte()? == 0 {
            let marks: Vec<u8> = (0..count.div_ceil(8)).map(|_| self.byte()).collect::<Result<_, _>>()?;
            defined = marks.iter().map(|byte| u64::from(byte.count_ones())).sum();
        }
        self.skip(4 * defined)
    }

    /// Passes a folder's coders and says how many streams come out of them.
    fn skip_folder(&mut self) -> io::Result<u64> {
        let (mut inputs, mut outputs) = (0, 0);
        for _ in 0..self.count()? {
            let flags = self.byte()?;
            self.skip(u64::from(flags & 0x0f))?;
            let (input, output) = if flags & 0x10 == 0 { (1, 1) } else { (self.count()?, self.count()?) };
            inputs += input;
            outputs += output;
            if flags & 0x20 != 0 {
                let length = self.number()?;
                self.skip(length)?;
            }
        }
        let bound = outputs.saturating_sub(1);
        (0..2 * bound).try_for_each(|_| self.number().map(|_| ()))?;
        let packed = inputs.saturating_sub(bound);
        if packed > 1 {
            (0..packed).try_for_each(|_| self.number().map(|_| ()))?;
        }
        Ok(outputs)
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the list of contents is not one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length() {
        for (bytes, number) in [
            (&[0x00][..], 0),
            (&[0x7f], 127),
            (&[0x80, 0x80], 128),
            (&[0xbf, 0xff], 0x3fff),
            (&[0xc0, 0x34, 0x12], 0x1234),
            (&[0xff, 1, 2, 3, 4, 5, 6, 7, 8], 0x0807_0605_0403_0201),
            (&[0xfe, 1, 2, 3, 4, 5, 6, 7], 0x0007_0605_0403_0201),
        ] {
            assert_eq!(Fields(bytes).number().unwrap(), number, "{bytes:x?}");
        }
        assert!(Fields(&[0x80]).number().is_err());
    }
}
