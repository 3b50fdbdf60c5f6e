//! Which departures from JSON a reading accepts, and which it met.

/// What counts as well-formed.
#[derive(Clone, Copy, Debug)]
pub(in crate::arguments) struct Dialect {
    /// `true`, `false`, `null`.
    pub(super) json_words: bool,
    /// `'text'`, `True`, `False`, `None`, tuples and Python's number forms.
    pub(super) python: bool,
    pub(super) trailing_commas: bool,
    pub(super) raw_controls: bool,
}

impl Dialect {
    /// JSON and nothing else.
    pub(in crate::arguments) const JSON: Dialect =
        Dialect { json_words: true, python: false, trailing_commas: false, raw_controls: false };

    /// A Python literal. Trailing commas are legal there, but text such as `[1, 2,]` is more often cut
    /// off than Python, so only tuples may have them.
    pub(in crate::arguments) const PYTHON: Dialect =
        Dialect { json_words: false, python: true, trailing_commas: false, raw_controls: false };

    /// Everything that can be understood in one way only.
    pub(in crate::arguments) const LENIENT: Dialect =
        Dialect { json_words: true, python: true, trailing_commas: true, raw_controls: true };
}

/// What a successful reading had to forgive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::arguments) struct Forgiven {
    pub(in crate::arguments) python: bool,
    pub(in crate::arguments) trailing_commas: bool,
    pub(in crate::arguments) raw_controls: bool,
    /// `\d` and the like, kept as written.
    pub(in crate::arguments) loose_escapes: bool,
    /// An integer of more than 64 bits was kept as text.
    pub(in crate::arguments) big_integers: bool,
    /// One of them stood in a part that stands for itself.
    pub(in crate::arguments) big_integers_apart: bool,
}
