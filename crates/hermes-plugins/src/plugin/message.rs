//! The messages, one JSON object a line. `docs/plugins.md` is their description.

use hermes_core::arguments::exact_json;
use hermes_core::{ErrorCode, ToolError};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A request as its line, with the newline.
pub(super) fn request(id: u64, method: &str, params: &Value) -> String {
    format!("{}\n", json!({"id": id, "method": method, "params": params}))
}

/// A line that wants no answer.
pub(super) fn note(method: &str, params: &Value) -> String {
    format!("{}\n", json!({"method": method, "params": params}))
}

/// An answer that a plugin sent. Only its id has to make sense: whoever asked is answered, whatever the rest
/// says.
pub(super) struct Incoming {
    pub(super) id: u64,
    fields: Map<String, Value>,
}

impl Incoming {
    /// What a line says, if it is an object with an id. Anything else is a stray print.
    pub(super) fn read(line: &[u8]) -> Option<Incoming> {
        let Value::Object(fields) = exact_json(line).ok()? else { return None };
        Some(Incoming { id: fields.get("id")?.as_u64()?, fields })
    }

    pub(super) fn outcome(mut self) -> Result<Value, ToolError> {
        let mut take = |key: &str| self.fields.remove(key).unwrap_or_default();
        // The metadata is said beside the answer itself.
        let (result, error, metadata) = (take("result"), take("error"), take("metadata"));
        match error {
            Value::Null => Ok(with_metadata(result, metadata)),
            error => {
                let error = failure(&error);
                Err(if metadata.is_null() { error } else { error.with_field("metadata", metadata) })
            }
        }
    }
}

fn with_metadata(result: Value, metadata: Value) -> Value {
    match (result, metadata) {
        (result, Value::Null) => result,
        (Value::Object(mut fields), metadata) => {
            // A field of the tool's own is not overwritten.
            fields.entry("metadata").or_insert(metadata);
            Value::Object(fields)
        }
        (result, metadata) => json!({"result": result, "metadata": metadata}),
    }
}

/// `{"code", "message"}`, or whatever it is, as a text.
fn failure(error: &Value) -> ToolError {
    let code = error.get("code").and_then(|code| ErrorCode::deserialize(code).ok());
    let message = match (error.get("message"), error) {
        (Some(Value::String(text)), _) | (None, Value::String(text)) => text.clone(),
        _ => error.to_string(),
    };
    ToolError::new(own(code), message)
}

/// Policy, approvals and cancellation are not a plugin's to answer with.
fn own(code: Option<ErrorCode>) -> ErrorCode {
    match code {
        Some(ErrorCode::PermissionDenied | ErrorCode::ApprovalRequired | ErrorCode::Internal) | None => {
            ErrorCode::ExecFailed
        }
        Some(code) => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(line: &str) -> Result<Value, ToolError> {
        Incoming::read(line.as_bytes()).unwrap().outcome()
    }

    #[test]
    fn stray_prints_answer_nothing() {
        for line in ["[1]", "1", "null", "{}", r#"{"id":"1"}"#, r#"{"id":-1}"#, "x", "", r#"{"id":1"#] {
            assert!(Incoming::read(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn odd_answers_are_answers() {
        for (line, code, message) in [
            (r#"{"id":1,"error":{"code":"not_found","message":"m"}}"#, ErrorCode::NotFound, "m"),
            (r#"{"id":1,"error":{"code":"odd","message":"m"}}"#, ErrorCode::ExecFailed, "m"),
            (r#"{"id":1,"error":{"code":-32601,"message":"m"}}"#, ErrorCode::ExecFailed, "m"),
            (r#"{"id":1,"error":{"code":"permission_denied","message":"m"}}"#, ErrorCode::ExecFailed, "m"),
            (r#"{"id":1,"error":"m"}"#, ErrorCode::ExecFailed, "m"),
            (r#"{"id":1,"error":["m"]}"#, ErrorCode::ExecFailed, r#"["m"]"#),
            (r#"{"id":1,"result":1,"error":false}"#, ErrorCode::ExecFailed, "false"),
        ] {
            let error = outcome(line).unwrap_err();
            assert_eq!((error.code, error.message.as_str()), (code, message), "{line}");
        }
        assert_eq!(outcome(r#"{"id":1,"result":{"a":1},"error":null}"#).unwrap(), json!({"a": 1}));
        assert_eq!(outcome(r#"{"id":1}"#).unwrap(), Value::Null);
    }

    #[test]
    fn metadata_is_told_and_overwrites_nothing() {
        let said = |result: &str| outcome(&format!(r#"{{"id":1,"result":{result},"metadata":{{"n":1}}}}"#));
        assert_eq!(said(r#"{"a":1}"#).unwrap(), json!({"a": 1, "metadata": {"n": 1}}));
        assert_eq!(said(r#"{"metadata":2}"#).unwrap(), json!({"metadata": 2}));
        assert_eq!(said("7").unwrap(), json!({"result": 7, "metadata": {"n": 1}}));
        let failed = outcome(r#"{"id":1,"error":"e","metadata":{"n":1}}"#).unwrap_err();
        assert_eq!(failed.data["metadata"], json!({"n": 1}));
    }
}
