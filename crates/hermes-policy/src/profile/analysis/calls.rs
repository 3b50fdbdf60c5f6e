//! Every call in a command line, also those that a launcher or a nested shell would make.

use crate::shell::{Script, Surroundings, Word, read_in};

/// How deep texts may nest in texts before nobody looks any deeper.
const MAX_DEPTH: usize = 8;
/// How many calls are looked at.
const MAX_CALLS: usize = 20_000;

/// Shells, with what makes them read a text.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "su"];

/// Launchers: the options that take a value, and how many operands stand before the program they start.
const LAUNCHERS: &[(&str, &[&str], usize)] = &[
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R", "--user", "--group"], 0),
    ("doas", &["-u", "-C"], 0),
    ("env", &["-u", "-C", "--unset", "--chdir"], 0),
    ("nice", &["-n"], 0),
    ("ionice", &["-c", "-n", "-p"], 0),
    ("chrt", &["-p", "-T", "-P", "-D"], 1),
    ("taskset", &[], 1),
    ("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    ("time", &["-f", "-o"], 0),
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("busybox", &[], 0),
    ("toybox", &[], 0),
    ("chroot", &[], 1),
    ("unshare", &[], 0),
    ("flock", &["-w", "-E"], 1),
    ("strace", &["-e", "-o", "-p", "-s", "-u"], 0),
    (
        "xargs",
        &["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s", "--delimiter", "--max-args", "--max-procs"],
        0,
    ),
];

/// Options of `find` behind which a command stands.
const FIND_EXEC: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// One program with its words.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) words: Vec<Word>,
}

/// All texts and calls of a command line.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// The line itself first, then the texts inside it.
    pub(crate) scripts: Vec<Script>,
    pub(crate) calls: Vec<Call>,
    /// Something could not be followed.
    pub(crate) unsure: bool,
}

impl Calls {
    pub(crate) fn of(text: &str, home: &str, cwd: &str) -> Self {
        let surroundings = Surroundings { home, cwd };
        let mut calls = Calls::default();
        calls.read(text, &surroundings, 0);
        calls
    }

    fn read(&mut self, text: &str, surroundings: &Surroundings<'_>, depth: usize) {
        if depth > MAX_DEPTH {
            self.unsure = true;
            return;
        }
        let script = read_in(text, surroundings);
        self.unsure |= !script.doubts.is_empty();
        let commands: Vec<Vec<Word>> = script.commands.iter().map(|command| command.words.clone()).collect();
        self.scripts.push(script);
        for words in commands {
            self.call(words, surroundings, depth);
        }
    }

    fn call(&mut self, words: Vec<Word>, surroundings: &Surroundings<'_>, depth: usize) {
        let Some(first) = words.first() else { return };
        if self.calls.len() >= MAX_CALLS || depth > MAX_DEPTH {
            self.unsure = true;
            return;
        }
        let program = first.literal().map(|program| base_name(&program).to_owned());
        self.unsure |= program.is_none();
        self.calls.push(Call { words: words.clone() });
        let Some(program) = program else { return };
        let rest = words.get(1..).unwrap_or_default();
        if program == "eval" || program == "watch" {
            self.text(&joined(rest), surroundings, depth);
        } else if SHELLS.contains(&program.as_str()) {
            if let Some(text) = text_of_shell(rest) {
                self.text(&text, surroundings, depth);
            }
        } else if program == "find" {
            for (at, _) in rest.iter().enumerate().filter(|(_, word)| is_one_of(word, FIND_EXEC)) {
                let inner = rest.get(at + 1..).unwrap_or_default();
                let ends = |word: &Word| word.literal().is_some_and(|text| text == ";" || text == "+");
                self.call(
                    inner.iter().take_while(|word| !ends(word)).cloned().collect(),
                    surroundings,
                    depth + 1,
                );
            }
        } else if let Some((_, values, skip)) = LAUNCHERS.iter().find(|(name, ..)| *name == program) {
            self.call(behind(rest, values, *skip), surroundings, depth + 1);
        }
    }

    fn text(&mut self, text: &Word, surroundings: &Surroundings<'_>, depth: usize) {
        match text.literal() {
            Some(text) => self.read(&text, surroundings, depth + 1),
            None => self.unsure = true,
        }
    }
}

/// The words behind a launcher's own options, values, assignments and operands.
fn behind(words: &[Word], values: &[&str], mut skip: usize) -> Vec<Word> {
    let mut rest = words.iter();
    let mut at = 0;
    while let Some(word) = rest.next() {
        at += 1;
        let text = word.shown();
        if text == "--" {
            break;
        }
        if text.starts_with('-') && text.len() > 1 {
            if values.contains(&text.as_str()) {
                rest.next();
                at += 1;
            }
        } else if text.split_once('=').is_some_and(|(name, _)| is_variable(name)) {
            continue;
        } else if skip > 0 {
            skip -= 1;
        } else {
            at -= 1;
            break;
        }
    }
    words.get(at..).unwrap_or_default().to_vec()
}

/// The text behind `-c`, also in a bundle such as `-lc`.
fn text_of_shell(words: &[Word]) -> Option<Word> {
    let is_text_option = |word: &Word| {
        let text = word.shown();
        text == "--command" || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
    };
    let at = words.iter().position(is_text_option)?;
    // `bash -c -e text` takes options behind -c as well.
    words.get(at + 1..)?.iter().find(|word| !word.shown().starts_with('-')).cloned()
}

fn joined(words: &[Word]) -> Word {
    let mut pieces = Vec::new();
    for (place, word) in words.iter().enumerate() {
        if place > 0 {
            pieces.push(crate::shell::Piece::Text(" ".to_owned()));
        }
        pieces.extend(word.pieces.iter().cloned());
    }
    Word { pieces }
}

fn is_one_of(word: &Word, names: &[&str]) -> bool {
    word.literal().is_some_and(|text| names.contains(&text.as_str()))
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// The program's name: what stands behind the last slash.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
