//! Why a text could not be read, and where.

use std::borrow::Cow;

/// The first thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::arguments) struct Flaw {
    /// Byte offset in the text that was read.
    pub(in crate::arguments) at: usize,
    pub(in crate::arguments) kind: Kind,
    /// What should have stood there.
    pub(in crate::arguments) expected: Cow<'static, str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::arguments) enum Kind {
    /// The text ends before its value does.
    Truncated,
    Unexpected,
    DuplicateKey(String),
    /// `NaN`, `Infinity`, or a number beyond all floats.
    NotFinite,
    TooDeep,
    /// A whole value was read and more text follows.
    Trailing,
}

impl Flaw {
    pub(super) fn new(at: usize, kind: Kind, expected: impl Into<Cow<'static, str>>) -> Self {
        Flaw { at, kind, expected: expected.into() }
    }
}
