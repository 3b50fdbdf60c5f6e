//! Prompts, resources and logs of the servers behind Hermes, for a client in front of it.

use serde_json::{Value, json};

use super::client::Client;
use super::scripted::{scripted, tool};
use super::support::{noted, with_servers};
use crate::harness::Hermes;

fn met(servers: &[(&str, &str, &str)]) -> Hermes {
    let hermes = with_servers(servers);
    for (name, ..) in servers {
        assert_eq!(hermes.run(&["mcp", "test", name]).code, 0);
    }
    hermes
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}

#[test]
fn prompts_and_resources_of_all_servers_are_served_under_names_that_mean_one_thing() {
    let hermes = met(&[("fix", "", ""), ("other", "", "    tools: {resources: false}\n")]);
    let mut client = Client::start(&hermes, &[]);
    let prompts = client.ask("prompts/list", json!({}));
    assert_eq!(names(&prompts["result"]["prompts"]), ["mcp_fix_greet", "mcp_other_greet"]);
    let got = client.ask("prompts/get", json!({"name": "mcp_other_greet", "arguments": {"who": "Ada"}}));
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "Greet Ada", "{got}");
    let resources = client.ask("resources/list", json!({}));
    assert_eq!(resources["result"]["resources"][0]["uri"], "note://1", "{resources}");
    for uri in ["note://1", "note://77"] {
        let read = client.ask("resources/read", json!({ "uri": uri }));
        let contents = &read["result"]["contents"][0];
        assert_eq!(contents["text"], format!("about {uri}"), "{read}");
        assert_eq!((&contents["uri"], &contents["mimeType"]), (&json!(uri), &json!("text/plain")));
    }
    for (method, params) in [
        ("resources/read", json!({"uri": "note://0"})),
        ("resources/read", json!({"uri": "nowhere://1"})),
        ("resources/read", json!({"uri": "hermes://result/0"})),
        ("resources/subscribe", json!({"uri": "nowhere://1"})),
        ("prompts/get", json!({"name": "greet"})),
    ] {
        let refused = client.ask(method, params);
        assert!(refused["error"]["message"].as_str().is_some_and(|said| !said.is_empty()), "{refused}");
    }
    client.end();
    // Every one of them is in the journal, like any call.
    let journal = hermes.run(&["journal", "list", "--json"]).stdout;
    assert!(journal.contains("mcp_other_get_prompt") && journal.contains("mcp_fix_read_resource"));
}

#[test]
fn a_resource_that_two_servers_have_is_nobodys() {
    let hermes = met(&[("one", "", ""), ("two", "", "")]);
    let mut client = Client::start(&hermes, &[]);
    let refused = client.ask("resources/read", json!({"uri": "note://1"}));
    let said = refused["error"]["message"].as_str().unwrap();
    assert!(said.contains("one, two"), "{said}");
    client.end();
}

#[test]
fn one_server_is_stood_in_for_under_its_own_names_and_our_rules() {
    let hermes = met(&[("fix", "", ""), ("other", "", "")]);
    let mut client = Client::serving(&hermes, &[], &["--server", "fix"]);
    let tools = client.ask("tools/list", json!({}));
    let tools = names(&tools["result"]["tools"]);
    assert!(tools.contains(&"echo") && tools.contains(&"dot.ted"), "{tools:?}");
    assert!(!tools.iter().any(|name| name.starts_with("mcp_") || *name == "read_file"), "{tools:?}");
    let called = client.call("dot.ted", json!({}));
    assert_eq!(called["result"]["content"][0]["text"], "dot.ted", "{called}");
    let prompts = client.ask("prompts/list", json!({}));
    assert_eq!(names(&prompts["result"]["prompts"]), ["greet"]);
    // A resource within an answer stays what it is.
    let shown = client.call("show", json!({}));
    let resource = json!({"uri": "note://1", "mimeType": "text/plain", "text": "shown"});
    assert_eq!(shown["result"]["content"], json!([{"type": "resource", "resource": resource}]), "{shown}");
    // Nothing else is in reach.
    let other = client.call("mcp_other_echo", json!({"text": "x"}));
    assert_eq!(other["result"]["isError"], true, "{other}");
    client.end();
    let mut judged = Client::serving(
        &hermes,
        &["--profile", "default", "--set", "approvals.mode=deny"],
        &["--server", "fix"],
    );
    let refused = judged.call("echo", json!({"text": "x"}));
    assert!(refused.to_string().contains("approval_required"), "{refused}");
    let refused = judged.ask("prompts/get", json!({"name": "greet", "arguments": {"who": "Ada"}}));
    assert!(refused["error"]["message"].as_str().unwrap().contains("approval_required"), "{refused}");
    let refused = judged.ask("resources/subscribe", json!({"uri": "note://1"}));
    assert!(refused["error"]["message"].as_str().unwrap().contains("mcp:fix"), "{refused}");
    judged.end();
    let wrong = hermes.run(&["mcp", "serve", "--server", "nobody"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("configured: fix, other"), "{}", wrong.stderr);
}

/// What a client would get of the server itself, but for what hides.
#[test]
fn answers_and_definitions_stay_the_servers_own_where_it_is_stood_in_for() {
    let definition = json!({
        "name": "look",
        "title": "Look",
        "description": "Looks.",
        "inputSchema": {"type": "object", "properties": {"at": {"type": "string"}}},
        "outputSchema": {"type": "object", "properties": {"seen": {"type": "integer"}}, "required": ["seen"]},
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    });
    let content = json!([
        {"type": "text", "text": "one"},
        {"type": "text", "text": "two", "annotations": {"priority": 1.0}},
        {"type": "resource_link", "uri": "note://1", "name": "one", "mimeType": "text/plain"},
    ]);
    let answer = json!({"content": content, "structuredContent": {"seen": 1}, "isError": false});
    let failed = json!({"content": [{"type": "text", "text": "no such row"}], "isError": true});
    let odd = json!({"content": [{"type": "text", "text": "a\u{200b}b"}]});
    let long = json!({"content": [{"type": "text", "text": "x".repeat(2_000_000)}]});
    let tools = json!([definition, tool("fail", "Fails."), tool("odd", "Odd."), tool("long", "Long.")]);
    let calls = json!({"look": answer, "fail": failed, "odd": odd, "long": long});
    let hermes = scripted(&[("s", json!({"tools": tools, "calls": calls}), "")]);
    let mut client = Client::serving(&hermes, &[], &["--server", "s"]);
    let listed = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(listed[0], definition);
    assert_eq!(client.call("look", json!({"at": "x"}))["result"], answer);
    assert_eq!(client.call("fail", json!({}))["result"], failed);
    let shown = client.call("odd", json!({}))["result"].clone();
    assert_eq!(shown["content"][0]["text"], "a\\u{200b}b", "{shown}");
    assert_eq!(shown["_meta"]["hermes/flags"], json!(["characters that do not show"]), "{shown}");
    // What is too long is cut here as everywhere.
    assert!(client.call("long", json!({})).to_string().len() < 1_000_000);
    client.end();
    // In front of all servers a link is a link too.
    let mut client = Client::start(&hermes, &[]);
    let linked = client.call("mcp_s_look", json!({}));
    assert_eq!(linked["result"]["content"][1], content[2], "{linked}");
    client.end();
}

#[test]
fn a_request_without_its_parameters_is_told_so() {
    let hermes = met(&[("fix", "", "")]);
    let mut client = Client::start(&hermes, &[]);
    for (method, code) in [("tools/call", -32602), ("prompts/get", -32602), ("tools/sell", -32601)] {
        assert_eq!(client.ask(method, json!({}))["error"]["code"], code, "{method}");
    }
    client.end();
}

#[test]
fn followed_resources_changed_lists_and_logs_reach_the_client() {
    let hermes = met(&[("fix", "", "")]);
    let mut client = Client::start(&hermes, &[]);
    assert_eq!(client.ask("resources/subscribe", json!({"uri": "note://1"}))["result"], json!({}));
    client.call("mcp_fix_touch", json!({}));
    assert_eq!(client.hear("notifications/resources/updated")["params"]["uri"], "note://1");
    client.hear("notifications/prompts/list_changed");
    let prompts = client.ask("prompts/list", json!({}));
    assert_eq!(names(&prompts["result"]["prompts"]), ["mcp_fix_greet", "mcp_fix_part"]);
    assert_eq!(client.ask("resources/unsubscribe", json!({"uri": "note://1"}))["result"], json!({}));
    client.call("mcp_fix_touch", json!({}));
    client.call("mcp_fix_chat", json!({}));
    let line = client.hear("notifications/message");
    assert_eq!(line["params"], json!({"level": "warning", "logger": "fix: parts", "data": "a warning"}));
    client.ask("logging/setLevel", json!({"level": "error"}));
    client.call("mcp_fix_chat", json!({}));
    client.ask("logging/setLevel", json!({"level": "debug"}));
    client.call("mcp_fix_chat", json!({}));
    let lines = client.news.iter().filter(|news| news["method"] == "notifications/message");
    let lines: Vec<&Value> = lines.map(|line| &line["params"]["data"]).collect();
    assert_eq!(lines, ["a debug", "a warning"], "nothing of what was not wanted");
    assert!(client.news.iter().all(|news| news["method"] != "notifications/resources/updated"));
    let expected = [
        "resources/subscribe note://1",
        "logging/setLevel info",
        "resources/unsubscribe note://1",
        "logging/setLevel debug",
    ];
    // A wish of the client is passed on beside its answer. A test that waits in vain is ended from outside.
    while noted(&hermes, "fix", "asked").len() < expected.len() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(noted(&hermes, "fix", "asked"), expected);
    client.end();
}

#[test]
fn arguments_are_completed_by_the_server_that_runs() {
    let hermes = met(&[("fix", "", "")]);
    let mut client = Client::start(&hermes, &[]);
    let wanted = json!({
        "ref": {"type": "ref/prompt", "name": "mcp_fix_greet"},
        "argument": {"name": "who", "value": "Ad"},
    });
    // It is not started for this.
    assert_eq!(
        client.ask("completion/complete", wanted.clone())["result"]["completion"]["values"],
        json!([])
    );
    client.call("mcp_fix_echo", json!({"text": "x"}));
    assert_eq!(client.ask("completion/complete", wanted)["result"]["completion"]["values"], json!(["Ad!"]));
    let other = json!({
        "ref": {"type": "ref/resource", "uri": "note://{number}"},
        "argument": {"name": "number", "value": "1"},
    });
    assert_eq!(client.ask("completion/complete", other)["result"]["completion"]["values"], json!(["1!"]));
    client.end();
}

#[test]
fn a_server_that_keeps_a_list_to_itself_works_without_it() {
    let hermes = met(&[("fix", "mute", "")]);
    let mut client = Client::start(&hermes, &[]);
    let called = client.call("mcp_fix_echo", json!({"text": "all the same"}));
    assert_eq!(called["result"]["content"][0]["text"], "all the same", "{called}");
    client.end();
    assert!(hermes.run(&["mcp", "logs", "fix"]).stdout.contains("resource templates could not be listed"));
}

#[test]
fn no_text_of_a_definition_is_longer_than_anybody_reads() {
    let long = "word ".repeat(20_000);
    let schema =
        json!({"type": "object", "properties": {"default": {"type": "string", "description": long}}});
    let script = json!({
        "tools": [{"name": "t", "title": long, "description": long, "inputSchema": schema}],
        "methods": {"prompts/list": {"prompts": [{"name": "p", "description": long}]}},
    });
    let hermes = scripted(&[("s", script, "")]);
    for own in [&[][..], &["--server", "s"]] {
        let mut client = Client::serving(&hermes, &["--set", "tools.tool_search=false"], own);
        for (method, name) in [("tools/list", "\"default\""), ("prompts/list", "\"prompts\"")] {
            let listed = client.ask(method, json!({})).to_string();
            assert!(listed.contains(name) && !listed.contains(&"word ".repeat(1_000)), "{method} {own:?}");
        }
        client.end();
    }
}
