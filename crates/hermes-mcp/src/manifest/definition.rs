//! A server's tools as it defines them.

use hermes_core::text::hex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::text::{capped_texts, visible_texts};

/// What a server said of itself and its tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub server: Identity,
    /// What the user wrote down as the server when it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configured_as: Option<String>,
    pub protocol: String,
    /// Whether it has resources to list and read.
    #[serde(default)]
    pub resources: bool,
    /// Whether it has prompts to list and fill in.
    #[serde(default)]
    pub prompts: bool,
    pub tools: Vec<ToolDef>,
    /// Tools that could not be read, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    #[serde(default)]
    pub listed: Listed,
}

/// What a server has beside tools, as it defines it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Listed {
    pub prompts: Vec<Value>,
    pub resources: Vec<Value>,
    pub templates: Vec<Value>,
}

/// Who a server says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub name: String,
    pub version: String,
}

/// One tool as the server defines it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDef {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub input_schema: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Value>,
    /// How it wants to be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Value>,
}

impl ToolDef {
    /// SHA-256 over everything a model or a policy could read, in an order that does not depend on the server's.
    pub fn digest(&self) -> String {
        let whole = serde_json::to_value(self).unwrap_or_default();
        hex(Sha256::digest(sorted(whole).to_string()))
    }

    /// Whether a model and a policy read the same in both. What is written alike has one digest, which need not be made
    /// then: most definitions stay what they are, and all of them are looked at at every start.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let text = |tool: &Self| serde_json::to_string(tool).ok();
        text(self).is_some_and(|own| Some(own) == text(other)) || self.digest() == other.digest()
    }

    /// The definition with nothing hidden in it, and with no text that is too long to be read.
    pub(crate) fn visible(&self) -> Self {
        let shown = serde_json::to_value(self).ok().map(|whole| capped_texts(visible_texts(whole)));
        shown.and_then(|shown| serde_json::from_value(shown).ok()).unwrap_or_else(|| self.clone())
    }

    /// A yes-or-no hint that the server gave.
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.annotations.as_ref()?.get(name)?.as_bool()
    }

    /// Whether the server runs it only as a task, whose result is fetched later; a plain call is refused.
    pub fn runs_only_as_task(&self) -> bool {
        let support = self.execution.as_ref().and_then(|execution| execution.get("taskSupport"));
        support.is_some_and(|support| support == "required")
    }

    /// Every text of the definition that a model may see, with the place where it stands.
    pub fn texts(&self) -> Vec<(String, String)> {
        let mut texts = vec![("name".to_owned(), self.name.clone())];
        texts.extend(self.title.iter().map(|text| ("title".to_owned(), text.clone())));
        texts.extend(self.description.iter().map(|text| ("description".to_owned(), text.clone())));
        collect("inputSchema", &self.input_schema, &mut texts);
        if let Some(schema) = &self.output_schema {
            collect("outputSchema", schema, &mut texts);
        }
        if let Some(annotations) = &self.annotations {
            collect("annotations", annotations, &mut texts);
        }
        if let Some(execution) = &self.execution {
            collect("execution", execution, &mut texts);
        }
        texts
    }
}

fn collect(at: &str, value: &Value, into: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => into.push((at.to_owned(), text.clone())),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| collect(&format!("{at}[{index}]"), item, into));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                // Keys are read by the model too.
                into.push((format!("{at} key"), name.clone()));
                collect(&format!("{at}.{name}"), field, into);
            }
        }
        _ => {}
    }
}

/// The same value with every object's keys in order.
pub(super) fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut pairs: Vec<(String, Value)> = fields.into_iter().collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(pairs.into_iter().map(|(name, field)| (name, sorted(field))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool() -> ToolDef {
        ToolDef {
            name: "t".into(),
            title: Some("T".into()),
            description: Some("does".into()),
            input_schema: json!({"type": "object", "properties": {"a": {"type": "string"}}}),
            output_schema: Some(json!({"type": "object"})),
            annotations: Some(json!({"readOnlyHint": true})),
            execution: Some(json!({"taskSupport": "optional"})),
        }
    }

    #[test]
    fn every_field_counts_and_the_order_of_keys_does_not() {
        let base = tool();
        let changed = [
            ToolDef { name: "u".into(), ..tool() },
            ToolDef { title: None, ..tool() },
            ToolDef { description: Some("does more".into()), ..tool() },
            ToolDef {
                input_schema: json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
                ..tool()
            },
            ToolDef { output_schema: None, ..tool() },
            ToolDef { output_schema: Some(json!({"type": "object", "minimum": 0.0})), ..tool() },
            ToolDef { output_schema: Some(json!({"type": "object", "minimum": -0.0})), ..tool() },
            ToolDef { annotations: Some(json!({"readOnlyHint": false})), ..tool() },
            ToolDef { execution: None, ..tool() },
        ];
        assert!(changed.iter().all(|other| other.digest() != base.digest() && !other.is_same(&base)));
        assert!(!changed[5].is_same(&changed[6]), "numbers that are equal but read otherwise");
        let turned = json!({"properties": {"a": {"type": "string"}}, "type": "object"});
        let turned = ToolDef { input_schema: turned, ..tool() };
        assert!(turned.digest() == base.digest() && turned.is_same(&base));
    }
}
