use hermes_core::{ToolCall, ToolError, ToolOutcome};
use hermes_runtime::wire::{parse_request, respond, tool_message};
use serde_json::{Value, json};

fn calls(request: Value) -> Vec<ToolCall> {
    parse_request(&request).unwrap().calls
}

#[test]
fn reads_the_seeds_request_and_provider_messages() {
    let expected = vec![ToolCall::new("call_abc123", "web_search", json!({"query": "q"}))];
    let function = json!({"name": "web_search", "arguments": {"query": "q"}});
    let call = json!({"id": "call_abc123", "type": "function", "function": function});
    assert_eq!(calls(json!({"tool_calls": [call]})), expected);
    assert_eq!(calls(json!({"role": "assistant", "content": null, "tool_calls": [call]})), expected);
    assert_eq!(calls(json!([call])), expected);
    assert_eq!(calls(call.clone()), expected);
    assert_eq!(
        calls(json!({"id": "call_abc123", "name": "web_search", "arguments": {"query": "q"}})),
        expected
    );
    let block =
        json!({"type": "tool_use", "id": "call_abc123", "name": "web_search", "input": {"query": "q"}});
    assert_eq!(
        calls(json!({"role": "assistant", "content": [{"type": "text", "text": "hm"}, block]})),
        expected
    );
    let as_text = json!({"tool_calls": [{"id": "1", "function": {"name": "x", "arguments": "{}"}}]});
    assert_eq!(calls(as_text)[0].arguments, json!("{}"), "text is parsed by the pipeline, once");
}

#[test]
fn refuses_what_is_no_request() {
    for bad in [
        json!(null),
        json!("x"),
        json!({}),
        json!([]),
        json!({"tool_calls": []}),
        json!({"tool_calls": {}}),
        json!({"tool_calls": [1]}),
        json!({"tool_calls": [{"id": "x"}]}),
        json!({"tool_calls": [{"function": "x"}]}),
        json!({"name": 7}),
    ] {
        assert!(parse_request(&bad).unwrap_err().hint.is_some(), "{bad}");
    }
}

#[test]
fn writes_the_seeds_response() {
    let good = ToolOutcome {
        result: Ok(json!({"results": [], "status": "odd"})),
        ran: true,
        ..ToolOutcome::refused("c1", "web_search", ToolError::internal(""))
    };
    let bad = ToolOutcome::refused("c2", "x", ToolError::not_found("no such tool").with_hint("look again"));
    assert_eq!(
        respond(&[good, bad.clone()]),
        json!({"tool_results": [
            {"tool_call_id": "c1", "role": "tool", "name": "web_search",
             "content": {"status": "success", "results": [], "tool_status": "odd"}},
            {"tool_call_id": "c2", "role": "tool", "name": "x",
             "content": {"status": "error", "error": "no such tool", "code": "not_found", "retryable": false,
                         "hint": "look again"}},
        ]})
    );
    let message = tool_message(&bad);
    let content: Value = serde_json::from_str(message["content"].as_str().unwrap()).unwrap();
    assert_eq!((message["role"].as_str(), content["code"].as_str()), (Some("tool"), Some("not_found")));
}
