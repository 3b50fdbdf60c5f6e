//! The arguments of a call: their schema, and their values with defaults filled in.

use hermes_core::ToolError;
use serde_json::{Map, Value, json};

use super::spec::Parameter;
use super::template::Arguments;

/// Draft 7, closed: what no parameter names is refused before the tool sees it.
pub(crate) fn schema(parameters: &[Parameter]) -> Value {
    let properties: Map<String, Value> =
        parameters.iter().map(|parameter| (parameter.name.clone(), parameter.schema.clone())).collect();
    let required: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.required)
        .map(|parameter| parameter.name.as_str())
        .collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if let (false, Some(object)) = (required.is_empty(), schema.as_object_mut()) {
        object.insert("required".into(), required.into());
    }
    schema
}

/// What was given, and the defaults of what was not.
pub(crate) fn complete(parameters: &[Parameter], given: &Value) -> Result<Arguments, ToolError> {
    let Value::Object(given) = given else {
        return Err(ToolError::invalid("the arguments are not an object"));
    };
    let mut arguments = given.clone();
    for parameter in parameters {
        if let Some(default) = &parameter.default {
            arguments.entry(parameter.name.clone()).or_insert_with(|| default.clone());
        }
    }
    Ok(arguments)
}
