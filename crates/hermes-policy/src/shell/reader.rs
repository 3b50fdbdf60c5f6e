//! The way in: a text, and what a reading of it may depend on.

use super::model::{Script, Word};
use super::notes::Notes;
use super::{parse, resolve};

/// The reason of the doubt about `eval` or `source` of a text that only running would tell.
pub const DYNAMIC_EVAL: &str = "runs a text as commands that only running would tell";

/// Texts inside texts are followed this deep.
pub(super) const MAX_TEXTS: usize = 12;

/// `PATH_MAX` of every system that has one.
pub(crate) const LONGEST_PATH: usize = 4096;

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
    pub(super) surroundings: Surroundings<'a>,
    pub(super) depth: usize,
    pub(super) arguments: Option<&'a [Word]>,
    pub(super) variables: &'a [(String, Word)],
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
        let mut notes = Notes::for_text(text);
        if self.depth >= MAX_TEXTS {
            notes.doubt("too many texts inside texts", 0..text.len());
            return (Script { doubts: notes.doubts, ..Script::default() }, 0);
        }
        let tree = parse::script(text, parse::Origin::At(0), &mut notes);
        resolve::script(&tree, self, notes)
    }
}
