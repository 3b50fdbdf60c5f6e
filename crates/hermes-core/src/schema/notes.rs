//! What was left out of a schema or read differently, said in words: nothing is dropped in silence.

use serde_json::Value;

use super::keyword::{Reading, read};
use super::pattern::Engine;
use super::positions::{Position, position};
use super::provider::Provider;
use crate::names;
use crate::redact::Redactor;

/// Nobody reads more of them at once.
const MAX_NOTES: usize = 20;
const MAX_SHOWN_CHARS: usize = 60;
const MAX_PLACE_CHARS: usize = 200;

/// One note for each keyword that means nothing and each property that the provider cannot be shown.
pub fn notes(parameters: &Value, provider: Provider, redactor: &Redactor) -> Vec<String> {
    let mut taken = Taken { redactor, place: String::new(), notes: Vec::new() };
    taken.walk(parameters);
    if provider == Provider::Anthropic
        && let Some(Value::Object(properties)) = parameters.get("properties")
    {
        for name in properties.keys().filter(|name| !names::is_valid(name)) {
            taken.place = "/properties".to_owned();
            taken.inside(name, |taken| taken.note("left out: the provider refuses its name"));
        }
    }
    taken.notes
}

struct Taken<'a> {
    redactor: &'a Redactor,
    /// A JSON pointer to where the walk is.
    place: String,
    notes: Vec<String>,
}

impl Taken<'_> {
    fn walk(&mut self, schema: &Value) {
        let Value::Object(rules) = schema else { return };
        for (keyword, rule) in rules {
            self.inside(keyword, |taken| match read(keyword, rule, Engine::Theirs) {
                Reading::Right if read(keyword, rule, Engine::Ours) == Reading::Nothing => {
                    taken.note("calls are not checked by it: this pattern is of another language");
                }
                Reading::Right => taken.parts(keyword, rule),
                Reading::Meant(meant) => {
                    let written = taken.redactor.shortened_value(rule, MAX_SHOWN_CHARS);
                    taken.note(&format!("{written} was read as {meant}"));
                }
                Reading::Nothing => {
                    let written = taken.redactor.shortened_value(rule, MAX_SHOWN_CHARS);
                    taken.note(&format!("left out: {written} means nothing there"));
                }
            });
        }
    }

    /// The schemas that a keyword holds.
    fn parts(&mut self, keyword: &str, rule: &Value) {
        match (position(keyword), rule) {
            (Position::One | Position::Items, Value::Object(_)) => self.walk(rule),
            (Position::List | Position::Items, Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.inside(&index.to_string(), |taken| taken.walk(schema));
                }
            }
            (Position::Named | Position::Dependencies, Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    self.inside(name, |taken| taken.walk(schema));
                }
            }
            _ => {}
        }
    }

    fn inside(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        let outer = self.place.len();
        self.place.push('/');
        self.place.push_str(&name.replace('~', "~0").replace('/', "~1"));
        look(self);
        self.place.truncate(outer);
    }

    fn note(&mut self, text: &str) {
        if self.notes.len() < MAX_NOTES {
            let place = self.redactor.shortened_pointer(&self.place, MAX_PLACE_CHARS);
            self.notes.push(format!("{place}: {text}"));
        }
    }
}
