//! The redactor: known values first, so that they go by their name, then whatever is shaped like a key.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::assignment::{self, Setting};
use super::clean::Clean;
use super::known::{Known, MARKER};
use super::shapes::Shapes;
use super::span::splice;
use crate::error::ToolError;

/// Removes secrets from texts and values. Redacting what is redacted changes nothing. Cheap to clone;
/// text without secrets is not copied.
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

/// What is looked for, and where it was not found.
struct Searched {
    known: Option<Known>,
    shapes: Option<Shapes>,
    clean: Clean,
}

impl Redactor {
    /// Looks for these values, shown as `[REDACTED:NAME]`, and for anything shaped like a key. Values of
    /// fewer than four bytes are not looked for.
    pub fn new(secrets: impl IntoIterator<Item = (String, String)>) -> Self {
        let shapes = Shapes::new().map(Some);
        Self::built(Known::new(secrets.into_iter().collect()).and_then(|known| Ok((known, shapes?))))
    }

    /// Looks for these values and for nothing else: for a part that knows its own secrets, and leaves the
    /// rest to whoever comes after it.
    pub fn of_values(secrets: impl IntoIterator<Item = (String, String)>) -> Self {
        Self::built(Known::new(secrets.into_iter().collect()).map(|known| (known, None)))
    }

    fn built(rules: Result<(Option<Known>, Option<Shapes>), aho_corasick::BuildError>) -> Self {
        let searched =
            |(known, shapes)| Rules::Some(Arc::new(Searched { known, shapes, clean: Clean::default() }));
        Redactor { rules: rules.map_or(Rules::All, searched) }
    }

    /// Redacts nothing at all.
    pub fn none() -> Self {
        Redactor { rules: Rules::None }
    }

    /// The text without its secrets. Borrowed if there were none.
    pub fn redact_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.rules {
            Rules::None => Cow::Borrowed(text),
            Rules::All => Cow::Borrowed(MARKER),
            Rules::Some(searched) if searched.clean.knows(text) => Cow::Borrowed(text),
            Rules::Some(searched) => {
                let redacted = searched.redacted(text);
                if let Cow::Borrowed(text) = redacted {
                    searched.clean.remember(text);
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
        } else if matches!(self.rules, Rules::All) {
            MARKER.clone_into(text);
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
        matches!(&self.rules, Rules::Some(rules) if rules.known.as_ref().is_some_and(Known::has_numbers))
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
    fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let named = match &self.known {
            Some(known) => splice(text, known.find(text)),
            None => Cow::Borrowed(text),
        };
        match (named, &self.shapes) {
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
