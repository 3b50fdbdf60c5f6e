//! Something wrong in a text.

use super::node::Mark;

/// What is wrong, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub at: Mark,
    pub fault: Fault,
    pub message: String,
    pub hint: Option<String>,
}

/// The kinds of things that are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    Syntax,
    /// More, longer or deeper than anything that is read here.
    TooMuch,
    /// A key that is already there; the way to it from the root.
    Twice(Vec<Step>),
}

/// One step of a way through a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Name(String),
    Index(usize),
}

impl Finding {
    pub(super) fn syntax(at: Mark, message: impl Into<String>) -> Self {
        Finding { at, fault: Fault::Syntax, message: message.into(), hint: None }
    }

    pub(super) fn too_much(at: Mark, message: impl Into<String>) -> Self {
        Finding { at, fault: Fault::TooMuch, message: message.into(), hint: None }
    }

    pub(super) fn twice(at: Mark, way: Vec<Step>) -> Self {
        let name = way.iter().rev().find_map(|step| match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Index(_) => None,
        });
        let message = format!("the key {} is written twice", name.unwrap_or_default());
        Finding { at, fault: Fault::Twice(way), message, hint: None }
    }

    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        Finding { hint: Some(hint.into()), ..self }
    }
}
