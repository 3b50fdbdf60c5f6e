//! One field of a form: how it is shown, and what a typed line means for it.

use serde_json::{Value, json};

use super::form::indented;

/// A property of the schema.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) schema: &'a Value,
    pub(super) required: bool,
}

impl Field<'_> {
    /// The question as it stands on the screen.
    pub(super) fn question(&self) -> String {
        let text = |key: &str| self.schema.get(key).and_then(Value::as_str).map(indented);
        let mut question = format!("  {}", text("title").unwrap_or_else(|| indented(self.name)));
        if let Some(description) = text("description") {
            question.push_str(&format!(": {description}"));
        }
        for (index, (value, title)) in self.choices().iter().enumerate() {
            let title = if value == title { String::new() } else { format!(" ({})", indented(title)) };
            question.push_str(&format!("\n    {}. {}{title}", index + 1, indented(value)));
        }
        let kind = match self.kind() {
            "boolean" => "yes or no".to_owned(),
            "array" => "numbers, with commas between".to_owned(),
            _ if !self.choices().is_empty() => "a number".to_owned(),
            kind => text("format").unwrap_or_else(|| kind.to_owned()),
        };
        let otherwise = match (self.default(), self.required) {
            (Some(default), _) => format!("; Enter for {}", indented(&shown(default))),
            (None, false) => "; Enter leaves it out".to_owned(),
            (None, true) => String::new(),
        };
        format!("{question}\n    [{kind}{otherwise}] ")
    }

    /// What a line means: a value, nothing, or what is wrong with it.
    pub(super) fn read(&self, line: &str) -> Result<Option<Value>, String> {
        let line = line.trim();
        if line.is_empty() {
            return match (self.default(), self.required) {
                (Some(default), _) => Ok(Some(default.clone())),
                (None, false) => Ok(None),
                (None, true) => Err("it is needed".to_owned()),
            };
        }
        let value = match self.kind() {
            "boolean" => match line.to_ascii_lowercase().as_str() {
                "y" | "yes" | "true" => json!(true),
                "n" | "no" | "false" => json!(false),
                _ => return Err("yes or no".to_owned()),
            },
            "integer" => json!(line.parse::<i64>().map_err(|_| "a whole number".to_owned())?),
            "number" => json!(line.parse::<f64>().map_err(|_| "a number".to_owned())?),
            "array" => line.split(',').map(|one| self.choice(one)).collect::<Result<Value, String>>()?,
            _ if !self.choices().is_empty() => self.choice(line)?,
            _ => json!(line),
        };
        self.check(&value)?;
        Ok(Some(value))
    }

    fn kind(&self) -> &str {
        self.schema.get("type").and_then(Value::as_str).unwrap_or("string")
    }

    fn default(&self) -> Option<&Value> {
        self.schema.get("default").filter(|default| !default.is_null())
    }

    /// The values to choose from, with the words for them.
    fn choices(&self) -> Vec<(String, String)> {
        let schema = self.schema.get("items").unwrap_or(self.schema);
        let titled = ["oneOf", "anyOf"].iter().find_map(|key| schema.get(*key)?.as_array());
        if let Some(titled) = titled {
            let pair = |one: &Value| {
                let value = one.get("const")?.as_str()?.to_owned();
                let title = one.get("title").and_then(Value::as_str).unwrap_or(&value).to_owned();
                Some((value, title))
            };
            return titled.iter().filter_map(pair).collect();
        }
        let values =
            schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let names = schema.get("enumNames").and_then(Value::as_array).into_iter().flatten();
        let mut names = names.map(|name| name.as_str().unwrap_or_default().to_owned());
        values.map(|value| (value.to_owned(), names.next().unwrap_or_else(|| value.to_owned()))).collect()
    }

    fn choice(&self, typed: &str) -> Result<Value, String> {
        let typed = typed.trim();
        let choices = self.choices();
        let by_number = typed.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
        let chosen =
            by_number.or_else(|| choices.iter().find(|(value, title)| value == typed || title == typed));
        chosen.map(|(value, _)| json!(value)).ok_or_else(|| format!("one of 1 to {}", choices.len()))
    }

    /// The limits that the protocol lets a field have.
    fn check(&self, value: &Value) -> Result<(), String> {
        let limit = |key: &str| self.schema.get(key).and_then(Value::as_f64);
        let size = match value {
            Value::String(text) => {
                Some((text.chars().count() as f64, "minLength", "maxLength", "characters"))
            }
            Value::Array(items) => Some((items.len() as f64, "minItems", "maxItems", "choices")),
            Value::Number(number) => number.as_f64().map(|number| (number, "minimum", "maximum", "")),
            _ => None,
        };
        let Some((size, least, most, unit)) = size else { return Ok(()) };
        match (limit(least), limit(most)) {
            (Some(least), _) if size < least => Err(format!("at least {least} {unit}").trim_end().to_owned()),
            (_, Some(most)) if size > most => Err(format!("at most {most} {unit}").trim_end().to_owned()),
            _ => Ok(()),
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(schema: Value, required: bool, line: &str) -> Result<Option<Value>, String> {
        Field { name: "f", schema: &schema, required }.read(line)
    }

    #[test]
    fn a_line_becomes_what_the_field_is() {
        for (schema, line, value) in [
            (json!({"type": "string"}), " Ada ", json!("Ada")),
            (json!({"type": "integer", "minimum": 1}), "7", json!(7)),
            (json!({"type": "number"}), "0.5", json!(0.5)),
            (json!({"type": "boolean"}), "Yes", json!(true)),
            (json!({"type": "boolean", "default": false}), "", json!(false)),
            (json!({"type": "string", "enum": ["a", "b"]}), "2", json!("b")),
            (json!({"type": "string", "oneOf": [{"const": "x", "title": "The X"}]}), "The X", json!("x")),
            (json!({"type": "array", "items": {"enum": ["a", "b", "c"]}}), "1, c", json!(["a", "c"])),
        ] {
            assert_eq!(read(schema.clone(), true, line), Ok(Some(value)), "{schema} {line}");
        }
        assert_eq!(read(json!({"type": "string"}), false, ""), Ok(None));
    }

    #[test]
    fn what_the_field_does_not_allow_is_asked_again() {
        for (schema, line) in [
            (json!({"type": "string"}), ""),
            (json!({"type": "string", "minLength": 3}), "ab"),
            (json!({"type": "integer"}), "1.5"),
            (json!({"type": "integer", "maximum": 5}), "6"),
            (json!({"type": "boolean"}), "perhaps"),
            (json!({"type": "string", "enum": ["a"]}), "2"),
            (json!({"type": "array", "items": {"enum": ["a"]}, "maxItems": 1}), "1,1"),
        ] {
            assert!(read(schema.clone(), true, line).is_err(), "{schema} {line}");
        }
    }
}
