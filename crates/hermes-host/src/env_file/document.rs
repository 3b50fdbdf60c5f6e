//! The content of a `.env` file, to look at and to change.

use std::collections::BTreeMap;

use hermes_core::{ErrorCode, ToolError};

use super::parse::{self, Assignment, Piece};
use super::quote;

/// A parsed `.env` file. Where a name stands twice, the last one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvDocument {
    pieces: Vec<Piece>,
}

impl EnvDocument {
    /// Every text is a document: lines that make no sense are kept and ignored.
    pub fn parse(text: &str) -> Self {
        EnvDocument { pieces: parse::pieces(text) }
    }

    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Other(line) => text.push_str(line),
                Piece::Assignment(Assignment { head, written, tail, .. }) => {
                    text.extend([head.as_str(), written, tail]);
                }
            }
        }
        text
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.assignments().filter(|assignment| assignment.name == name);
        found.last().map(|assignment| assignment.value.as_str())
    }

    /// All variables, by name.
    pub fn variables(&self) -> BTreeMap<&str, &str> {
        self.assignments().map(|assignment| (assignment.name.as_str(), assignment.value.as_str())).collect()
    }

    /// Changes a variable where it stands, or adds it at the end.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ToolError> {
        if !parse::is_name(name) {
            return Err(ToolError::invalid(format!(
                "'{name}' is not a variable name: use letters, digits and underscores, no digit first"
            )));
        }
        if value.contains('\0') {
            return Err(ToolError::invalid("the value of a variable cannot contain a NUL character"));
        }
        let mut changed = self.clone();
        changed.put(name, value);
        // A quote left open further up would swallow what is written below it.
        let mut expected = self.variables();
        expected.insert(name, value);
        let written = EnvDocument::parse(&changed.to_text());
        if written.variables() != expected {
            return Err(ToolError::new(
                ErrorCode::Conflict,
                "the .env file has a quote that is never closed",
            )
            .with_hint("close the quote in the file by hand, then try again"));
        }
        *self = written;
        Ok(())
    }

    /// Removes a variable everywhere it stands; says whether it was there.
    pub fn unset(&mut self, name: &str) -> bool {
        let before = self.pieces.len();
        self.pieces.retain(|piece| !matches!(piece, Piece::Assignment(found) if found.name == name));
        self.pieces.len() < before
    }

    fn put(&mut self, name: &str, value: &str) {
        let written = quote::quote(value);
        let found = self.pieces.iter_mut().rev().find_map(|piece| match piece {
            Piece::Assignment(found) if found.name == name => Some(found),
            _ => None,
        });
        if let Some(found) = found {
            found.written = written;
            if found.tail.starts_with('#') {
                // A closing quote may touch a comment, a bare value may not.
                found.tail.insert(0, ' ');
            }
            return;
        }
        let text = self.to_text();
        if !text.is_empty() && !text.ends_with('\n') {
            self.pieces.push(Piece::Other("\n".to_owned()));
        }
        self.pieces.push(Piece::Other(format!("{name}={written}\n")));
    }

    fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Assignment(assignment) => Some(assignment),
            Piece::Other(_) => None,
        })
    }
}
