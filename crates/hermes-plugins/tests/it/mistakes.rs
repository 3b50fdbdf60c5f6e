//! What is wrong with a file is said with its place and what to write instead, all of it at once.

use hermes_core::yaml::{Budget, Reader};

use super::support::{problems, read};

/// One tool with these keys beside its name and description.
fn tool(keys: &str) -> String {
    format!("tools:\n  - name: t\n    description: d\n    {}\n", keys.replace('\n', "\n    "))
}

#[test]
fn every_mistake_has_its_place_and_its_remedy() {
    let http = "type: http_wrapper\nendpoint: https://example.com/x\n";
    for (text, expected) in [
        (tool("type: http_wraper"), "tools.yaml:4:11: unknown type \"http_wraper\" (did you mean http_wrapper?"),
        (tool("type: http_wrapper"), "tools.yaml:2:5: an http_wrapper needs an endpoint"),
        (tool(&format!("{http}metod: POST")), "tools.yaml:6:5: unknown key \"metod\" in a tool (did you mean method?)"),
        (tool(&format!("{http}method: FETCH")), "tools.yaml:6:13: unknown method \"FETCH\""),
        (tool(&format!("{http}timeout_seconds: 301")), "tools.yaml:6:22: timeout_seconds must be a whole number from 1 to 300"),
        (tool(&format!("{http}command: [x]")), "command means nothing for a tool of type http_wrapper"),
        (tool("type: http_wrapper\nendpoint: https://{host}/"), "scheme, host and port are fixed"),
        (tool("type: http_wrapper\nendpoint: https://a.example:{port}/"), "scheme, host and port are fixed"),
        (tool("type: http_wrapper\nendpoint: '{scheme}://a.example/'"), "scheme, host and port are fixed"),
        (tool("type: http_wrapper\nendpoint: ftp://a.example/"), "only http and https"),
        (tool("type: http_wrapper\nendpoint: http://127.0.0.1/"), "not a public address (loopback) (allow_private: true"),
        (tool("type: http_wrapper\nendpoint: http://169.254.169.254/\nallow_private: true"), "169.254.169.254 is not a public address (metadata)"),
        (tool("type: http_wrapper\nendpoint: https://a.example/?api_key=abc"), "\"api_key\" is a secret and may not stand in the file"),
        (tool("type: http_wrapper\nendpoint: https://a.example/{id}"), "{id} is not one of the parameters"),
        (tool(&format!("{http}headers: {{Authorization: Bearer x}}")), "\"Authorization\" carries a secret"),
        (tool(&format!("{http}headers: {{Host: evil}}")), "\"Host\" cannot be set"),
        (tool(&format!("{http}auth: {{type: basic, username_env: U, password: hunter2}}")), "a secret may not stand in the file (put it into the environment and name the variable with password_env)"),
        (tool(&format!("{http}auth: {{type: bearer, token_env: sk-live-123}}")), "this is no name of a variable"),
        (tool(&format!("{http}auth: {{type: digest}}")), "unknown type \"digest\""),
        (tool("type: http_wrapper\nendpoint: http://a.example/\nauth: {type: bearer, token_env: T}"), "the credentials would travel in the clear"),
        (tool(&format!("{http}method: POST\nretries: 2")), "a POST that is repeated may act twice"),
        (tool(&format!("{http}parameters: [{{name: a, type: strng}}]")), "unknown type \"strng\" (did you mean string?"),
        (tool(&format!("{http}parameters: [{{name: a, enum: [x], default: y}}]")), "the default of a is not one of its enum"),
        (tool(&format!("{http}parameters: [{{name: a, type: integer, default: x}}]")), "the default must be of type integer"),
        (tool(&format!("{http}parameters: [{{name: a, type: integer, minimum: 5, maximum: 1}}]")), "tools.yaml:6:64: no value of a is at least 5 and at most 1"),
        (tool(&format!("{http}parameters: [{{name: a, max_length: 1, min_length: 2}}]")), "no value of a is at least 2 and at most 1"),
        (tool(&format!("{http}parameters: [{{name: a, type: integer, maximum: 9, default: 10}}]")), "tools.yaml:6:64: the default does not fit: 10 is greater than the maximum of 9"),
        (tool(&format!("{http}parameters: [{{name: a, pattern: '^x$', default: y}}]")), "tools.yaml:6:53: the default does not fit"),
        (tool(&format!("{http}parameters: [{{name: a, type: array, items: {{type: integer}}, default: [b]}}]")), "tools.yaml:6:65: the default does not fit"),
        (tool(&format!("{http}headers: {{x-a: \"a\\nb\"}}")), "tools.yaml:6:14: the text of \"x-a\" fits no header"),
        (tool(&format!("{http}headers: {{x-a: 'grün {{b}}'}}\nparameters: [{{name: b}}]")), "fits no header"),
        (tool(&format!("{http}parameters: [{{name: a}}, {{name: a}}]")), "the parameter a is written twice"),
        (tool(&format!("{http}parameters: [{{name: a, pattern: '('}}]")), "the pattern cannot be used"),
        (tool(&format!("{http}parameters:\n  - name: a\n    type: array\n    items:\n      type: strng")), "tools.yaml:10:17: \"strng\" is no type (did you mean string?)"),
        (tool(&format!("{http}parameters:\n  - name: a\n    type: object\n    properties:\n      b: {{pattern: '('}}")), "tools.yaml:10:24: the pattern cannot be used: unclosed group"),
        (tool(&format!("{http}parameters:\n  - {{name: a, type: array, items: {{min_length: 1}}}}")), "tools.yaml:7:52: unknown key \"min_length\" in a schema (did you mean minLength?)"),
        (tool(&format!("{http}parameters:\n  - {{name: a, type: object, properties: {{b: {{anyOf: [{{type: string}}, {{minimum: x}}]}}}}}}")), "tools.yaml:7:"),
        (tool(&format!("{http}parameters: [{{name: a, pattern: '(a{{1,1000}}){{1,1000}}'}}]")), "it is too costly"),
        (tool(&format!("{http}query: {{q: '{{nope}}'}}\nparameters: [{{name: note}}]")), "tools.yaml:6:16: {nope} is not one of the parameters (did you mean note?)"),
        (tool(&format!("{http}response: {{pick: a.b}}")), "pick is a JSON pointer and begins with / (write /a/b)"),
        (tool("type: command\ncommand: git log"), "command must be a list of words"),
        (tool("type: command\ncommand: []"), "tools.yaml:5:14: the command names no program"),
        (tool("type: command\ncommand: [[ls]]"), "it may not stand in a group"),
        (tool("type: command\ncommand: [ls, '{nope}']\nparameters: [{name: x}]"), "tools.yaml:5:19: {nope} is not one of the parameters"),
        (tool("type: command\ncommand: ['{program}']\nparameters: [{name: program, required: true}]"), "the program is fixed"),
        (tool("type: command\ncommand: [sh, -c, 'echo {x}']\nparameters: [{name: x}]"), "sh -c would run what a model fills in"),
        (tool("type: command\ncommand: [ls]\nparameters: [{name: x}]"), "the parameter x is used nowhere"),
        (tool("type: command\ncommand: [ls]\nenv: {LD_PRELOAD: x}"), "LD_PRELOAD decides what is loaded"),
        (tool("type: command\ncommand: [ls, '{x']"), "names no parameter"),
        ("tools:\n  - {name: A b, description: d, type: command, command: [ls]}".to_owned(), "\"A b\" is no name for a tool"),
        ("tools:\n  - {name: a, description: d, type: command, command: [ls]}\n  - {name: a, description: d, type: command, command: [ls]}".to_owned(), "tools.yaml:3:5: a second tool is called a (line 2 has one already)"),
        (String::new(), "the file has no tools"),
        ("tool: []".to_owned(), "unknown key \"tool\" in a file of tools (did you mean tools?)"),
        ("tools: {".to_owned(), "tools.yaml:1:"),
    ] {
        let found = problems(&text);
        assert!(found.iter().any(|line| line.contains(expected)), "{text}\nexpected: {expected}\nfound: {found:#?}");
        assert!(found.iter().all(|line| !line.contains("hunter2") && !line.contains("sk-live-123")), "{found:#?}");
    }
}

#[test]
fn all_mistakes_are_reported_in_order() {
    let text = "tools:\n  - name: a\n    type: http_wraper\n  - name: B\n    description: d\n    type: command\n    command: ls\n";
    let found = problems(text);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found.is_sorted_by_key(|line| line.split(':').nth(1).unwrap().parse::<u32>().unwrap()));
}

/// The published schema and the reader know the same keys.
#[test]
fn the_schema_for_editors_names_every_key() {
    let schema: serde_json::Value = serde_json::from_str(hermes_plugins::yaml::FILE_SCHEMA).unwrap();
    let keys = |name: &str| -> Vec<String> {
        let properties = schema["definitions"][name]["properties"].as_object().unwrap();
        properties.keys().cloned().collect()
    };
    for key in keys("tool") {
        let found = problems(&format!("tools: [{{{key}: 1}}]"));
        assert!(!found.iter().any(|line| line.contains("unknown key")), "{key}: {found:#?}");
    }
    for key in keys("parameter") {
        let found = problems(&tool(&format!(
            "type: http_wrapper\nendpoint: https://a.example/\nparameters: [{{name: a, {key}: 1}}]"
        )));
        assert!(!found.iter().any(|line| line.contains("unknown key")), "{key}: {found:#?}");
    }
    for key in keys("auth") {
        let found =
            problems(&tool(&format!("type: http_wrapper\nendpoint: https://a.example/\nauth: {{{key}: 1}}")));
        assert!(!found.iter().any(|line| line.contains("unknown key")), "{key}: {found:#?}");
    }
    // And the other way: what the reader offers as known keys stands in the schema.
    let hint =
        problems("tools: [{qqqqqqqq: 1}]").into_iter().find(|line| line.contains("known here: ")).unwrap();
    let offered = hint.split("known here: ").nth(1).unwrap().trim_end_matches(')');
    for key in offered.split(", ") {
        assert!(keys("tool").contains(&key.to_owned()), "{key}");
    }
}

/// What an editor marks is what the reader refuses, as far as a schema can say it.
#[test]
fn the_schema_for_editors_refuses_what_the_reader_does() {
    let schema: serde_json::Value = serde_json::from_str(hermes_plugins::yaml::FILE_SCHEMA).unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let judged = |keys: &str| {
        let text = tool(keys);
        let budget = Budget { what: "a file", max_bytes: 1 << 20 };
        let value = Reader::new("tools.yaml").root(&text, budget).unwrap().to_value();
        (problems(&text).is_empty(), validator.is_valid(&value))
    };
    let http = "type: http_wrapper\nendpoint: https://example.com/x\n";
    for fine in [
        http.to_owned(),
        format!("{http}auth: {{type: basic, username_env: A, password_env: B}}"),
        format!("{http}auth: {{type: query, name: key, value_env: A}}"),
        "type: http_wrapper\nendpoint: HTTPS://example.com:8443?q={a}\nparameters: [{name: a}]".to_owned(),
        "type: command\ncommand: [ls]\nread_only: true".to_owned(),
    ] {
        assert_eq!(judged(&fine), (true, true), "{fine}");
    }
    for wrong in [
        format!("{http}auth: {{type: basic, username_env: A}}"),
        format!("{http}auth: {{type: bearer}}"),
        format!("{http}auth: {{type: header, value_env: A}}"),
        format!("{http}read_only: true"),
        "type: command\ncommand: [ls]\nendpoint: https://example.com".to_owned(),
        "type: http_wrapper\nendpoint: ftp://example.com".to_owned(),
        "type: http_wrapper\nendpoint: 'https://{host}/'\nparameters: [{name: host}]".to_owned(),
        "type: http_wrapper\nendpoint: https://user:word@example.com/".to_owned(),
    ] {
        assert_eq!(judged(&wrong), (false, false), "{wrong}");
    }
}

#[test]
fn a_file_in_other_words_means_the_same() {
    let yaml = read("tools: [{name: a, description: d, type: http_wrapper, endpoint: 'https://a.example/'}]")
        .unwrap();
    assert_eq!(
        (yaml[0].name.as_str(), yaml[0].toolset.as_str(), yaml[0].timeout.as_secs()),
        ("a", "custom", 30)
    );
}
