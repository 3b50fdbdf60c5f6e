//! What runs inside an interpreter around the code of others.

/// An interpreter that stays: takes a line of JSON with code, answers with one.
pub(super) const PYTHON: &str = include_str!("python.py");
/// The same.
pub(super) const NODE: &str = include_str!("node.js");
/// Begins the Python script beside it.
pub(super) const SCRIPT: &str = include_str!("script.py");
