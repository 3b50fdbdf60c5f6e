//! Every payload at every position: the request that arrives is the intended one, or none is sent.

use hermes_core::ErrorCode;
use hermes_testkit::{Answer, Seen, WebServer};
use serde_json::json;

use super::payloads::payloads;
use super::support::runtime_with;

/// Undoes percent-encoding, as a server does.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn parts(target: &str) -> (Vec<String>, Vec<(String, String)>) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.split('/').skip(1).map(decoded).collect();
    let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap();
        (decoded(name), decoded(value))
    });
    (path, pairs.collect())
}

/// Sends every payload through one tool and has each request that arrives compared.
async fn try_all(tool: &str, compare: impl Fn(&Seen, &str), may_refuse: impl Fn(&str) -> bool) {
    let server = WebServer::start(|_| Answer::json(&json!({"ok": true}))).await;
    let runtime = runtime_with(&tool.replace("ADDRESS", &server.address().to_string())).await;
    let mut sent = 0;
    for payload in payloads() {
        server.forget();
        let outcome = runtime.call("probe", json!({"value": payload})).await;
        match &outcome.result {
            Ok(_) => {
                let seen = server.only();
                assert_eq!(seen.header("host"), Some(server.address().to_string().as_str()));
                assert_eq!(seen.header("x-evil"), None, "{payload:?}");
                compare(&seen, &payload);
                sent += 1;
            }
            Err(error) => {
                assert!(may_refuse(&payload), "{payload:?}: {error}");
                assert_eq!(error.code, ErrorCode::InvalidArgument, "{payload:?}");
                assert!(server.seen().is_empty(), "{payload:?}");
            }
        }
    }
    assert!(sent > 150, "only {sent} were sent");
}

fn never(_: &str) -> bool {
    false
}

#[tokio::test]
async fn a_path_segment_stays_one_segment() {
    let tool = "
tools:
  - {name: probe, description: d, type: http_wrapper, allow_private: true, endpoint: 'http://ADDRESS/a/{value}/b?c=d',
     parameters: [{name: value, required: true}]}";
    let compare = |seen: &Seen, payload: &str| {
        let (path, query) = parts(&seen.target);
        assert_eq!(path, ["a", payload, "b"]);
        assert_eq!(query, [("c".to_owned(), "d".to_owned())]);
    };
    try_all(tool, compare, |payload| matches!(payload, "" | "." | "..")).await;
}

#[tokio::test]
async fn a_part_of_a_segment_stays_in_it() {
    let tool = "
tools:
  - {name: probe, description: d, type: http_wrapper, allow_private: true, endpoint: 'http://ADDRESS/v-{value}.json',
     parameters: [{name: value, required: true}]}";
    let compare = |seen: &Seen, payload: &str| {
        assert_eq!(parts(&seen.target).0, [format!("v-{payload}.json")]);
    };
    try_all(tool, compare, never).await;
}

#[tokio::test]
async fn a_query_value_stays_one_value_wherever_it_is_written() {
    for place in [
        "endpoint: 'http://ADDRESS/p?first=1&value={value}', parameters: [{name: value, required: true}]",
        "endpoint: 'http://ADDRESS/p?first=1', parameters: [{name: value, required: true}]",
        "endpoint: 'http://ADDRESS/p?first=1', query: {value: '{value}'}, parameters: [{name: value, required: true}]",
    ] {
        let tool = format!(
            "tools: [{{name: probe, description: d, type: http_wrapper, allow_private: true, {place}}}]"
        );
        let compare = |seen: &Seen, payload: &str| {
            let (path, query) = parts(&seen.target);
            assert_eq!(path, ["p"]);
            let expected = [("first".to_owned(), "1".to_owned()), ("value".to_owned(), payload.to_owned())];
            assert_eq!(query, expected);
        };
        try_all(&tool, compare, never).await;
    }
}

#[tokio::test]
async fn a_header_carries_the_value_or_the_call_is_refused() {
    for (place, before) in [
        ("headers: {x-value: 'v={value}'}, parameters: [{name: value, required: true}]", "v="),
        ("parameters: [{name: value, required: true, in: header, as: x-value}]", ""),
    ] {
        let tool = format!(
            "tools: [{{name: probe, description: d, type: http_wrapper, allow_private: true, endpoint: 'http://ADDRESS/p', {place}}}]"
        );
        let fits = |payload: &str| payload.bytes().all(|byte| byte == b'\t' || (0x20..0x7f).contains(&byte));
        let compare = |seen: &Seen, payload: &str| {
            assert_eq!(seen.target, "/p");
            assert_eq!(seen.header("x-value"), Some(format!("{before}{payload}").as_str()));
        };
        let trimmed = |payload: &str| {
            format!("{before}{payload}").trim_matches([' ', '\t']).len() == before.len() + payload.len()
        };
        let may_refuse = |payload: &str| !fits(payload) || !trimmed(payload);
        try_all(&tool, compare, may_refuse).await;
    }
}

/// A tool that posts its argument.
fn post(body: &str, more_parameters: &str) -> String {
    format!(
        "tools: [{{name: probe, description: d, type: http_wrapper, allow_private: true, endpoint: 'http://ADDRESS/p',
          method: POST, {body}, parameters: [{{name: value, required: true}}{more_parameters}]}}]"
    )
}

#[tokio::test]
async fn a_body_keeps_its_shape() {
    let tool = post(
        "body: {fixed: {admin: false}, value: '{value}', text: 'before {value} after', list: ['{value}', 1]}",
        "",
    );
    let compare = |seen: &Seen, payload: &str| {
        let expected = json!({
            "fixed": {"admin": false},
            "value": payload,
            "text": format!("before {payload} after"),
            "list": [payload, 1],
        });
        assert_eq!(seen.json(), expected);
        assert_eq!(seen.header("content-type"), Some("application/json"));
    };
    try_all(&tool, compare, never).await;
}

#[tokio::test]
async fn a_form_keeps_its_fields() {
    let tool = post("body_format: form", ", {name: other, default: fixed}");
    let compare = |seen: &Seen, payload: &str| {
        let body = String::from_utf8(seen.body.clone()).unwrap();
        let pairs = parts(&format!("/?{body}")).1;
        let expected = [("value".to_owned(), payload.to_owned()), ("other".to_owned(), "fixed".to_owned())];
        assert_eq!(pairs, expected);
    };
    try_all(&tool, compare, never).await;
}

/// Runs every payload through a program that prints what it was given, and compares.
async fn printed(tool: &str, expected: impl Fn(&str) -> String) {
    let runtime = runtime_with(tool).await;
    for payload in payloads() {
        let outcome = runtime.call("probe", json!({"value": payload})).await;
        match &outcome.result {
            Ok(value) => assert_eq!(value["stdout"], expected(&payload), "{payload:?}"),
            Err(error) => {
                assert_eq!(error.code, ErrorCode::InvalidArgument, "{payload:?}: {error}");
                assert!(payload.contains('\0') || payload.starts_with('-'), "{payload:?}: {error}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_stays_one_word_and_no_shell_reads_it() {
    let tool = "tools: [{name: probe, description: d, type: command, command: [printf, '%s\\0', '{value}', 'x={value}'],
        parameters: [{name: value, required: true}]}]";
    printed(tool, |payload| format!("{payload}\0x={payload}\0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_and_the_input_carry_the_value_as_it_is() {
    let env = "tools: [{name: probe, description: d, type: command, command: [printenv, '-0', VALUE], env: {VALUE: '{value}'},
        parameters: [{name: value, required: true}]}]";
    printed(env, |payload| format!("{payload}\0")).await;
    let input = "tools: [{name: probe, description: d, type: command, command: [cat], stdin: '<{value}>',
        parameters: [{name: value, required: true}]}]";
    printed(input, |payload| format!("<{payload}>")).await;
}
