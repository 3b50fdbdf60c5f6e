//! A custodian's turns: it waits for work, does it where nobody has changed under what bounds it would, and waits again.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags};
use rustix::stdio::stdin;

use super::circumstances::Circumstances;
use super::crew::wait_for_turn;
use super::custodian::{self, tell};
use super::descriptors::{Received, receive};
use super::expected::Ahead;
use super::ready::Ready;
use super::report::Report;
use super::serve::Handed;
use super::tree;
use super::waiting::wait_for_any;
use super::wanted::{Said, say};

/// A custodian keeps no more programs: starting each leaves a little memory behind.
const MOST_PROGRAMS: u32 = 256;

/// Waits for work and does it, as often as it is wanted, first of all what another one passed on. Never returns.
pub(super) fn be_ready(
    (ahead, own): (&Ahead, &Circumstances),
    keeper: &UnixStream,
    passed_on: Option<Handed>,
) -> ! {
    custodian::settle();
    match passed_on {
        Some(handed) if Circumstances::now() != *own => {
            let [control, ..] = handed;
            // The keeper itself was changed, and leaves before the runtime hears of it.
            say(keeper, &Said::Nothing);
            tell(&mut File::from(control), &Report::Unfit);
        }
        passed_on => work((ahead, own), keeper, passed_on),
    }
    // What cannot be ended by this one the keeper is to look after.
    if tree::is_alone() {
        say(keeper, &Said::Done);
    }
    // SAFETY: ends the process without running what `main` would have set up.
    unsafe { libc::_exit(0) }
}

fn work((ahead, own): (&Ahead, &Circumstances), keeper: &UnixStream, mut passed_on: Option<Handed>) {
    let mut ready = if let Ahead::Nothing = ahead { None } else { Ready::ahead(ahead) };
    for _ in 0..MOST_PROGRAMS {
        let handed = match passed_on.take() {
            Some(handed) => handed,
            None => match take_work(&mut ready, (keeper, own)) {
                Some(handed) => handed,
                None => break,
            },
        };
        if !custodian::keep(handed, keeper, ready.take()) {
            break;
        }
        let Some(socket) = wait_for_turn(keeper) else { break };
        // Its own program or another one may have changed something.
        if Circumstances::now() != *own {
            break;
        }
        // SAFETY: two open descriptors; nobody else looks at the first one meanwhile.
        unsafe { libc::dup2(socket.as_raw_fd(), 0) };
    }
    if let Some(unwanted) = ready {
        unwanted.give_up();
    }
}

/// Waits until something is to be done that this one is fit for.
fn take_work(ready: &mut Option<Ready>, (keeper, own): (&UnixStream, &Circumstances)) -> Option<Handed> {
    wait_for_work(ready);
    let said = match receive(stdin()) {
        Received::Set(handed) if Circumstances::now() == *own => return Some(handed),
        Received::Set(handed) => Said::Unfit(handed),
        // What was handed over is lost where it could not be taken. Another keeper may do better.
        Received::Nothing | Received::Broken => Said::Nothing,
    };
    say(keeper, &said);
    None
}

/// Namespaces made ahead are given up as soon as something is mounted or taken away outside: they would show what is
/// not there any more, and keep it from being taken away.
fn wait_for_work(ready: &mut Option<Ready>) {
    while let Some(made) = ready.as_ref() {
        let mut waiting = [
            PollFd::from_borrowed_fd(stdin(), PollFlags::IN),
            PollFd::from_borrowed_fd(made.mounts(), PollFlags::PRI),
        ];
        let is_stale = wait_for_any(&mut waiting, None).is_none() || {
            let [_, mounts] = &waiting;
            !mounts.revents().is_empty()
        };
        match ready.take_if(|_| is_stale) {
            Some(stale) => stale.give_up(),
            None => return,
        }
    }
}
