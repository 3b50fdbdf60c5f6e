//! Every call in a command line, also those that a launcher or a nested shell would make.

use std::collections::HashSet;

use crate::command::{Arg, Launched, Rules, launched};
use crate::shell::{Script, Surroundings, Word, read_in};

/// How deep texts may nest in texts before nobody looks any deeper.
const MAX_DEPTH: usize = 8;
/// How many calls are looked at.
const MAX_CALLS: usize = 20_000;

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
    /// Texts that were read: texts inside texts come up again and again.
    read: HashSet<String>,
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
        if !self.read.insert(text.to_owned()) {
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
        let Ok(rules) = Rules::shipped() else {
            self.unsure = true;
            return;
        };
        let rest = words.get(1..).unwrap_or_default();
        let args: Vec<Arg> = rest.iter().map(Arg::from_word).collect();
        for start in launched(rules, &program, &args) {
            match start {
                Launched::Words(inner) => self.call(as_written(&inner, &args, rest), surroundings, depth + 1),
                Launched::Text(text) => self.text(&text.to_word(), surroundings, depth),
            }
        }
    }

    fn text(&mut self, text: &Word, surroundings: &Surroundings<'_>, depth: usize) {
        match text.literal() {
            Some(text) => self.read(&text, surroundings, depth + 1),
            None => self.unsure = true,
        }
    }
}

/// The words of an inner call in the reader's own form, where they are the last ones of the call around it.
fn as_written(inner: &[Arg], args: &[Arg], words: &[Word]) -> Vec<Word> {
    match args.len().checked_sub(inner.len()).filter(|start| args.get(*start..) == Some(inner)) {
        Some(start) => words.get(start..).unwrap_or_default().to_vec(),
        None => inner.iter().map(Arg::to_word).collect(),
    }
}

/// The program's name: what stands behind the last slash.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
