//! The redactor: known values first, so that they go by their name, then whatever is shaped like a key.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use serde_json::{Map, Value};

use super::assignment::{self, Setting};
use super::known::MARKER;
use super::shapes::Shapes;
use super::span::splice;
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
        match &self.rules {
            Rules::None => Cow::Borrowed(text),
            Rules::All if text == MARKER => Cow::Borrowed(text),
            Rules::All => Cow::Owned(MARKER.to_owned()),
            Rules::Some(searched) => {
                let told = searched.told.load();
                if told.clean.knows(text) {
                    return Cow::Borrowed(text);
                }
                let redacted = searched.redacted(&told, text);
                if let Cow::Borrowed(text) = redacted {
                    told.clean.remember(text);
                }
                redacted
            }
        }
    }

    /// Redacts every string of a value, keys too.
    pub fn redact_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.redact_string(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            Value::Object(fields) => self.redact_fields(fields),
            // A secret of digits may come as a number.
            Value::Number(number) if self.knows_numbers() => {
                let text = number.to_string();
                if let Cow::Owned(clean) = self.redact_text(&text) {
                    *value = Value::String(clean);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Redacts all that an error says, to the model and to the operator.
    pub fn redact_error(&self, error: &mut ToolError) {
        self.redact_string(&mut error.message);
        error.hint.iter_mut().chain(&mut error.operator).for_each(|text| self.redact_string(text));
        self.redact_fields(&mut error.data);
    }

    fn redact_string(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.redact_text(text) {
            *text = clean;
        }
    }

    fn redact_fields(&self, fields: &mut Map<String, Value>) {
        let mut secret_keys = false;
        for (key, value) in fields.iter_mut() {
            self.redact_value(value);
            if let Value::String(text) = value
                && self.guesses()
                && assignment::is_secret_name(key)
                && assignment::is_plausible(text, Setting::Tight)
            {
                MARKER.clone_into(text);
            }
            secret_keys |= matches!(self.redact_text(key), Cow::Owned(_));
        }
        if secret_keys {
            *fields = std::mem::take(fields).into_iter().fold(Map::new(), |mut clean, (key, value)| {
                clean.insert(free_key(&clean, self.redact_text(&key).into_owned()), value);
                clean
            });
        }
    }

    fn knows_numbers(&self) -> bool {
        matches!(&self.rules, Rules::Some(rules) if rules.told.load().has_numbers())
    }

    /// Whether it goes by more than values it was told.
    fn guesses(&self) -> bool {
        match &self.rules {
            Rules::None => false,
            Rules::Some(rules) => rules.shapes.is_some(),
            Rules::All => true,
        }
    }
}

impl Searched {
    fn redacted<'t>(&self, told: &Told, text: &'t str) -> Cow<'t, str> {
        match (told.redacted(text), &self.shapes) {
            (named, None) => named,
            (Cow::Borrowed(text), Some(shapes)) => splice(text, shapes.find(text)),
            (Cow::Owned(text), Some(shapes)) => Cow::Owned(splice(&text, shapes.find(&text)).into_owned()),
        }
    }
}

/// Two keys that look the same once redacted must not swallow each other's values.
fn free_key(taken: &Map<String, Value>, key: String) -> String {
    if !taken.contains_key(&key) {
        return key;
    }
    (2_usize..).map(|count| format!("{key}#{count}")).find(|key| !taken.contains_key(key)).unwrap_or(key)
}

impl fmt::Debug for Redactor {
    /// Says nothing about the secrets it knows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}
