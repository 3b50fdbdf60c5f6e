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
fn calls_in_several_places_of_a_message_are_all_read_and_none_twice() {
    let call = |id: &str, path: &str| json!({"id": id, "function": {"name": "read", "arguments": json!({"path": path}).to_string()}});
    let block =
        |id: &str, path: &str| json!({"type": "tool_use", "id": id, "name": "read", "input": {"path": path}});
    let message = |calls: Value, blocks: Value| json!({"tool_calls": calls, "content": blocks});
    let ids = |request: Value| -> Vec<String> { calls(request).into_iter().map(|call| call.id).collect() };
    assert_eq!(ids(message(json!([call("a", "1")]), json!([block("b", "2")]))), ["a", "b"]);
    assert_eq!(ids(message(json!([call("a", "1")]), json!([block("a", "1"), block("b", "2")]))), ["a", "b"]);
    assert_eq!(ids(message(json!([]), json!([block("b", "2")]))), ["b"]);
    assert_eq!(ids(message(json!(null), json!([block("b", "2")]))), ["b"]);
    assert_eq!(ids(message(json!([]), json!([block("b", "2"), block("b", "2")]))), ["b", "b"]);

    let differ = parse_request(&message(json!([call("a", "1"), call("c", "1")]), json!([block("a", "2")])));
    let differ = differ.unwrap().calls;
    let refusals: Vec<Option<String>> =
        differ.into_iter().map(|asked| asked.refusal.map(|error| error.message)).collect();
    let text = "the call 'a' stands in 'tool_calls' and as a 'tool_use' block in 'content', and the two differ; \
                neither was run";
    assert_eq!(refusals, [Some(text.to_owned()), None]);

    let old = json!({"name": "read", "arguments": "{\"path\": \"1\"}"});
    assert_eq!(ids(json!({"role": "assistant", "content": null, "function_call": old})), [""]);
    assert_eq!(ids(json!({"tool_calls": [call("a", "1")], "function_call": old})), ["a"]);
    assert_eq!(ids(json!({"tool_calls": [call("a", "2")], "function_call": old})), ["a", ""]);
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
