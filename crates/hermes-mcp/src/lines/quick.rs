//! Calls and their answers, read and written without detours. The SDK tries one type of message after the other and
//! keeps everything twice meanwhile; calls are nearly all of what a link carries. What is unusual about a line is left
//! to the SDK: these functions know it or say nothing.

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientJsonRpcMessage, ClientRequest,
    JsonRpcMessage, JsonRpcRequest, JsonRpcVersion2_0, MetaObject, RequestId, RequestMetaObject,
};
use serde::{Deserialize, Serialize};

const METHOD: &str = "tools/call";

/// The method of a call, and no other.
#[derive(Deserialize)]
enum Method {
    #[serde(rename = "tools/call")]
    Call,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    jsonrpc: JsonRpcVersion2_0,
    id: RequestId,
    #[serde(rename = "method")]
    _method: Method,
    params: CallToolRequestParams,
}

/// The request in a line, if it is one to call a tool.
pub(crate) fn call_request(line: &[u8]) -> Option<ClientJsonRpcMessage> {
    memchr::memmem::find(line, METHOD.as_bytes())?;
    let Request { jsonrpc, id, mut params, .. } = serde_json::from_slice(line).ok()?;
    let meta = params.meta.take();
    let mut request = CallToolRequest::new(params);
    // Where the SDK looks for it.
    if let Some(meta) = meta {
        request.extensions.insert(meta);
    }
    let request = ClientRequest::CallToolRequest(request);
    Some(JsonRpcMessage::Request(JsonRpcRequest { jsonrpc, id, request }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    #[serde(rename = "jsonrpc")]
    _jsonrpc: JsonRpcVersion2_0,
    id: RequestId,
    result: CallToolResult,
}

/// The result in a line, if it is that of a call. The caller knows whether the request was a call.
pub(crate) fn call_answer(line: &[u8]) -> Option<(RequestId, CallToolResult)> {
    let Answer { id, result, .. } = serde_json::from_slice(line).ok()?;
    // One without content may be the result of something else with the same fields.
    let telling = !result.content.is_empty() || result.structured_content.is_some();
    telling.then_some((id, result))
}

#[derive(Serialize)]
struct Line<'a> {
    jsonrpc: &'static str,
    id: &'a RequestId,
    method: &'static str,
    params: Params<'a>,
}

#[derive(Serialize)]
struct Params<'a> {
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RequestMetaObject>,
    #[serde(flatten)]
    params: &'a CallToolRequestParams,
}

/// The line of a request to call a tool, without its end. The SDK would write it as a value first, to merge its metadata.
pub(crate) fn call_line(id: &RequestId, request: &CallToolRequest) -> Option<serde_json::Result<Vec<u8>>> {
    let merged = request.params.meta.is_some() || request.extensions.get::<MetaObject>().is_some();
    let params = Params { meta: request.extensions.get(), params: &request.params };
    let line = Line { jsonrpc: "2.0", id, method: METHOD, params };
    (!merged).then(|| serde_json::to_vec(&line))
}

#[cfg(test)]
mod tests {
    use rmcp::model::{ServerJsonRpcMessage, ServerResult};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn requests_are_read_as_the_sdk_reads_them() {
        for params in [
            json!({"name": "a"}),
            json!({"name": "a", "arguments": {"text": "\"tools/call\"", "n": 1.5, "deep": {"x": [null]}}}),
            json!({"name": "a", "_meta": {"progressToken": 7, "x": "y"}, "arguments": {}}),
            json!({"name": "a", "inputResponses": {"k": {"action": "accept"}}, "requestState": "s"}),
        ] {
            for id in [json!(1), json!("one")] {
                let line =
                    json!({"jsonrpc": "2.0", "id": id, "method": METHOD, "params": params}).to_string();
                let quick = call_request(line.as_bytes()).unwrap();
                let slow: ClientJsonRpcMessage = serde_json::from_str(&line).unwrap();
                assert_eq!(format!("{quick:?}"), format!("{slow:?}"), "{line}");
                assert_eq!(serde_json::to_value(&quick).unwrap(), serde_json::to_value(&slow).unwrap());
            }
        }
    }

    #[test]
    fn what_is_no_plain_call_is_left_alone() {
        for line in [
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"name": "tools/call"}}"#,
            r#"{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "a"}}"#,
            r#"{"jsonrpc": "1.0", "id": 1, "method": "tools/call", "params": {"name": "a"}}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a"}, "result": {}}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a"}"#,
        ] {
            assert!(call_request(line.as_bytes()).is_none(), "{line}");
        }
        for line in [
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"resultType": "input_required", "content": []}}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"_meta": {}}}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"content": 7}}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}"#,
            r#"{"jsonrpc": "2.0", "result": {"content": [{"type": "text", "text": "x"}]}}"#,
        ] {
            assert!(call_answer(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn answers_are_read_as_the_sdk_reads_them() {
        for result in [
            json!({"content": [{"type": "text", "text": "ok", "annotations": {"priority": 0.5}}], "isError": true}),
            json!({"content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}], "_meta": {"a": 1}}),
            json!({"content": [], "structuredContent": null}),
            json!({"content": [{"type": "text", "text": "ok"}], "unknown": 1, "structuredContent": {"a": [1]}}),
        ] {
            let line = json!({"jsonrpc": "2.0", "id": 9, "result": result}).to_string();
            let (id, result) = call_answer(line.as_bytes()).unwrap();
            let quick: ServerJsonRpcMessage =
                JsonRpcMessage::response(ServerResult::CallToolResult(result), id);
            let slow: ServerJsonRpcMessage = serde_json::from_str(&line).unwrap();
            assert_eq!(format!("{quick:?}"), format!("{slow:?}"), "{line}");
        }
    }

    #[test]
    fn requests_are_written_as_the_sdk_writes_them() {
        let arguments = json!({"b": 1, "a": {"z": "ü\n"}}).as_object().cloned().unwrap();
        let mut request = CallToolRequest::new(CallToolRequestParams::new("t").with_arguments(arguments));
        let mut meta = RequestMetaObject::default();
        for progress in [false, true] {
            if progress {
                meta.0.0.insert("progressToken".to_owned(), json!(3));
                request.extensions.insert(meta.clone());
            }
            let id = RequestId::Number(5);
            let quick: Value = serde_json::from_slice(&call_line(&id, &request).unwrap().unwrap()).unwrap();
            let whole = ClientRequest::CallToolRequest(request.clone());
            let slow: ClientJsonRpcMessage = JsonRpcMessage::request(whole, id);
            assert_eq!(quick, serde_json::to_value(&slow).unwrap());
        }
    }
}
