//! How a server spells what a model was shown otherwise: names and choices with something hidden in them.

use std::collections::HashMap;

use hermes_core::text::visible;
use serde_json::{Map, Value};

/// The server's spelling, by the one that shows everything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling(HashMap<String, String>);

impl Spelling {
    /// Every name and choice of a schema that was made visible.
    pub(crate) fn of(schema: &Value) -> Self {
        let mut spelling = Spelling::default();
        spelling.learn(schema);
        spelling
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.0.is_empty()
    }

    /// The arguments as the server spells them.
    pub(crate) fn restore(&self, arguments: Map<String, Value>) -> Map<String, Value> {
        if self.is_plain() {
            return arguments;
        }
        arguments.into_iter().map(|(name, value)| (self.one(name), self.value(value))).collect()
    }

    fn learn(&mut self, schema: &Value) {
        match schema {
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            Value::Object(fields) => {
                for (name, field) in fields {
                    self.note(name);
                    match (name.as_str(), field) {
                        ("enum", Value::Array(choices)) => {
                            choices.iter().filter_map(Value::as_str).for_each(|choice| self.note(choice))
                        }
                        ("const", Value::String(choice)) => self.note(choice),
                        _ => self.learn(field),
                    }
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, text: &str) {
        let shown = visible(text);
        if shown != text {
            self.0.insert(shown, text.to_owned());
        }
    }

    fn one(&self, text: String) -> String {
        self.0.get(&text).cloned().unwrap_or(text)
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.one(text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => Value::Object(self.restore(fields)),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::text::visible_texts;

    #[test]
    fn what_was_shown_comes_back_as_the_server_spells_it() {
        let schema =
            json!({"properties": {"k\u{200b}ey": {"enum": ["q\u{202e}", "r"]}, "plain": {"type": "string"}}});
        let shown = visible_texts(schema.clone());
        assert!(shown["properties"].get("k\\u{200b}ey").is_some(), "{shown}");
        let given = json!({"k\\u{200b}ey": "q\\u{202e}", "plain": "q"});
        let restored = Spelling::of(&schema).restore(given.as_object().cloned().unwrap());
        assert_eq!(Value::Object(restored), json!({"k\u{200b}ey": "q\u{202e}", "plain": "q"}));
        assert!(Spelling::of(&json!({"properties": {"a": {}}})).is_plain());
    }
}
