//! Definitions made smaller for models with little room. Calls are validated against the original all the same.

use serde_json::{Map, Value};

/// How much of a definition is shown, from all of it to names and types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    #[default]
    Full,
    /// First sentences, and no examples, defaults or titles.
    Slim,
    /// The first sentence of the tool; of its arguments names, types and which are required.
    Outline,
}

/// Letters of a first sentence.
const SLIM_SENTENCE: usize = 120;
const OUTLINE_SENTENCE: usize = 80;

/// Keywords that help a model little and are checked anyway when it calls.
const EXTRAS: &[&str] =
    &["examples", "example", "default", "title", "$comment", "markdownDescription", "deprecated"];
/// All that an outline keeps of an argument.
const BONES: &[&str] = &["type", "enum", "items", "properties", "required", "anyOf", "oneOf", "const"];

impl Detail {
    pub const ALL: [Detail; 3] = [Detail::Full, Detail::Slim, Detail::Outline];

    /// A provider's definition object with this much detail.
    pub fn of(self, definition: &Value) -> Value {
        let mut definition = definition.clone();
        if self == Detail::Full {
            return definition;
        }
        let has_envelope = definition.get("function").is_some_and(Value::is_object);
        let tool = if has_envelope { definition.get_mut("function") } else { Some(&mut definition) };
        let Some(Value::Object(tool)) = tool else { return definition };
        if let Some(Value::String(text)) = tool.get_mut("description") {
            *text =
                first_sentence(text, if self == Detail::Slim { 2 * SLIM_SENTENCE } else { OUTLINE_SENTENCE });
        }
        for key in ["parameters", "input_schema"] {
            if let Some(schema) = tool.get_mut(key) {
                self.shrink(schema, true);
            }
        }
        definition
    }

    fn shrink(self, schema: &mut Value, is_root: bool) {
        let Value::Object(fields) = schema else { return };
        match self {
            Detail::Full => return,
            Detail::Slim => {
                fields.retain(|key, _| !EXTRAS.contains(&key.as_str()));
                if let Some(Value::String(text)) = fields.get_mut("description") {
                    *text = first_sentence(text, SLIM_SENTENCE);
                }
            }
            Detail::Outline => {
                // What a root says beside its properties is small, and providers may insist on it.
                fields.retain(|key, _| (is_root && key != "description") || BONES.contains(&key.as_str()));
            }
        }
        if let Some(Value::Object(properties)) = fields.get_mut("properties") {
            properties.values_mut().for_each(|property| self.shrink(property, false));
        }
        self.shrink_inside(fields);
    }

    fn shrink_inside(self, fields: &mut Map<String, Value>) {
        if let Some(items) = fields.get_mut("items") {
            self.shrink(items, false);
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            if let Some(Value::Array(branches)) = fields.get_mut(key) {
                branches.iter_mut().for_each(|branch| self.shrink(branch, false));
            }
        }
    }
}

/// Up to the end of the first sentence, or as many letters as there is room for.
pub(super) fn first_sentence(text: &str, room: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    let sentence = line.get(..end).unwrap_or(line);
    if sentence.chars().count() <= room {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(room.saturating_sub(1)).collect();
    // A cut word says less than none.
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{whole}…")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_level_keeps_what_it_says() {
        let full = json!({"type": "function", "function": {"name": "f", "description": "Does it. And more.",
            "parameters": {"type": "object", "additionalProperties": false, "required": ["a"], "properties": {
                "a": {"type": "string", "description": "The a. Long.", "default": "x", "pattern": "^a"},
                "default": {"type": "array", "items": {"type": "string", "title": "T"}}}}}});
        let slim = Detail::Slim.of(&full);
        let properties = &slim["function"]["parameters"]["properties"];
        assert_eq!(slim["function"]["description"], "Does it.");
        assert_eq!(properties["a"], json!({"type": "string", "description": "The a.", "pattern": "^a"}));
        assert_eq!(properties["default"], json!({"type": "array", "items": {"type": "string"}}));
        let outline = Detail::Outline.of(&full);
        assert_eq!(outline["function"]["parameters"]["properties"]["a"], json!({"type": "string"}));
        assert_eq!(outline["function"]["parameters"]["required"], json!(["a"]));
        assert_eq!(Detail::Full.of(&full), full);
    }

    #[test]
    fn sentences_are_cut_between_words() {
        assert_eq!(first_sentence("Größer als alles. Sonst", 40), "Größer als alles.");
        assert_eq!(first_sentence("one two three four", 10), "one two…");
        assert_eq!(first_sentence("", 10), "");
    }
}
