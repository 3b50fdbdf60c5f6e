//! The redactor: known values first, so that they go by their name, then whatever is shaped like a key.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use serde_json::Value;

use super::now::Now;
use super::shapes::Shapes;
use super::told::Told;
use crate::error::ToolError;

/// Removes secrets from texts and values. Redacting what is redacted changes nothing. Cheap to clone: what one
/// clone learns all know. Text without secrets is not copied.
#[derive(Clone)]
pub struct Redactor {
    rules: Rules,
}

#[derive(Clone)]
enum Rules {
    /// Nothing is secret: redaction is switched off.
    None,
    Some(Arc<Searched>),
    /// The secrets could not be compiled, so everything is one.
    All,
}

/// What is looked for.
struct Searched {
    told: ArcSwap<Told>,
    shapes: Option<Shapes>,
    /// One learns after the other, so that none is forgotten.
    learning: Mutex<()>,
}

impl Redactor {
    /// Looks for these values, shown as `[REDACTED:NAME]`, and for anything shaped like a key. Values of
    /// fewer than four bytes are not looked for.
    pub fn new(secrets: impl IntoIterator<Item = (String, String)>) -> Self {
        match Shapes::new() {
            Ok(shapes) => Self::built(secrets, Some(shapes)),
            Err(_) => Redactor { rules: Rules::All },
        }
    }

    /// Looks for these values and for nothing else: for a part that knows its own secrets, and leaves the
    /// rest to whoever comes after it.
    pub fn of_values(secrets: impl IntoIterator<Item = (String, String)>) -> Self {
        Self::built(secrets, None)
    }

    fn built(secrets: impl IntoIterator<Item = (String, String)>, shapes: Option<Shapes>) -> Self {
        let searched = |told| {
            Rules::Some(Arc::new(Searched {
                told: ArcSwap::from_pointee(told),
                shapes,
                learning: Mutex::new(()),
            }))
        };
        Redactor { rules: Told::new(secrets.into_iter().collect()).map_or(Rules::All, searched) }
    }

    /// Looks for these too from now on, wherever this redactor is used. Takes a while: everything that is looked for
    /// is put together anew.
    pub fn learn(&self, secrets: impl IntoIterator<Item = (String, String)>) {
        let Rules::Some(searched) = &self.rules else { return };
        let _alone = searched.learning.lock().unwrap_or_else(PoisonError::into_inner);
        let told = searched.told.load().and(secrets);
        if let Some(told) = told {
            searched.told.store(Arc::new(told));
        }
    }

    /// Redacts nothing at all.
    pub fn none() -> Self {
        Redactor { rules: Rules::None }
    }

    /// The text without its secrets. Borrowed if there were none.
    pub fn redact_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.now().redact_text(text)
    }

    /// Redacts every string of a value, keys too.
    pub fn redact_value(&self, value: &mut Value) {
        self.now().redact_value(value);
    }

    /// Redacts all that an error says, to the model and to the operator.
    pub fn redact_error(&self, error: &mut ToolError) {
        self.now().redact_error(error);
    }

    /// With what is secret at this moment, for all parts of one answer.
    fn now(&self) -> Now<'_> {
        match &self.rules {
            Rules::None => Now::None,
            Rules::Some(searched) => {
                Now::Some { told: searched.told.load(), shapes: searched.shapes.as_ref() }
            }
            Rules::All => Now::All,
        }
    }
}

impl fmt::Debug for Redactor {
    /// Says nothing about the secrets it knows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}
