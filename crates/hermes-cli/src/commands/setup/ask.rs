//! A question on the terminal whose answer does not show.

use std::io::{BufRead, IsTerminal, Write};
use std::os::fd::AsFd;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::failure::Failure;

/// Whether there is a person to ask.
pub(super) fn is_attended() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks and reads one line. What is secret is not shown while it is typed.
pub(super) fn ask(question: &str, secret: bool) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::io("the terminal")(error);
    let hidden = if secret { Some(Hidden::start()?) } else { None };
    let mut err = std::io::stderr().lock();
    err.write_all(question.as_bytes()).and_then(|()| err.flush()).map_err(failed)?;
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).map_err(failed);
    if hidden.is_some() {
        // The line end that was typed did not show either.
        let _ = err.write_all(b"\n");
    }
    drop(hidden);
    read?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

/// Keeps the terminal from showing what is typed, until it is dropped.
struct Hidden(Termios);

impl Hidden {
    fn start() -> Result<Self, Failure> {
        let stdin = std::io::stdin();
        let failed = |error: rustix::io::Errno| Failure::io("the terminal")(error.into());
        let before = tcgetattr(stdin.as_fd()).map_err(failed)?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(stdin.as_fd(), OptionalActions::Flush, &quiet).map_err(failed)?;
        Ok(Hidden(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = tcsetattr(std::io::stdin().as_fd(), OptionalActions::Now, &self.0);
    }
}
