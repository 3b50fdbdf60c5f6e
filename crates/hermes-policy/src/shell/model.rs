//! What a script would start: every simple command in it, with words resolved as far as that is certain.
//!
//! This is the contract between the reader of shell text and the judge of commands. The reader promises
//! completeness: every command that any branch of the script could start is in [`Script::commands`], and
//! whatever it could not follow is said in [`Script::doubts`] or as [`Piece::Unknown`].

use std::ops::Range;
use std::sync::Arc;

/// A whole script, flattened: commands in the order they stand, whatever nests them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub commands: Vec<Command>,
    pub functions: Vec<Function>,
    /// What the reader could not be sure of. Any doubt means that a person must be asked.
    pub doubts: Vec<Doubt>,
}

/// One simple command, or a compound command's redirections (then `words` is empty).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// `NAME=value` in front of the program, or a bare assignment if `words` is empty.
    pub assignments: Vec<Assignment>,
    /// The program and its arguments, after quote removal, brace expansion and following variables.
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
    /// The command whose output this one reads through a pipe, by its place in [`Script::commands`].
    pub reads_from: Option<usize>,
    /// The command that reads this one's output through a pipe.
    pub feeds: Option<usize>,
    /// All that stands on its standard input, where that is certain: from a here-document, a here-string
    /// or a pipe whose text could be followed.
    pub input: Option<Arc<str>>,
    /// The variables that the script puts into its environment: exported ones and those assigned in front
    /// of it. A text that it runs can be read with them.
    pub environment: Option<Arc<[(String, Word)]>>,
    /// Started with `&` or as a coprocess.
    pub background: bool,
    /// The function whose body this command stands in.
    pub in_function: Option<usize>,
    /// The function that this command certainly calls, so that no program of that name starts. Only its own
    /// first word can: what a wrapper such as `command` or `sudo` starts is never a function.
    pub calls: Option<usize>,
    /// Inside a loop.
    pub in_loop: bool,
    /// Runs only if something else says so: in a branch, or behind `&&` or `||`.
    pub conditional: bool,
    /// Inside a substitution whose text becomes part of another command's words.
    pub in_substitution: bool,
    /// Where it stands in the script.
    pub span: Range<usize>,
}

/// A function definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub name: String,
    pub value: Word,
    /// `NAME+=value`.
    pub append: bool,
}

/// A word as the program would get it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    pub pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Exactly this text.
    Text(String),
    /// An unquoted pattern (`*`, `?`, `[…]`, extglob) that the shell matches against file names.
    Glob(String),
    /// Text that only running would tell. `hint` is its source, such as `$1` or `$(date)`.
    Unknown { hint: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    pub kind: RedirectKind,
    /// The file descriptor, if the script says one.
    pub fd: Option<u32>,
    /// The file, the descriptor to copy, or the text of a here-document or here-string.
    pub target: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>` and `>|`
    Write,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `&>` and `>&file`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<&n`, `>&n`, `n<&-`
    Duplicate,
    /// `<<` and `<<-`; the target holds the body.
    HereDocument,
    /// `<<<`
    HereString,
}

/// Something that could not be followed with certainty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub reason: String,
    pub span: Range<usize>,
    /// The text ends before what was begun in it, as a quote: whoever wrote it has to complete it.
    pub unfinished: bool,
}

impl Word {
    pub fn text(text: impl Into<String>) -> Self {
        Word { pieces: vec![Piece::Text(text.into())] }
    }

    /// The whole text, if every piece of it is certain. Globs are not.
    pub fn literal(&self) -> Option<String> {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => Some(text.as_str()),
                Piece::Glob(_) | Piece::Unknown { .. } => None,
            })
            .collect()
    }

    /// The text with patterns as written and unknown parts left out; for looking, not for deciding.
    pub fn shown(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) | Piece::Glob(text) => text.as_str(),
                Piece::Unknown { hint } => hint.as_str(),
            })
            .collect()
    }

    pub fn is_certain(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Text(_)))
    }

    pub fn has_unknown(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Unknown { .. }))
    }
}
