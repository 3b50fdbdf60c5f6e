//! A question on the terminal whose answer does not show.

use std::io::{BufRead, IsTerminal, Read, Write};
use std::os::fd::AsFd;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::masked::{Key, Masked};
use crate::failure::Failure;

/// Whether there is a person to ask.
pub(super) fn is_attended() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks and reads one line. Of what is secret only stars show while it is typed.
pub(super) fn ask(question: &str, secret: bool) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::io("the terminal")(error);
    let mut err = std::io::stderr().lock();
    if secret {
        let _quiet = Quiet::start()?;
        err.write_all(question.as_bytes()).and_then(|()| err.flush()).map_err(failed)?;
        return typed(&mut err);
    }
    err.write_all(question.as_bytes()).and_then(|()| err.flush()).map_err(failed)?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(failed)?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

/// Reads key by key: the terminal neither shows nor interprets them, so that an interrupt cannot leave it so.
fn typed(err: &mut impl Write) -> Result<String, Failure> {
    let mut line = Masked::default();
    for byte in std::io::stdin().lock().bytes() {
        let byte = byte.map_err(Failure::io("the terminal"))?;
        let key = line.press(byte);
        let shown = match key {
            Key::Nothing => String::new(),
            Key::Letter => "*".to_owned(),
            Key::Erased(count) => "\u{8} \u{8}".repeat(count),
            Key::Done | Key::Interrupt => "\n".to_owned(),
        };
        let _ = err.write_all(shown.as_bytes()).and_then(|()| err.flush());
        match key {
            Key::Done => break,
            Key::Interrupt => {
                let text = "stopped; what was entered before is stored".to_owned();
                return Err(Failure::interrupted(text));
            }
            _ => {}
        }
    }
    line.text().ok_or_else(|| Failure::answer_is_no("what was typed is not UTF-8 text"))
}

/// Keeps the terminal from showing and interpreting what is typed, until it is dropped.
struct Quiet(Termios);

impl Quiet {
    fn start() -> Result<Self, Failure> {
        let stdin = std::io::stdin();
        let failed = |error: rustix::io::Errno| Failure::io("the terminal")(error.into());
        let before = tcgetattr(stdin.as_fd()).map_err(failed)?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        tcsetattr(stdin.as_fd(), OptionalActions::Flush, &quiet).map_err(failed)?;
        Ok(Quiet(before))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        let _ = tcsetattr(std::io::stdin().as_fd(), OptionalActions::Now, &self.0);
    }
}
