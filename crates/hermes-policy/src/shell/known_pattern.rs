//! Patterns of the rules, tried against name after name.

use super::glob::{glob_matches, plain_ends};

/// A pattern that many names are tried against: what is plain in it is looked for only once.
#[derive(Clone, Debug)]
pub(crate) struct KnownPattern {
    pattern: String,
    head: String,
    tail: String,
}

impl KnownPattern {
    pub fn new(pattern: &str) -> Self {
        let (head, tail) = plain_ends(pattern);
        KnownPattern { pattern: pattern.to_owned(), head: head.to_owned(), tail: tail.to_owned() }
    }

    pub fn matches(&self, text: &str) -> bool {
        text.starts_with(&self.head) && text.ends_with(&self.tail) && glob_matches(&self.pattern, text)
    }
}
