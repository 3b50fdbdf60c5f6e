//! The words of a call, in the shape the judge looks at: text, and how sure it is.

use crate::shell::{Piece, Word};

/// Stands in [`Arg::text`] for a part that only running would tell. No real argument can hold it.
pub(crate) const HOLE: char = '\0';

/// One word as a program would get it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arg {
    /// The word with patterns as written and a [`HOLE`] for every unknown part.
    pub text: String,
    /// The shell would match it against file names.
    pub pattern: bool,
    /// The sources of the unknown parts, in order.
    pub hints: Vec<String>,
}

impl Arg {
    pub fn certain(text: impl Into<String>) -> Self {
        Arg { text: text.into(), ..Arg::default() }
    }

    pub fn unknown(hint: impl Into<String>) -> Self {
        Arg { text: HOLE.to_string(), pattern: false, hints: vec![hint.into()] }
    }

    pub fn from_word(word: &Word) -> Self {
        let mut arg = Arg::default();
        for piece in &word.pieces {
            match piece {
                Piece::Text(text) => arg.push(text),
                Piece::Glob(text) => {
                    arg.pattern = true;
                    arg.push(text);
                }
                Piece::Unknown { hint } => {
                    arg.text.push(HOLE);
                    arg.hints.push(hint.clone());
                }
            }
        }
        arg
    }

    /// A NUL cannot reach a program: bash drops it.
    fn push(&mut self, text: &str) {
        text.split(HOLE).for_each(|part| self.text.push_str(part));
    }

    /// Back to the reader's form, for a text that is read with this word as a parameter.
    pub fn to_word(&self) -> Word {
        let mut pieces = Vec::new();
        let mut hints = self.hints.iter();
        for (place, text) in self.text.split(HOLE).enumerate() {
            if place > 0 {
                pieces.push(Piece::Unknown { hint: hints.next().cloned().unwrap_or_default() });
            }
            if !text.is_empty() {
                let piece =
                    if self.pattern { Piece::Glob(text.to_owned()) } else { Piece::Text(text.to_owned()) };
                pieces.push(piece);
            }
        }
        Word { pieces }
    }

    pub fn is_certain(&self) -> bool {
        !self.pattern && self.hints.is_empty()
    }

    pub fn has_hole(&self) -> bool {
        !self.hints.is_empty()
    }

    /// The exact text, if it is known.
    pub fn exact(&self) -> Option<&str> {
        self.is_certain().then_some(self.text.as_str())
    }

    /// Nothing of it is known.
    pub fn is_hole(&self) -> bool {
        self.has_hole() && self.text.chars().all(|c| c == HOLE)
    }

    /// For people: unknown parts as their source.
    pub fn shown(&self) -> String {
        let mut hints = self.hints.iter();
        let mut shown = String::with_capacity(self.text.len());
        for c in self.text.chars() {
            match c {
                HOLE => shown.push_str(hints.next().map_or("?", String::as_str)),
                _ => shown.push(c),
            }
        }
        shown
    }

    /// The part behind the first `separator`, with the hints that belong to it.
    pub fn after(&self, separator: char) -> Option<Arg> {
        let (front, back) = self.text.split_once(separator)?;
        Some(self.tail(front, back))
    }

    /// The word without a prefix, such as the value in `of=/dev/sda` or `-I/usr/include`.
    pub fn without_prefix(&self, prefix: &str) -> Option<Arg> {
        let back = self.text.strip_prefix(prefix)?;
        Some(self.tail(prefix, back))
    }

    fn tail(&self, front: &str, back: &str) -> Arg {
        let skipped = front.chars().filter(|c| *c == HOLE).count();
        Arg {
            text: back.to_owned(),
            pattern: self.pattern,
            hints: self.hints.iter().skip(skipped).cloned().collect(),
        }
    }
}

/// All words as one text, the way `eval`, `ssh` and `watch` join theirs.
pub(crate) fn join(args: &[Arg]) -> Arg {
    let mut joined = Arg::default();
    for (place, arg) in args.iter().enumerate() {
        if place > 0 {
            joined.text.push(' ');
        }
        joined.text.push_str(&arg.text);
        joined.pattern |= arg.pattern;
        joined.hints.extend(arg.hints.iter().cloned());
    }
    joined
}

/// The program's name: what stands behind the last slash.
pub(crate) fn base_name(program: &str) -> &str {
    program.trim_end_matches('/').rsplit('/').next().unwrap_or(program)
}
