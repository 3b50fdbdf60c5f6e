//! A tool call as the model asked for it, and what came of it.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::error::{ErrorCode, ToolError};

/// One call, parsed from the wire. `arguments` is whatever the model sent: an object, or text that
/// the pipeline parses once.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

impl ToolCall {
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: Value) -> Self {
        ToolCall { id: id.into(), name: name.into(), arguments }
    }
}

/// The typed result of one call. Success or failure is a field, never guessed from text.
#[derive(Clone, Debug)]
pub struct ToolOutcome {
    /// The id of the call this answers.
    pub call_id: String,
    /// The tool that answered: the canonical name, or what was asked for if nothing matched.
    pub tool: String,
    pub result: Result<Value, ToolError>,
    /// What the runtime did on the way, for the model: repaired arguments, cut results, warnings.
    pub notes: Vec<String>,
    pub duration: Duration,
    /// Whether the handler was entered at all.
    pub ran: bool,
    /// What came of each call, where this one stood for several.
    pub inner: Vec<ToolOutcome>,
}

impl ToolOutcome {
    /// An outcome for a call whose handler was never entered.
    pub fn refused(call_id: impl Into<String>, tool: impl Into<String>, error: ToolError) -> Self {
        ToolOutcome {
            call_id: call_id.into(),
            tool: tool.into(),
            result: Err(error),
            notes: Vec::new(),
            duration: Duration::ZERO,
            ran: false,
            inner: Vec::new(),
        }
    }

    /// The outcomes of the calls that were really made: those inside, or this one.
    pub fn each(&self) -> &[ToolOutcome] {
        if self.inner.is_empty() { std::slice::from_ref(self) } else { &self.inner }
    }

    /// Whether nothing failed, inside neither.
    pub fn is_success(&self) -> bool {
        self.result.is_ok() && self.inner.iter().all(ToolOutcome::is_success)
    }

    pub fn error_code(&self) -> Option<ErrorCode> {
        self.result.as_ref().err().map(|error| error.code)
    }

    /// The status word of seed 004's wire format.
    pub fn status(&self) -> &'static str {
        if self.is_success() { "success" } else { "error" }
    }

    /// The one wire object: the tool's fields on success, the error object on failure.
    pub fn to_wire(&self) -> Map<String, Value> {
        let mut object = match &self.result {
            Ok(Value::Object(fields)) => fields.clone(),
            Ok(other) => Map::from_iter([("result".to_owned(), other.clone())]),
            Err(error) => error.to_wire(),
        };
        if !self.notes.is_empty() {
            object.entry("notes").or_insert_with(|| self.notes.clone().into());
        }
        object
    }

    /// [`Self::to_wire`] with seed 004's leading `status` field.
    pub fn to_wire_with_status(&self) -> Map<String, Value> {
        let mut object = Map::from_iter([("status".to_owned(), Value::from(self.status()))]);
        for (name, value) in self.to_wire() {
            // A tool's own `status` (of a job, of a response) must not hide the outcome's.
            let name = if name == "status" { "tool_status".to_owned() } else { name };
            object.insert(name, value);
        }
        object
    }
}
