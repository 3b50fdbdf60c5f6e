//! What runs inside an interpreter that stays: takes a line of JSON with code, answers with one.

pub(super) const PYTHON: &str = include_str!("python.py");
pub(super) const NODE: &str = include_str!("node.js");
