//! What was typed into a command in the background. Whoever reads it reads one text, however many calls brought it,
//! so it is judged as one text; and where several may read it, as what each of them would get.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::keys::{EDITED, TAKES_BACK, only_keys, read_as};
use super::recalled::{is_recalled, recalls};
use crate::terminal::quote::quoted_text;

const FILE: &str = "typed";

/// Programs that read commands, and nothing else where they are given only options.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"];

/// Lines that may belong together.
const TOGETHER: usize = 32;

/// Programs that read a language of their own, by the option that gives them a text of it.
const READERS: &[(&str, &str)] =
    &[("python", "-c"), ("node", "-e"), ("ruby", "-e"), ("perl", "-e"), ("php", "-r")];

pub(super) fn so_far(folder: &Path) -> io::Result<String> {
    match fs::read_to_string(folder.join(FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// Remembers the text. What an interrupt took back is not kept.
pub(super) fn add(folder: &Path, text: &str, pty: bool) -> io::Result<()> {
    let taken_back = text.rsplit_once(TAKES_BACK).filter(|_| pty);
    let mut options = OpenOptions::new();
    options.create(true).append(taken_back.is_none()).write(true).truncate(taken_back.is_some()).mode(0o600);
    options.open(folder.join(FILE))?.write_all(taken_back.map_or(text, |(_, rest)| rest).as_bytes())
}

/// What must be allowed before a text is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::terminal) struct Judged {
    /// Command lines that may be what is run.
    pub(in crate::terminal) run: Vec<String>,
    /// Command lines that are run only if something else reads what comes before them.
    pub(in crate::terminal) rest: Vec<String>,
}

/// The command lines that do the same as `text` typed into `command` after `before`. Unless it is known what reads
/// it, it may be a shell; and somebody else may have read the first lines, so that what was a text to the first reader
/// is a command to the next.
pub(super) fn judged(command: &str, pty: bool, before: &str, text: &str) -> Judged {
    if pty && only_keys(text) {
        return Judged::default();
    }
    let plain = command.chars().all(|c| c.is_ascii_alphanumeric() || " ._/-+=:,".contains(c));
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    let is = |known: &str| {
        name.strip_prefix(known).is_some_and(|rest| rest.chars().all(|c| c == '.' || c.is_ascii_digit()))
    };
    let is_shell = plain && SHELLS.contains(&name) && words.all(|word| word.starts_with('-'));
    let as_read = |text: String| if pty { read_as(&text, is_shell) } else { text };
    let lines_before = as_read(before.to_owned()).matches('\n').count();
    let whole = as_read(format!("{before}{text}"));
    if let Some((_, option)) = READERS.iter().find(|(known, _)| plain && is(known)) {
        return Judged { run: vec![format!("{program} {option} {}", quoted_text(&whole))], rest: Vec::new() };
    }
    let mut run = vec![whole.trim_end().to_owned()];
    let mut rest = rests(&whole, lines_before);
    if !is_shell {
        run.append(&mut rest);
    }
    if recalls(command, pty, &whole) {
        let new = whole.lines().skip(lines_before).filter(|line| is_recalled(line));
        run.extend(new.map(|line| format!("{EDITED} {line}")));
    }
    for lines in [&mut run, &mut rest] {
        lines.retain(|line| !line.trim().is_empty());
        lines.dedup();
    }
    Judged { run, rest }
}

/// The text from every line on that the new ones could be part of.
fn rests(whole: &str, lines_before: usize) -> Vec<String> {
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let first = lines_before.saturating_sub(TOGETHER).max(1);
    let from = |at: usize| lines.iter().skip(at).take(TOGETHER).copied().collect::<String>();
    (first..lines.len()).map(|at| from(at).trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(command: &str, text: &str) -> Vec<String> {
        judged(command, false, "", text).run
    }

    #[test]
    fn a_text_is_judged_in_the_language_of_its_reader() {
        assert_eq!(run("python3.11 -i", "import os\n"), ["python3.11 -c 'import os\n'"]);
        assert_eq!(run("/usr/bin/node", "it's"), [r"/usr/bin/node -e 'it'\''s'"]);
        for shell in ["bash", "python3; bash", "pythonic", "sudo python3", "python3 $(x)"] {
            assert_eq!(run(shell, "ls\n"), ["ls"], "{shell}");
        }
    }

    #[test]
    fn every_line_may_be_the_first_that_a_shell_reads() {
        let text = "cat <<'E'\na\nE\n";
        assert_eq!(run("read x; sh", text), ["cat <<'E'\na\nE", "a\nE", "E"]);
        let shell = judged("bash -i", false, "", text);
        assert_eq!(shell.run, ["cat <<'E'\na\nE"]);
        assert_eq!(shell.rest, ["a\nE", "E"]);
        assert_eq!(judged("sh x.sh", false, "one\n", "two\n").run, ["one\ntwo", "two"]);
    }

    #[test]
    fn what_a_line_brings_back_is_not_known() {
        let recalled = judged("bash", true, "echo /etc/x\n^echo", "^touch\n");
        assert_eq!(recalled.run, ["echo /etc/x\n^echo^touch", "$EDITED_BY_KEYS ^echo^touch"]);
        // Whoever agreed to it is not asked about every line after it.
        assert_eq!(judged("bash", true, "!!\n", "ls\n").run, ["!!\nls"]);
        assert_eq!(run("bash", "echo a!b\n"), ["echo a!b"]);
        assert_eq!(run("bash -i", "echo a!b\n").len(), 2);
    }

    #[test]
    fn a_terminal_has_keys() {
        assert_eq!(judged("read x; sh", true, "", "cat <<E\ra\r").run, ["cat <<E\na", "a"]);
        assert_eq!(judged("sh", true, "rm x", "\u{3}"), Judged::default());
        assert_eq!(judged("sh", true, "echo '\n", "\u{3}ls\r").run, ["ls"]);
        assert_eq!(judged("sh", false, "", "\u{3}").run, ["\u{3}"]);
    }
}
