use hermes_core::{ToolCall, ToolError, ToolOutcome};
use hermes_runtime::wire::{parse_request, respond, tool_message};
use serde_json::{Value, json};

fn calls(request: Value) -> Vec<ToolCall> {
    parse_request(&request).unwrap().calls.into_iter().map(|asked| asked.call).collect()
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
fn keys_that_mean_nothing_are_told_of_and_providers_keys_are_not() {
    let warnings = |request: Value| parse_request(&request).unwrap().warnings;
    let call = json!({"id": "1", "type": "function", "index": 0, "function": {"name": "x", "arguments": {}}});
    let block = json!({"type": "tool_use", "id": "1", "name": "x", "input": {}});
    for usual in [
        json!({"tool_calls": [call]}),
        json!([call]),
        call.clone(),
        json!({"id": 1, "op": "call", "session": "s", "name": "x", "arguments": {"any": "key"}}),
        json!({"role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": [call]}),
        json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
            "stop_sequence": null, "usage": {}, "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "t"}, block]}),
    ] {
        assert_eq!(warnings(usual.clone()), Vec::<String>::new(), "{usual}");
    }
    assert_eq!(
        warnings(json!({"tool_calls": [call], "actor": "root", "rôle": 1})),
        [
            "'actor' in the request means nothing and was ignored",
            "'rôle' in the request means nothing and was ignored; did you mean 'role'?"
        ]
    );
    let odd = json!({"id": "1", "permit": true, "function": {"name": "x", "argumnts": {}}});
    for request in [json!([odd, odd]), json!({"tool_calls": [odd]})] {
        assert_eq!(
            warnings(request),
            [
                "'permit' in a tool call means nothing and was ignored",
                "'argumnts' in 'function' means nothing and was ignored; did you mean 'arguments'?"
            ]
        );
    }
    let many = Value::Object((0..99).map(|n| (format!("key{n}"), Value::Null)).collect());
    let mut many = many.as_object().unwrap().clone();
    many.insert("name".to_owned(), "x".into());
    assert_eq!(warnings(Value::Object(many)).len(), 10);
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
fn arguments_are_found_or_the_call_is_refused() {
    let read = |request: Value| parse_request(&request).unwrap().calls.remove(0);
    let path = json!({"path": "/etc"});
    for (call, note) in [
        (json!({"name": "x", "args": path}), "'args' was read as 'arguments'"),
        (json!({"name": "x", "parameters": path}), "'parameters' was read as 'arguments'"),
        (json!({"name": "x", "arguments": null, "input": path}), "'input' was read as 'arguments'"),
        (json!([{"function": {"name": "x", "args": path}}]), "'args' was read as 'arguments'"),
    ] {
        let asked = read(call.clone());
        assert_eq!((&asked.call.arguments, asked.refusal), (&path, None), "{call}");
        assert_eq!(asked.notes, [note], "{call}");
    }
    let beside = read(json!({"function": {"name": "x"}, "arguments": path}));
    assert_eq!((&beside.call.arguments, beside.notes.len()), (&path, 0));
    for lost in [
        json!({"name": "x", "argumnets": path}),
        json!([{"function": {"name": "x", "argumnets": path}}]),
        json!({"function": {"name": "x"}, "argumnets": path}),
        json!({"name": "x", "argumnets": "{\"path\": \"/etc\"}"}),
    ] {
        let refusal = read(lost.clone()).refusal.expect("refused");
        assert!(
            refusal.message.contains("'argumnets'") && refusal.message.contains("'arguments'?"),
            "{refusal:?}"
        );
    }
    let twice = read(json!({"name": "x", "arguments": {}, "args": path})).refusal.expect("refused");
    assert!(twice.message.contains("given twice"), "{twice:?}");
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
