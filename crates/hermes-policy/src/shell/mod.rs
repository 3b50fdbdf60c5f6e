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
mod model;
mod notes;
mod parse;
mod resolve;
mod streams;
mod tree;

pub use decode::static_output;
pub use glob::{glob_matches, pattern_of};
pub use model::{Assignment, Command, Doubt, Function, Piece, Redirect, RedirectKind, Script, Word};

/// The reason of the doubt about `eval` or `source` of a text that only running would tell.
pub const DYNAMIC_EVAL: &str = "runs a text as commands that only running would tell";

/// Texts inside texts are followed this deep.
const MAX_TEXTS: usize = 12;

/// Where a script would run.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    pub home: &'a str,
    pub cwd: &'a str,
}

impl Default for Surroundings<'_> {
    fn default() -> Self {
        Surroundings { home: "/home/user", cwd: "/home/user" }
    }
}

/// Reads a script as it stands: the argument of `bash -c`, so there are no positional parameters.
pub fn read(text: &str) -> Script {
    read_in(text, &Surroundings::default())
}

/// The same, where home and working folder are known.
pub fn read_in(text: &str, surroundings: &Surroundings<'_>) -> Script {
    Reader::new(surroundings).arguments(&[]).read(text)
}

/// Reads a script that was found inside another one, `depth` texts deep. Its positional parameters are
/// unknown.
pub fn read_nested(text: &str, depth: usize) -> Script {
    Reader::new(&Surroundings::default()).depth(depth).read(text)
}

/// All that a reading may depend on.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    surroundings: Surroundings<'a>,
    depth: usize,
    arguments: Option<&'a [Word]>,
    variables: &'a [(String, Word)],
}

impl<'a> Reader<'a> {
    pub fn new(surroundings: &Surroundings<'a>) -> Self {
        Reader { surroundings: *surroundings, depth: 0, arguments: None, variables: &[] }
    }

    /// How many texts this one is inside of. Too deep, and there is nothing but a doubt.
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// The positional parameters, `$1` first. Without this they are unknown.
    pub fn arguments(mut self, arguments: &'a [Word]) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// Variables of the environment whose values are known, such as [`Command::environment`] tells.
    pub fn variables(mut self, variables: &'a [(String, Word)]) -> Self {
        self.variables = variables;
        self
    }

    pub fn read(&self, text: &str) -> Script {
        self.read_counting(text).0
    }

    /// Also tells how many steps the reading took; the tests hold it to linear growth.
    #[doc(hidden)]
    pub fn read_counting(&self, text: &str) -> (Script, usize) {
        let mut notes = notes::Notes::for_text(text);
        if self.depth >= MAX_TEXTS {
            notes.doubt("too many texts inside texts", 0..text.len());
            return (Script { doubts: notes.doubts, ..Script::default() }, 0);
        }
        let tree = parse::script(text, parse::Origin::At(0), &mut notes);
        resolve::script(&tree, self, notes)
    }
}
