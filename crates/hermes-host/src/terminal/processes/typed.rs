//! What was typed into a command in the background. Whoever reads it reads one text, however many calls brought it,
//! so it is judged as one text.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::terminal::quote::quoted_text;

const FILE: &str = "typed";

/// Programs that read a language of their own, by the option that gives them a text of it.
const READERS: &[(&str, &str)] =
    &[("python", "-c"), ("node", "-e"), ("ruby", "-e"), ("perl", "-e"), ("php", "-r")];

pub(super) fn so_far(folder: &Path) -> io::Result<String> {
    match fs::read_to_string(folder.join(FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

pub(super) fn add(folder: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(folder.join(FILE))?;
    file.write_all(text.as_bytes())
}

/// The command line that does the same as `text` typed into `command`. Unless it is known what reads it, it may be
/// a shell.
pub(super) fn as_command(command: &str, text: &str) -> String {
    let plain = command.chars().all(|c| c.is_ascii_alphanumeric() || " ._/-+=:,".contains(c));
    let program = command.split_whitespace().next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    let is = |known: &str| {
        name.strip_prefix(known).is_some_and(|rest| rest.chars().all(|c| c == '.' || c.is_ascii_digit()))
    };
    match READERS.iter().find(|(known, _)| plain && is(known)) {
        Some((_, option)) => format!("{program} {option} {}", quoted_text(text)),
        None => text.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_judged_in_the_language_of_its_reader() {
        assert_eq!(as_command("python3.11 -i", "import os\n"), "python3.11 -c 'import os\n'");
        assert_eq!(as_command("/usr/bin/node", "it's"), r"/usr/bin/node -e 'it'\''s'");
        for shell in ["bash", "python3; bash", "pythonic", "sudo python3", "python3 $(x)"] {
            assert_eq!(as_command(shell, "ls\n"), "ls", "{shell}");
        }
    }
}
