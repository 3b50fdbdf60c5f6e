//! Lengths and bytes, one after another: how orders and reports cross the control socket. Arguments and
//! names are any bytes, so no text format will do.

use std::io::Read;

/// Collects values.
#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, value: u64) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn yes(&mut self, value: bool) -> &mut Self {
        self.number(u64::from(value))
    }

    /// A number that may be missing.
    pub(super) fn perhaps(&mut self, value: Option<u64>) -> &mut Self {
        self.yes(value.is_some()).number(value.unwrap_or_default())
    }

    pub(super) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.number(u64::try_from(value.len()).unwrap_or(u64::MAX));
        self.0.extend(value);
        self
    }

    pub(super) fn list<'a>(&mut self, values: impl ExactSizeIterator<Item = &'a [u8]>) -> &mut Self {
        self.number(u64::try_from(values.len()).unwrap_or(u64::MAX));
        for value in values {
            self.bytes(value);
        }
        self
    }

    /// Everything so far, with its length before it.
    pub(super) fn framed(&self) -> Vec<u8> {
        let length = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        [&length.to_le_bytes()[..], &self.0].concat()
    }
}

/// The bytes of one frame; `None` where it does not come to its end.
pub(super) fn read_frame(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length).ok()?;
    let mut body = vec![0; usize::try_from(u32::from_le_bytes(length)).ok()?];
    from.read_exact(&mut body).ok()?;
    Some(body)
}

/// Takes values off the front; `None` where they are not there.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub(super) fn yes(&mut self) -> Option<bool> {
        self.number().map(|value| value != 0)
    }

    pub(super) fn perhaps(&mut self) -> Option<Option<u64>> {
        let there = self.yes()?;
        self.number().map(|value| there.then_some(value))
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn list(&mut self) -> Option<Vec<&'a [u8]>> {
        (0..self.number()?).map(|_| self.bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_cut_ones_do_not() {
        let mut writer = Writer::default();
        writer
            .number(7)
            .perhaps(None)
            .perhaps(Some(1))
            .yes(true)
            .bytes(b"a\0\xff")
            .list([&b""[..], b"x"].into_iter());
        let framed = writer.framed();
        let mut reader = Reader(&framed[4..]);
        assert_eq!(reader.number(), Some(7));
        assert_eq!((reader.perhaps(), reader.perhaps()), (Some(None), Some(Some(1))));
        assert_eq!(reader.yes(), Some(true));
        assert_eq!(reader.bytes(), Some(&b"a\0\xff"[..]));
        assert_eq!(reader.list(), Some(vec![&b""[..], b"x"]));
        assert_eq!(reader.number(), None);
        assert_eq!(Reader(&framed[4..framed.len() - 1]).list(), None);
    }
}
