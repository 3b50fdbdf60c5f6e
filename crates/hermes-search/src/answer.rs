//! Question and answer of a search.

use crate::index::Slot;

/// What to look for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    pub text: &'a str,
    /// The service or kind of server, if the caller knows it.
    pub service: Option<&'a str>,
    pub limit: usize,
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

/// What was found, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub hits: Vec<Hit>,
    pub method: Method,
}
