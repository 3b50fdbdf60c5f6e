//! One redaction: what is secret is found out once for all parts of an answer.

use std::borrow::Cow;
use std::sync::Arc;

use arc_swap::Guard;
use serde_json::{Map, Value};

use super::assignment::{self, Setting};
use super::known::MARKER;
use super::shapes::Shapes;
use super::span::splice;
use super::told::Told;
use crate::error::ToolError;

/// What is secret at a moment.
pub(super) enum Now<'r> {
    /// Nothing.
    None,
    Some {
        told: Guard<Arc<Told>>,
        shapes: Option<&'r Shapes>,
    },
    /// Everything.
    All,
}

impl Now<'_> {
    pub(super) fn redact_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self {
            Now::None => Cow::Borrowed(text),
            Now::All if text == MARKER => Cow::Borrowed(text),
            Now::All => Cow::Owned(MARKER.to_owned()),
            Now::Some { told, shapes } => {
                if told.clean.knows(text) {
                    return Cow::Borrowed(text);
                }
                let redacted = redacted(told, *shapes, text);
                if let Cow::Borrowed(text) = redacted {
                    told.clean.remember(text);
                }
                redacted
            }
        }
    }

    pub(super) fn redact_value(&self, value: &mut Value) {
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

    pub(super) fn redact_error(&self, error: &mut ToolError) {
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
        matches!(self, Now::Some { told, .. } if told.has_numbers())
    }

    /// Whether it goes by more than values it was told.
    fn guesses(&self) -> bool {
        match self {
            Now::None => false,
            Now::Some { shapes, .. } => shapes.is_some(),
            Now::All => true,
        }
    }
}

fn redacted<'t>(told: &Told, shapes: Option<&Shapes>, text: &'t str) -> Cow<'t, str> {
    match (told.redacted(text), shapes) {
        (named, None) => named,
        (Cow::Borrowed(text), Some(shapes)) => splice(text, shapes.find(text)),
        (Cow::Owned(text), Some(shapes)) => Cow::Owned(splice(&text, shapes.find(&text)).into_owned()),
    }
}

/// Two keys that look the same once redacted must not swallow each other's values.
fn free_key(taken: &Map<String, Value>, key: String) -> String {
    if !taken.contains_key(&key) {
        return key;
    }
    (2_usize..).map(|count| format!("{key}#{count}")).find(|key| !taken.contains_key(key)).unwrap_or(key)
}
