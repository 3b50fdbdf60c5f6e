//! What a custodian says to the keeper.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

use super::bytes::read_frame;
use super::expected::Expected;

pub(super) enum Said {
    /// It is wanted for a program behind such walls, or for one without.
    Walls(Box<Expected>),
    NoWalls,
    /// For nothing more: the runtime is gone, or nothing can be taken from it.
    Nothing,
    /// Its program has ended and left nothing, so it could keep another one.
    Again,
    /// It ends, and leaves nothing. One that ends without a word was killed.
    Done,
}

const WALLS: u8 = 0;
const NO_WALLS: u8 = 1;
const NOTHING: u8 = 2;
const AGAIN: u8 = 3;
const DONE: u8 = 4;

impl Said {
    /// `None` where it ended without a word.
    pub(super) fn hear(mut custodian: &UnixStream) -> Option<Self> {
        let mut word = [0];
        custodian.read_exact(&mut word).ok()?;
        Some(match word {
            [WALLS] => Said::Walls(Box::new(Expected::decode(&read_frame(&mut custodian)?)?)),
            [NOTHING] => Said::Nothing,
            [AGAIN] => Said::Again,
            [DONE] => Said::Done,
            _ => Said::NoWalls,
        })
    }
}

/// The keeper may be gone; then nobody wants to know.
pub(super) fn say(mut keeper: &UnixStream, said: &Said) {
    let words = match said {
        Said::Walls(expected) => [&[WALLS][..], &expected.encode()].concat(),
        Said::NoWalls => vec![NO_WALLS],
        Said::Nothing => vec![NOTHING],
        Said::Again => vec![AGAIN],
        Said::Done => vec![DONE],
    };
    let _ = keeper.write_all(&words);
}
