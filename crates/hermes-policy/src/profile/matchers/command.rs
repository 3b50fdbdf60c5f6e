//! Command patterns: `rm -rf /`, `git push *`, `:(){ :|:& };:`. They are read by the same reader as the commands
//! they are held against, so spacing, quoting and the order of flags play no part.

use hermes_core::grant::runs_others;

use crate::profile::analysis::{Call, base_name};
use crate::profile::ground::Ground;
use crate::profile::holds::Holds;
use crate::profile::matchers::Wildcard;
use crate::shell::{Command, Piece, Script, Surroundings, Word, read_in};

use super::flags::{Flags, is_flag};
use super::shape::Shape;
use super::words::{operands_in, word_fits};

/// A pattern over commands.
#[derive(Clone, Debug)]
pub struct CommandPattern {
    text: String,
    kind: Kind,
    /// What the pattern is met by if anything is: itself, with a letter for every wildcard.
    sample: Script,
}

#[derive(Clone, Debug)]
enum Kind {
    Simple {
        program: Wildcard,
        flags: Flags,
        operands: Vec<Word>,
        open: bool,
    },
    /// Several commands in a certain arrangement.
    Several(Shape),
}

impl CommandPattern {
    /// Reads a pattern. An error says why it could never match.
    pub(crate) fn parse(text: &str, ground: &Ground) -> Result<Self, String> {
        let home = ground.home.display().to_string();
        let script = read_in(text, &Surroundings { home: &home, cwd: "/" });
        if let Some(doubt) = script.doubts.first() {
            return Err(format!("cannot be read as a command: {}", doubt.reason));
        }
        let kind = match script.commands.as_slice() {
            [] => return Err("holds no command".to_owned()),
            [command] if script.functions.is_empty() => Self::simple(command)?,
            _ => Kind::Several(Shape::of(&script)),
        };
        Ok(CommandPattern { text: text.trim().to_owned(), kind, sample: sample(script) })
    }

    /// Whether any command is what the pattern says.
    pub(crate) fn can_match(&self) -> bool {
        let is_met = |command: &Command| self.is_in(&Call { words: command.words.clone() }) == Holds::Yes;
        self.is_shape_of(&self.sample) == Holds::Yes || self.sample.commands.iter().any(is_met)
    }

    fn simple(command: &Command) -> Result<Kind, String> {
        if !command.assignments.is_empty() || !command.redirects.is_empty() {
            return Err("names a variable or a file to write: name the program and its words only".to_owned());
        }
        let Some((program, rest)) = command.words.split_first() else {
            return Err("holds no command".to_owned());
        };
        if command.words.iter().any(Word::has_unknown) {
            return Err("holds a part that only running would tell".to_owned());
        }
        let open = rest.last().is_some_and(is_star);
        let operands = rest.iter().filter(|word| !is_flag(word)).cloned();
        let operands: Vec<Word> =
            if open { operands.take(operand_count(rest) - 1).collect() } else { operands.collect() };
        let program = Wildcard::new(program.shown());
        let flags = Flags::of(rest.iter().filter(|word| is_flag(word)));
        Ok(Kind::Simple { program, flags, operands, open })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Why the pattern must not let anything through, if it must not.
    pub(crate) fn why_not_allowed(&self) -> Option<String> {
        let Kind::Simple { program, operands, open, .. } = &self.kind else {
            return Some("is more than one command: name each by itself".to_owned());
        };
        if !program.is_exact() {
            return Some("does not name its program".to_owned());
        }
        let wild = *open || operands.iter().any(|word| !word.is_certain());
        let fixed = operands.iter().map_while(Word::literal);
        let words: Vec<String> = std::iter::once(program.text().to_owned()).chain(fixed).collect();
        let why = runs_others(&words).filter(|_| wild)?;
        let name = base_name(program.text());
        Some(format!(
            "would let {name} run anything ({why}): name all its words, or the command that it is to run"
        ))
    }

    /// Whether a call does what the pattern says, whatever else it does.
    pub(crate) fn is_in(&self, call: &Call) -> Holds {
        let Kind::Simple { program, flags, operands, .. } = &self.kind else { return Holds::No };
        let Some((first, rest)) = call.words.split_first() else { return Holds::No };
        let same_program = match first.literal() {
            Some(name) if program.matches(base_name(&name)) || program.matches(&name) => Holds::Yes,
            Some(_) => Holds::No,
            None => Holds::Maybe,
        };
        if same_program == Holds::No {
            return Holds::No;
        }
        let given = Flags::of(rest.iter().filter(|word| is_flag(word)));
        let unknown = rest.iter().any(Word::has_unknown) || given.may_vary();
        let flags_fit = match (flags.are_in(&given), unknown) {
            (true, _) => Holds::Yes,
            (false, true) => Holds::Maybe,
            (false, false) => Holds::No,
        };
        same_program.min(flags_fit).min(operands_in(operands, rest))
    }

    /// Whether a script is arranged as the pattern says.
    pub(crate) fn is_shape_of(&self, script: &Script) -> Holds {
        match &self.kind {
            Kind::Several(shape) if shape.is_in(&Shape::of(script)) => Holds::Yes,
            _ => Holds::No,
        }
    }

    /// Whether a command is exactly what the pattern says, and certainly so.
    pub(crate) fn allows(&self, command: &Command) -> bool {
        let Kind::Simple { program, flags, operands, open } = &self.kind else { return false };
        let Some((first, rest)) = command.words.split_first() else { return false };
        let named = first.literal().is_some_and(|name| program.matches(&name));
        let certain = command.assignments.is_empty() && rest.iter().all(|word| !word.has_unknown());
        if !named || !certain {
            return false;
        }
        let given: Vec<&Word> = rest.iter().filter(|word| !is_flag(word)).collect();
        let fits = given.iter().zip(operands).all(|(given, wanted)| word_fits(wanted, given) == Holds::Yes);
        let enough = if *open { given.len() >= operands.len() } else { given.len() == operands.len() };
        let given_flags = Flags::of(rest.iter().filter(|word| is_flag(word)));
        fits && enough && (*open || given_flags.are_named_by(flags)) && flags.are_in(&given_flags)
    }
}

fn sample(mut script: Script) -> Script {
    let words = script.commands.iter_mut().flat_map(|command| &mut command.words);
    for piece in words.flat_map(|word| &mut word.pieces) {
        if let Piece::Glob(text) = piece {
            *piece = Piece::Text(text.replace(['*', '?'], "x").replace(['[', ']'], ""));
        }
    }
    script
}

fn operand_count(words: &[Word]) -> usize {
    words.iter().filter(|word| !is_flag(word)).count()
}

fn is_star(word: &Word) -> bool {
    matches!(word.pieces.as_slice(), [Piece::Glob(text)] if text == "*")
}
