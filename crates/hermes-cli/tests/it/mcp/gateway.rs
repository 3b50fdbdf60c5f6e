//! Many servers behind three tools, under the user's rules.

use serde_json::{Value, json};

use super::client::Client;
use super::support::{configured, noted, notes, with_servers};
use crate::harness::Hermes;

/// A Hermes with a server of so many tools that they stand behind the search.
fn with_many(count: usize) -> Hermes {
    let hermes = with_servers(&[("fix", "", ""), ("many", &format!("many:{count}"), "    parallel: 4\n")]);
    for server in ["fix", "many"] {
        let met = hermes.run(&["mcp", "test", server]);
        assert_eq!(met.code, 0, "{}{}", met.stdout, met.stderr);
    }
    hermes
}

fn names(client: &mut Client) -> Vec<String> {
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn five_hundred_tools_become_three() {
    let hermes = with_many(500);
    let mut client = Client::start(&hermes, &["--toolsets", "mcp-fix,mcp-many"]);
    let mut offered = names(&mut client);
    offered.sort();
    // Beside the three there is only the one that reads large results.
    assert_eq!(offered, ["read_result", "tool_call", "tool_describe", "tool_search"]);
    let found = client.call("tool_search", json!({"query": "turbine rotor 321"}));
    assert!(found.to_string().contains("mcp_many_turbine_321"), "{found}");
    let described = client.call("tool_describe", json!({"name": "mcp_many_turbine_321"}));
    assert!(
        described.to_string().contains("inputSchema") || described.to_string().contains("parameters"),
        "{described}"
    );
    let call = json!({"name": "mcp_many_turbine_321", "arguments": {"text": "x"}});
    let called = client.call("tool_call", call);
    assert_eq!(called["result"]["isError"], false, "{called}");
    assert_eq!(noted(&hermes, "many", "calls"), ["turbine_321"]);
    let other = client.call("tool_call", json!({"name": "mcp_fix_echo", "arguments": {"text": "both"}}));
    assert!(other.to_string().contains("both"), "{other}");
    client.end();
    let journal = hermes.run(&["journal", "list", "--json"]).stdout;
    assert!(journal.contains("mcp_many_turbine_321"), "the real call is what is journaled");
}

#[test]
fn a_tool_behind_the_gateway_is_asked_about_by_its_own_name() {
    let hermes = with_many(500);
    let accept = json!({"action": "accept", "content": {"allow": "once"}});
    let mut client = Client::with(&hermes, &["--profile", "default"], json!({"elicitation": {}}), accept);
    let called = client.call("tool_call", json!({"name": "mcp_fix_echo", "arguments": {"text": "asked"}}));
    assert_eq!(called["result"]["isError"], false, "{called}");
    let asked = client.questions[0]["params"]["message"].as_str().unwrap().to_owned();
    assert!(asked.contains("mcp_fix_echo") && asked.contains("asked"), "{asked}");
    client.end();
    let decline = json!({"action": "decline"});
    let mut client = Client::with(&hermes, &["--profile", "default"], json!({"elicitation": {}}), decline);
    let refused = client.call("tool_call", json!({"name": "mcp_fix_count", "arguments": {}}));
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    client.end();
    assert_eq!(noted(&hermes, "fix", "calls"), ["echo"], "what was declined did not run");
}

#[test]
fn a_running_gateway_notices_what_the_user_agrees_to() {
    let hermes = with_servers(&[("fix", "", "")]);
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    std::fs::write(notes(&hermes, "fix").join("description"), "Echoes a text and mails it.").unwrap();
    assert_eq!(hermes.run(&["mcp", "test", "fix"]).code, 0);
    let mut client = Client::start(&hermes, &["--set", "tools.tool_search=false"]);
    assert!(!names(&mut client).contains(&"mcp_fix_echo".to_owned()), "kept back");
    assert_eq!(hermes.run(&["mcp", "trust", "fix"]).code, 0);
    client.hear("notifications/tools/list_changed");
    assert!(names(&mut client).contains(&"mcp_fix_echo".to_owned()), "offered once the user agreed");
    let called: Value = client.call("mcp_fix_echo", json!({"text": "now"}));
    assert_eq!(called["result"]["structuredContent"]["result"], "now", "{called}");
    client.end();
}

/// Ways to be a bad server once it has been met, and what its caller hears of it: `None` where the call may work.
const BAD: [(&str, Option<&str>); 10] = [
    ("silent", Some("it did not answer within 1 s")),
    ("crash", Some("flux capacitor")),
    ("noisy", None),
    ("deaf", Some("it did not answer within 1 s")),
    ("eof", Some("is not available")),
    ("endless", None),
    ("long line", None),
    ("dies at work", Some("outcome_unknown")),
    ("hangs at work", Some("did not answer within 1 s")),
    ("lies at work", Some("gave an answer that cannot be read")),
];

/// Servers that would never answer are given up soon; the others have all the time that a busy machine takes.
fn limits(mode: &str) -> &'static str {
    match mode {
        "silent" | "deaf" => "    connect_timeout_seconds: 1\n",
        "hangs at work" => "    timeout_seconds: 1\n",
        _ => "",
    }
}

/// One call at a time is a server's own affair.
#[test]
fn nobody_waits_for_another_servers_hung_call() {
    let hermes = with_servers(&[("hung", "", "    timeout_seconds: 60\n"), ("good", "", "")]);
    for server in ["hung", "good"] {
        assert_eq!(hermes.run(&["mcp", "test", server]).code, 0);
    }
    std::fs::write(notes(&hermes, "hung").join("mode"), "hangs at work").unwrap();
    let mut client = Client::start(&hermes, &["--set", "tools.tool_search=false"]);
    let params = |name: &str| json!({"name": name, "arguments": {"text": "x"}});
    let hung = client.begin("tools/call", params("mcp_hung_echo"));
    while noted(&hermes, "hung", "calls").is_empty() {
        client.ask("tools/list", json!({}));
    }
    let good = client.call("mcp_good_echo", json!({"text": "now"}));
    assert_eq!(good["result"]["structuredContent"]["result"], "now", "{good}");
    std::fs::write(hermes.work().join("a.txt"), "here\n").unwrap();
    let read = client.call("read_file", json!({"path": hermes.work().join("a.txt")}));
    assert_eq!(read["result"]["isError"], false, "{read}");
    assert!(!client.has_answered(hung), "the hung call is still under way");
    client.tell("notifications/cancelled", json!({"requestId": hung}));
    client.end();
}

#[test]
fn twenty_bad_neighbours_cost_a_good_server_nothing() {
    let bad: Vec<(String, _)> = (0..20).map(|n| (format!("bad{n}"), BAD[n % BAD.len()])).collect();
    let mut servers = vec![("good", "", "")];
    servers.extend(bad.iter().map(|(name, _)| (name.as_str(), "", "")));
    let hermes = with_servers(&servers);
    // Whoever is served meets all servers at once. Nobody is in a hurry yet.
    let mut client = Client::start(&hermes, &["--set", "tools.tool_search=false"]);
    while names(&mut client).iter().filter(|name| name.ends_with("_echo")).count() < servers.len() {
        client.hear("notifications/tools/list_changed");
    }
    client.end();
    for (server, (_, (mode, _))) in servers.iter_mut().skip(1).zip(&bad) {
        server.2 = limits(mode);
    }
    let hermes = configured(hermes, &servers);
    for (name, (mode, _)) in &bad {
        std::fs::write(notes(&hermes, name).join("mode"), mode).unwrap();
    }
    let mut client = Client::start(&hermes, &["--set", "tools.tool_search=false"]);
    let call = |name: &str| json!({"name": format!("mcp_{name}_echo"), "arguments": {"text": name}});
    let begun: Vec<u64> = bad.iter().map(|(name, _)| client.begin("tools/call", call(name))).collect();
    for n in 0..40 {
        let answer = client.call("mcp_good_echo", json!({"text": n.to_string()}));
        assert_eq!(answer["result"]["structuredContent"]["result"], n.to_string(), "{answer}");
    }
    // Every bad one has an end of its own, and says what it is.
    for (id, (name, (mode, expected))) in begun.into_iter().zip(&bad) {
        let answer = client.answer_to(id);
        assert!(answer["result"]["isError"].is_boolean(), "{name}: {answer}");
        if let Some(expected) = expected {
            assert_eq!(answer["result"]["isError"], true, "{mode}: {answer}");
            assert!(answer.to_string().contains(expected), "{mode}: {answer}");
        }
        assert!(noted(&hermes, name, "calls").len() <= 1, "{name} was called once");
    }
    client.end();
    assert_eq!(noted(&hermes, "good", "starts").len(), 2, "met once, started once");
}
