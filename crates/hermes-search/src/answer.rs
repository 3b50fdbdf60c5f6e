//! Question and answer of a search.

use crate::index::Slot;

/// What to look for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    pub text: &'a str,
    /// The service or kind of server, if the caller knows it.
    pub service: Option<&'a str>,
    pub limit: usize,
    /// Rank by words alone, whatever vectors there are.
    pub words_only: bool,
    /// Tools that queries like this one led to, and how alike those were, from 0 to 1: they rise.
    pub learned: &'a [(&'a str, f32)],
}

/// Something found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub slot: Slot,
    pub name: String,
    /// From 0 to 1 within one answer; names that stood in the query have 1.
    pub score: f32,
    /// The query named it.
    pub exact: bool,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By words only: the vectors of this scope are not ready, or there is no encoder.
    Words,
    /// By words and meaning.
    Meaning,
}

/// Whether what was found is likely what was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Good,
    /// The nearest there is, and it is not near.
    Weak,
}

/// What was found, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub hits: Vec<Hit>,
    pub method: Method,
    pub fit: Fit,
}
