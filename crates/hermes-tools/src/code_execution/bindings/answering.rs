//! Takes the calls of code through the pipeline, one after another, up to a number.

use futures_util::future::BoxFuture;
use hermes_core::ToolCall;
use hermes_core::arguments::parse_json;
use hermes_host::terminal::Answer;
use hermes_kit::prelude::*;
use serde_json::Value;

use super::signature::callable;

/// Answers the questions of one piece of code.
pub(in crate::code_execution) struct Answering<'a> {
    cx: &'a CallContext,
    most: usize,
    pub(in crate::code_execution) made: usize,
}

/// What code writes.
#[derive(Deserialize)]
struct Asked {
    tool: String,
    #[serde(default)]
    arguments: Value,
}

impl<'a> Answering<'a> {
    pub(in crate::code_execution) fn new(cx: &'a CallContext, most: usize) -> Self {
        Answering { cx, most, made: 0 }
    }

    async fn ask(&mut self, line: &str) -> Result<Value, ToolError> {
        let no_call = |why: String| ToolError::invalid(format!("that is no call of a tool: {why}"));
        let read = parse_json(line).map_err(|error| no_call(error.message))?;
        let asked: Asked = serde_json::from_value(read).map_err(|error| no_call(error.to_string()))?;
        if !callable(&asked.tool) {
            return Err(ToolError::denied(format!("'{}' cannot be called from code", asked.tool)));
        }
        if self.made >= self.most {
            let text = format!("code may make {} calls of tools, and has made them", self.most);
            return Err(ToolError::new(ErrorCode::TooLarge, text));
        }
        self.made += 1;
        let id = format!("{}.{}", self.cx.call_id(), self.made);
        let call = ToolCall::new(id, asked.tool, asked.arguments);
        self.cx.conversation()?.call(call, self.cx.cancel()).await.result
    }
}

impl Answer for Answering<'_> {
    fn answer(&mut self, line: String) -> BoxFuture<'_, String> {
        Box::pin(async move {
            let answer = match self.ask(&line).await {
                Ok(result) => json!({"result": result}),
                Err(error) => Value::Object(error.to_wire()),
            };
            named(id(&line), &answer.to_string())
        })
    }
}

/// What code calls its question; it comes first, so that a question that is no JSON has a name too.
fn id(line: &str) -> Option<&str> {
    let (id, _) = line.strip_prefix(r#"{"id":""#)?.split_once('"')?;
    id.chars().all(|c| c.is_ascii_alphanumeric() || c == '.').then_some(id)
}

/// The answer with the name of its question in front.
fn named(id: Option<&str>, answer: &str) -> String {
    match (id, answer.strip_prefix('{')) {
        (Some(id), Some(rest)) => format!(r#"{{"id":"{id}",{rest}"#),
        _ => answer.to_owned(),
    }
}
