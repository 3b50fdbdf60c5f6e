//! What a custodian says to the keeper.

use std::io::{Read as _, Write as _};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use super::bytes::read_frame;
use super::descriptors::{receive, send};
use super::expected::Expected;
use super::serve::Handed;

pub(super) enum Said {
    /// It is wanted for a program behind such walls, or for one without.
    Walls(Box<Expected>),
    NoWalls,
    /// For nothing more: the runtime is gone, or nothing can be taken from it.
    Nothing,
    /// Its program has ended and left nothing, so it could keep another one.
    Again,
    /// Somebody changed it while it waited, so that another one has to keep this.
    Unfit(Handed),
    /// It ends, and leaves nothing. One that ends without a word was killed, or could not end all that it kept.
    Done,
}

const WALLS: u8 = 0;
const NO_WALLS: u8 = 1;
const NOTHING: u8 = 2;
const AGAIN: u8 = 3;
const DONE: u8 = 4;
const UNFIT: u8 = 5;

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
            [UNFIT] => Said::Unfit(receive(custodian).set()?),
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
        Said::Unfit(_) => vec![UNFIT],
    };
    let _ = keeper.write_all(&words);
    if let Said::Unfit(handed) = said {
        let _ = send(keeper, &handed.each_ref().map(AsFd::as_fd));
    }
}
