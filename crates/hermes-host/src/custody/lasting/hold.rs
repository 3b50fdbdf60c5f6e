//! Holds one program until it ends or is told to.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::log::Log;
use super::stdin::Stdin;
use super::word::Word;
use super::{END, SOCKET};
use crate::custody::custodian::{end_by_force, finish, is_wanted, read_end, tell};
use crate::custody::order::Order;
use crate::custody::ready::Ready;
use crate::custody::report::Report;
use crate::custody::start::{Started, start};
use crate::custody::waiting::wait_for_any;
use crate::process::open_terminal;

/// What the launching runtime says when it goes in peace; anything else, and its silence, ends the program.
pub(crate) const LET_GO: u32 = u32::MAX;
/// Until a visitor is looked at again who could not be taken.
const MOMENT: Duration = Duration::from_millis(5);
/// How long somebody may take to say a word.
const PATIENCE: Duration = Duration::from_secs(2);

/// Starts the program and stays with it. Its files go into `folder`.
pub(in crate::custody) fn hold(order: &Order, folder: &Path, mut control: File, ready: Option<Ready>) {
    match begin(order, folder, ready, &control) {
        Ok((started, holder)) => {
            let Started { root, held, told, kept } = started;
            tell(&mut control, &Report::started(root, held));
            let seen = holder.watch(root, &mut Some(control));
            kept.remove();
            let report = told.and_then(read_end).unwrap_or(Report::Ended(seen));
            let _ = std::fs::write("end.new", report.encode()).and_then(|()| std::fs::rename("end.new", END));
            let _ = std::fs::remove_file(SOCKET);
        }
        Err(reason) => tell(&mut control, &Report::Failed { reason }),
    }
}

struct Holder {
    listener: UnixListener,
    log: Log,
    stdin: Stdin,
    /// `None` once everybody who could write has ended.
    output: Option<File>,
}

fn begin(
    order: &Order,
    folder: &Path,
    ready: Option<Ready>,
    control: &File,
) -> Result<(Started, Holder), String> {
    let text = |error: io::Error| format!("{}: {error}", folder.display());
    // From within, names are short enough for a socket whatever the folder's own path is.
    std::env::set_current_dir(folder).map_err(text)?;
    let listener = UnixListener::bind(SOCKET).map_err(text)?;
    let log = Log::new().map_err(text)?;
    let (theirs, to_stdin, output) = ends(order.pty).map_err(text)?;
    let started = start(order, &theirs, ready, &|| is_wanted(control))?;
    let _ = rustix::io::ioctl_fionbio(&output, true);
    Ok((started, Holder { listener, log, stdin: Stdin::new(to_stdin), output: Some(File::from(output)) }))
}

type Ends = ([OwnedFd; 3], OwnedFd, OwnedFd);

/// The program's three streams, and our ends for its input and its output.
fn ends(pty: bool) -> io::Result<Ends> {
    if pty {
        let (ours, theirs) = open_terminal()?;
        return Ok(([theirs.try_clone()?, theirs.try_clone()?, theirs], ours.try_clone()?, ours));
    }
    let (stdin, to_stdin) = pipe_with(PipeFlags::CLOEXEC)?;
    let (output, stdout) = pipe_with(PipeFlags::CLOEXEC)?;
    Ok(([stdin, stdout.try_clone()?, stdout], to_stdin, output))
}

impl Holder {
    /// Until the program has ended.
    fn watch(mut self, root: Pid, control: &mut Option<File>) -> crate::process::Exit {
        let Ok(ended) = pidfd_open(root, PidfdFlags::empty()) else {
            // Only where this process may not open anything any more.
            return end_by_force(root);
        };
        let mut deadline: Option<Instant> = None;
        loop {
            let ready = self.wait(&ended, control.as_ref(), deadline);
            self.stdin.flush();
            self.read_output();
            if ready.ended || ready.deadline {
                let exit = if ready.ended { finish(root) } else { end_by_force(root) };
                self.read_output();
                return exit;
            }
            let mut grace = None;
            if ready.control {
                grace = launcher_says(control);
            }
            if ready.visitor {
                grace = self.visit().or(grace);
            }
            if let Some(grace) = grace {
                if !grace.is_zero() {
                    let _ = kill_process_group(root, Signal::TERM);
                }
                deadline = Some(Instant::now() + grace);
            }
        }
    }

    fn wait(&self, ended: &OwnedFd, control: Option<&File>, deadline: Option<Instant>) -> Woken {
        let mut waiting = vec![
            PollFd::from_borrowed_fd(ended.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.listener.as_fd(), PollFlags::IN),
        ];
        waiting.extend(control.map(|control| PollFd::from_borrowed_fd(control.as_fd(), PollFlags::IN)));
        let fixed = waiting.len();
        waiting
            .extend(self.output.as_ref().map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN)));
        waiting.extend(self.stdin.wanted().map(|stream| PollFd::from_borrowed_fd(stream, PollFlags::OUT)));
        let woken = wait_for_any(&mut waiting, deadline);
        let is_ready = |place: usize| waiting.get(place).is_some_and(|one| !one.revents().is_empty());
        Woken {
            // One that cannot be waited for is ended.
            deadline: woken.is_none_or(|there| there == 0),
            ended: is_ready(0),
            visitor: is_ready(1),
            control: fixed > 2 && is_ready(2),
        }
    }

    fn read_output(&mut self) {
        let mut chunk = [0; 32 * 1024];
        while let Some(output) = &mut self.output {
            match output.read(&mut chunk) {
                Ok(0) => self.output = None,
                Ok(length) => self.log.push(chunk.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // The end of a terminal.
                Err(_) => self.output = None,
            }
        }
    }

    /// Takes one word; a grace if it is the word to end.
    fn visit(&mut self) -> Option<Duration> {
        let mut visitor = match self.listener.accept() {
            Ok((visitor, _)) => visitor,
            // Whoever may not open anything any more would hear of the same visitor for ever.
            Err(error) if is_lasting(&error) => return Some(Duration::ZERO),
            Err(_) => {
                sleep(MOMENT);
                return None;
            }
        };
        visitor.set_read_timeout(Some(PATIENCE)).ok()?;
        if !is_owner(&visitor) {
            return None;
        }
        let word = Word::read(&mut visitor)?;
        let (done, grace) = match word {
            Word::Type(data) => (self.stdin.push(&data), None),
            Word::Close => {
                self.stdin.close();
                (true, None)
            }
            Word::Stop(grace) => (true, Some(Duration::from_millis(u64::from(grace)))),
        };
        let _ = visitor.write_all(&[u8::from(!done)]);
        grace
    }
}

/// Whether no visitor will ever be taken. What the whole machine lacks it may have again soon.
fn is_lasting(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::EBADF | libc::EINVAL))
}

struct Woken {
    deadline: bool,
    ended: bool,
    visitor: bool,
    control: bool,
}

/// The launching runtime lets go, or ends the program: by a word or by being gone.
fn launcher_says(control: &mut Option<File>) -> Option<Duration> {
    let mut word = [0; 4];
    match control.as_mut()?.read_exact(&mut word).map(|()| u32::from_le_bytes(word)) {
        Ok(LET_GO) => {
            *control = None;
            None
        }
        Ok(grace) => Some(Duration::from_millis(u64::from(grace))),
        Err(_) => {
            *control = None;
            Some(Duration::ZERO)
        }
    }
}

/// Only whoever started the program may speak to it.
fn is_owner(visitor: &UnixStream) -> bool {
    rustix::net::sockopt::socket_peercred(visitor).is_ok_and(|peer| peer.uid == rustix::process::geteuid())
}
