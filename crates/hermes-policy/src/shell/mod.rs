//! Shell text, read as a shell would read it. Nothing is ever run.
//!
//! The text is parsed to a tree (`parse`), and the tree is walked in the order it would run (`resolve`),
//! following variables as far as they are certain. What comes out is a flat list of commands:
//!
//! - Commands of a substitution stand before the command that uses them, inside its span.
//! - A command that can have several readings, because a variable in it can have several values, stands
//!   there once for each. So does a command whose first word is a variable that nothing sets: once with
//!   an unknown program, once as if the variable were empty.
//! - The redirections of a compound command (`{ …; } > f`) are a command without words before what is
//!   inside. If they give it an input, the commands inside have it in `reads_from`.
//! - A call of a function stands there as a command with [`Command::calls`], and after it what the
//!   function's body would run with these arguments, with `in_function` set. Bodies that nothing calls, or
//!   that are called in ways that were not followed, come last.
//! - `eval`, and `source` of a text that is known, stand there as a command, and after it what the text
//!   would run, with the same span. If the text is not certain there is a doubt with the reason
//!   [`DYNAMIC_EVAL`].
//! - In a pipe into a group every command inside may be the reader: all have the last command before the
//!   pipe in `reads_from`. A process substitution counts as a pipe.
//! - `declare`, `export` and their like have their assignments as words (`x=1`).
//! - `<&` and `>&` without a number are told with the one they mean, 0 and 1.
//! - Words that are certain have one piece. A pattern is cut into pieces: only what is special in it is a
//!   [`Piece::Glob`]; [`pattern_of`] puts it together again.
//!
//! What is assumed: the shell is bash, started with `-c`; files that are sourced set no variables that the
//! script sets too; `${x:-word}` of a variable that nothing sets is the word, and so is `${x+word}`.

mod arithmetic;
mod chars;
mod decode;
mod glob;
mod known_pattern;
mod model;
mod notes;
mod parse;
mod reader;
mod resolve;
mod streams;
mod tree;

pub use decode::static_output;
pub use glob::{glob_matches, pattern_of};
pub(crate) use known_pattern::KnownPattern;
pub use model::{Assignment, Command, Doubt, Function, Piece, Redirect, RedirectKind, Script, Word};
pub(crate) use reader::LONGEST_PATH;
pub use reader::{DYNAMIC_EVAL, Reader, Surroundings, read, read_in, read_nested};
pub(crate) use resolve::{joined, walked};
