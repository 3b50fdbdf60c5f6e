//! What a shell tells by a descriptor of its own: a NUL, its folder, a NUL, its exported variables, a NUL; and the same
//! again whenever it tells anew.

use std::io::{ErrorKind, Read as _};

use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;

/// Bytes of one telling; an environment is at most this large. What is larger comes to nothing, and what comes after it.
const MOST: usize = 4 * 1024 * 1024;
const PIECE: usize = 16 * 1024;

/// Listens as long as somebody may tell something.
pub(super) struct Told {
    telling: Option<UnixStream>,
    /// What is not whole yet.
    begun: Vec<u8>,
    /// The last that was whole: the folder, a NUL and the variables.
    last: Option<Vec<u8>>,
}

impl Told {
    pub(super) fn by(telling: Option<UnixStream>) -> Self {
        Told { telling, begun: Vec::new(), last: None }
    }

    pub(super) fn may_come(&self) -> bool {
        self.telling.is_some()
    }

    /// Until nobody is left who could tell anything. May be given up at any moment.
    pub(super) async fn listen(&mut self) {
        let mut piece = vec![0; PIECE];
        while let Some(telling) = &mut self.telling {
            match telling.read(&mut piece).await {
                Ok(0) | Err(_) => self.telling = None,
                Ok(length) => self.take(piece.get(..length).unwrap_or_default()),
            }
        }
    }

    /// The last that was told, with what has come and nobody has read yet. For when everybody who could tell has ended.
    pub(super) fn last(mut self) -> Option<Vec<u8>> {
        let mut piece = vec![0; PIECE];
        // The reactor may not have heard yet of what is there.
        let mut rest = self.telling.take().and_then(|telling| telling.into_std().ok());
        while let Some(telling) = &mut rest {
            match telling.read(&mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => rest = None,
                Ok(length) => self.take(piece.get(..length).unwrap_or_default()),
            }
        }
        self.last
    }

    fn take(&mut self, bytes: &[u8]) {
        let room = MOST.saturating_sub(self.begun.len());
        self.begun.extend(bytes.iter().take(room));
        // What stands before the first of the three is not the shell's telling.
        while let Some([before, _, end]) = first_three(&self.begun) {
            self.last = self.begun.get(before + 1..end).map(<[u8]>::to_vec);
            self.begun.drain(..=end);
        }
    }
}

fn first_three(bytes: &[u8]) -> Option<[usize; 3]> {
    let mut found = memchr::memchr_iter(0, bytes);
    Some([found.next()?, found.next()?, found.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(pieces: &[&[u8]]) -> Option<Vec<u8>> {
        let mut told = Told::by(None);
        pieces.iter().for_each(|piece| told.take(piece));
        told.last()
    }

    #[test]
    fn the_last_that_is_whole_holds_wherever_the_pieces_end() {
        let whole = b"\0/a\0export A='1'\n\0stray\0/b\0export B='2'\n\0\0/c\0expo";
        for size in 1..whole.len() {
            let pieces: Vec<&[u8]> = whole.chunks(size).collect();
            assert_eq!(heard(&pieces).as_deref(), Some(&b"/b\0export B='2'\n"[..]), "{size}");
        }
        assert_eq!(heard(&[b"\0/a\0export"]), None);
        assert_eq!(heard(&[]), None);
    }
}
