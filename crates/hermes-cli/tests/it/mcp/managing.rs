//! Adding, removing and taking over servers.

use serde_json::json;

use super::support::{OPEN, notes, with_servers};
use crate::harness::Hermes;

#[test]
fn adding_and_removing_leave_the_rest_of_the_file_alone() {
    let before =
        "# mine\nlimits:\n  batch_width: 4 # four\nmcp_servers:\n  # the first\n  old:\n    command: old\n";
    let hermes = Hermes::new().with_config(before);
    let file = hermes.home().join("config.yaml");
    let added =
        hermes.run(&["mcp", "add", "new", "--no-start", "-e", "K=${V}", "--", "prog", "--flag", "a b"]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("# mine") && text.contains("# four") && text.contains("# the first"), "{text}");
    let set = hermes.run(&["config", "effective"]).json();
    assert_eq!(set["mcp_servers"]["new"]["args"], json!(["--flag", "a b"]));
    assert_eq!(set["mcp_servers"]["new"]["env"], json!({"K": "${V}"}));
    assert_eq!(hermes.run(&["mcp", "remove", "new"]).code, 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
    assert_eq!(hermes.run(&["mcp", "remove", "old"]).code, 0);
    assert_eq!(hermes.run(&["mcp", "list", "--json"]).json(), json!([]));
}

#[test]
fn a_path_in_this_folder_is_written_down_whole() {
    let hermes = Hermes::new();
    let script = hermes.write("server.sh", "");
    let here = script.parent().unwrap().to_str().unwrap();
    let added = hermes.run(&[
        "mcp",
        "add",
        "s",
        "--no-start",
        "--",
        "./server.sh",
        "../",
        "./none",
        "server.sh",
        "-y",
        ".",
    ]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    let set = &hermes.run(&["config", "effective"]).json()["mcp_servers"]["s"];
    assert_eq!(set["command"], format!("{here}/server.sh"));
    assert_eq!(set["args"], json!([format!("{here}/../"), "./none", "server.sh", "-y", "."]));
    // What may be the name of a program elsewhere is not made the one that lies here.
    assert!(added.stderr.contains("'./server.sh' would mean it"), "{}", added.stderr);
}

/// Every style that people and other programs write, with comments, and what reads the same afterwards.
#[test]
fn servers_go_in_and_out_of_files_of_any_style() {
    for before in [
        "mcp_servers: {} # none yet\n",
        "mcp_servers: {old: {command: old, args: [\"a, }\"]}} # one\nlimits: {batch_width: 4}\n",
        "limits: &l {batch_width: 4}\n\"mcp_servers\" : # mine\t(tabs)\n     old: {command: old}\n",
        "---\nmcp_servers: {\n  # the first\n  old: {command: old},\n}\n...\n",
        "mcp_servers:\r\n  old:\r\n    command: old\r\nlimits:\r\n  batch_width: 4\r\n",
        "mcp_servers:\nlimits: {batch_width: 4}",
        "mcp_servers:\n old: &o\n  command: old # it\n other: *o\n",
    ] {
        let hermes = Hermes::new().with_config(before);
        let file = hermes.home().join("config.yaml");
        let servers = || hermes.run(&["config", "effective"]).json()["mcp_servers"].clone();
        let old = servers();
        let added = hermes.run(&["mcp", "add", "new", "--no-start", "--", "prog", "a b"]);
        assert_eq!(added.code, 0, "{before}: {}", added.stderr);
        let with = servers();
        assert_eq!(with["new"]["args"], json!(["a b"]), "{before}");
        assert!(old.as_object().unwrap().iter().all(|(name, server)| with[name] == *server), "{before}");
        let text = std::fs::read_to_string(&file).unwrap();
        let comments = before.lines().filter_map(|line| line.split_once('#'));
        assert!(comments.into_iter().all(|(_, comment)| text.contains(comment)), "{text}");
        assert_eq!(text.contains('\r'), before.contains('\r'), "{text:?}");
        assert_eq!(
            text.matches('\n').count(),
            text.matches("\r\n").count().max(text.lines().count()),
            "{text:?}"
        );
        assert_eq!(hermes.run(&["mcp", "remove", "new"]).code, 0, "{text}");
        assert_eq!(servers(), old, "{before}");
    }
    // What cannot be edited is left as it is, with the words to write.
    let before = "{mcp_servers: {old: {command: old}}}\n";
    let hermes = Hermes::new().with_config(before);
    let refused = hermes.run(&["mcp", "add", "new", "--no-start", "--", "prog"]);
    assert!(
        refused.code == 2 && refused.stderr.contains(r#""new": {"command":"prog"}"#),
        "{}",
        refused.stderr
    );
    assert_eq!(std::fs::read_to_string(hermes.home().join("config.yaml")).unwrap(), before);
    assert_eq!(hermes.run(&["mcp", "remove", "old"]).code, 2);
}

#[test]
fn an_added_server_is_started_once_and_its_tools_are_shown() {
    let hermes = with_servers(&[]);
    let hermes = hermes.with_config("permissions: {profile: open}\n");
    let folder = notes(&hermes, "n");
    std::fs::create_dir_all(&folder).unwrap();
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mcp_server.py");
    let added = hermes.run(&["mcp", "add", "n", "--", "python3", fixture, folder.to_str().unwrap()]);
    assert!(
        added.code == 0 && added.stdout.contains("echo") && added.stdout.contains("fixture 1"),
        "{}",
        added.stdout
    );
    assert_eq!(hermes.run(&["tools", "call", "mcp_n_echo", r#"{"text": "t"}"#]).json()["result"], "t");
    assert_eq!(hermes.run(&["mcp", "add", "n", "--no-start", "--", "x"]).code, 2, "no name twice");
}

/// Whoever asks for a server that cannot be had is told why, and what there is.
#[test]
fn what_cannot_be_had_is_told_with_the_remedy() {
    let hermes = Hermes::new().with_config(
        "mcp_servers:\n  off: {command: x, enabled: false}\n  bad: {command: x, url: y}\n  \"we ird\": {command: x}\n",
    );
    for (name, word) in
        [("off", "enabled: true"), ("bad", "not both"), ("we ird", "is no name"), ("none", "bad, off")]
    {
        let refused = hermes.run(&["mcp", "test", name]);
        assert!(refused.code == 2 && refused.stderr.contains(word), "{name}: {}", refused.stderr);
    }
    for command in ["remove", "logs", "trust", "login"] {
        let refused = hermes.run(&["mcp", command, "none"]);
        assert!(refused.code == 2 && refused.stderr.contains("There are: bad, off"), "{}", refused.stderr);
    }
    assert_eq!(hermes.run(&["mcp", "remove", "we ird"]).code, 0);
    let met = hermes.run(&["mcp", "add", "far", "--url", "http://127.0.0.1:1/x?key=hidden"]);
    assert!(met.code == 5 && met.stderr.contains("http://127.0.0.1:1/x the address"), "{}", met.stderr);
    assert!(!met.stderr.contains("hidden"), "{}", met.stderr);
}

#[test]
fn an_address_that_cannot_be_one_is_not_written_down() {
    let hermes = Hermes::new();
    for url in ["not a url", "ftp://x/y", "localhost:8080/mcp"] {
        let refused = hermes.run(&["mcp", "add", "far", "--no-start", "--url", url]);
        assert!(refused.code == 2 && refused.stderr.contains("https://"), "{}", refused.stderr);
    }
    assert_eq!(hermes.run(&["mcp", "list", "--json"]).json(), json!([]));
    for (name, url) in [("a", "http://localhost:1/mcp"), ("b", "${FAR}/mcp")] {
        assert_eq!(hermes.run(&["mcp", "add", name, "--no-start", "--url", url]).code, 0);
    }
}

#[test]
fn servers_of_other_clients_are_taken_over() {
    let hermes = Hermes::new();
    let theirs = "{ // a comment\n \"mcpServers\": {\n  \"files\": {\"command\": \"npx\", \"args\": [\"-y\", \"server\"], \
                  \"env\": {\"PORT\": 1}},\n  \"far\": {\"url\": \"https://x\"},\n },\n}";
    hermes.write(".mcp.json", theirs);
    let imported = hermes.run(&["mcp", "import", ".mcp.json"]);
    assert_eq!(imported.code, 0, "{}", imported.stderr);
    let set = hermes.run(&["config", "effective"]).json();
    assert_eq!(set["mcp_servers"]["files"]["args"], json!(["-y", "server"]));
    assert_eq!(set["mcp_servers"]["files"]["env"], json!({"PORT": "1"}));
    assert_eq!(set["mcp_servers"]["far"]["url"], "https://x");
}

#[test]
fn files_of_all_clients_are_understood_and_what_is_not_taken_over_is_named() {
    let files = [
        (
            "codex.toml",
            "[mcp_servers.codex]\ncommand = \"npx\"\nargs = [\"-y\", \"x\"]\nenabled = false\n\
          startup_timeout_sec = 20\ntool_timeout_sec = 45.5\nenabled_tools = [\"a\"]\n\
          [mcp_servers.token]\nurl = \"https://t\"\nbearer_token_env_var = \"TOK\"\n",
        ),
        (
            "opencode.json",
            r#"{"mcp": {"oc": {"type": "local", "command": ["npx", "-y", "x"], "enabled": false,
          "environment": {"A": "{env:B}"}}, "rem": {"type": "remote", "url": "https://x/mcp", "timeout": 5000}}}"#,
        ),
        (
            "goose.yaml",
            "extensions:\n  goose: {name: G, type: stdio, enabled: true, cmd: npx, args: [x], timeout: 1200, \
          envs: {A: b}, env_keys: [K]}\n  own: {type: builtin, name: developer}\n",
        ),
        (
            "continue.yaml",
            "name: x\nmcpServers:\n  - {name: cont, url: https://c/mcp, connectionTimeout: 2500, \
          requestOptions: {headers: {X: '${{ secrets.KEY }}'}}}\n",
        ),
        (
            "gemini.json",
            r#"{"mcpServers": {"gem": {"url": "http://127.0.0.1:1/sse", "timeout": 5000, "trust": true,
          "excludeTools": ["rm"]}}}"#,
        ),
        (
            "zed.json",
            r#"{"context_servers": {"zed": {"source": "custom", "enabled": false, "command": "z", "args": []},
          "old": {"command": {"path": "o", "args": ["a"], "env": {"K": "v"}}}}}"#,
        ),
        (
            "vscode.json",
            r#"{"servers": {"vs": {"type": "stdio", "command": "${workspaceFolder}/srv",
          "args": ["--k", "${input:my-key}"], "envFile": ".env"}}, "inputs": []}"#,
        ),
    ];
    let hermes = Hermes::new();
    let mut said = String::new();
    for (name, text) in files {
        hermes.write(name, text);
        let imported = hermes.run(&["mcp", "import", name]);
        assert_eq!(imported.code, if name == "goose.yaml" { 5 } else { 0 }, "{name}: {}", imported.stderr);
        said.push_str(&imported.stdout);
    }
    let set = hermes.run(&["config", "effective"]).json()["mcp_servers"].clone();
    for (server, key, value) in [
        ("codex", "enabled", json!(false)),
        ("codex", "connect_timeout_seconds", json!(20)),
        ("codex", "timeout_seconds", json!(46)),
        ("token", "headers", json!({"Authorization": "Bearer ${TOK}"})),
        ("oc", "args", json!(["-y", "x"])),
        ("oc", "enabled", json!(false)),
        ("oc", "env", json!({"A": "${B}"})),
        ("rem", "connect_timeout_seconds", json!(5)),
        ("rem", "transport", json!("http")),
        ("goose", "timeout_seconds", json!(1200)),
        ("goose", "env", json!({"A": "b", "K": "${K}"})),
        ("cont", "connect_timeout_seconds", json!(3)),
        ("cont", "headers", json!({"X": "${KEY}"})),
        ("gem", "transport", json!("sse")),
        ("gem", "timeout_seconds", json!(5)),
        ("zed", "enabled", json!(false)),
        ("old", "command", json!("o")),
        ("old", "env", json!({"K": "v"})),
        ("vs", "command", json!("${workspaceFolder}/srv")),
        ("vs", "args", json!(["--k", "${my_key}"])),
    ] {
        assert_eq!(set[server][key], value, "{server}.{key}: {set}");
    }
    assert_eq!(set["codex"]["tools"]["include"], json!(["a"]));
    assert_eq!(set["gem"]["tools"]["exclude"], json!(["rm"]));
    for told in ["not taken over: trust", "not taken over: envFile", "variable my_key", "left out own:"] {
        assert!(said.contains(told), "{told}: {said}");
    }
}

#[test]
fn a_mistake_in_a_server_names_the_place() {
    let hermes = Hermes::new().with_config("mcp_servers: {x: {comand: y}}");
    let listed = hermes.run(&["mcp", "list"]);
    assert!(
        listed.code == 2 && listed.stderr.contains("did you mean mcp_servers.x.command?"),
        "{}",
        listed.stderr
    );
}

#[test]
fn a_server_that_cannot_be_used_costs_nothing_but_itself() {
    let config = "permissions: {profile: open}\nmcp_servers:\n  \"a b\":\n    command: y\n  \"../../x\":\n    \
                  command: y\n  both:\n    command: y\n    url: http://x\n  none:\n    args: []\n  ok:\n    command: y\n";
    let hermes = Hermes::new().with_config(config);
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
    let read = hermes.run(&["tools", "call", "read_file", r#"{"path": "gone"}"#]);
    assert_eq!(read.json()["code"], "not_found", "everything else works: {}{}", read.stdout, read.stderr);
    assert!(read.stderr.contains("mcp_servers.a b: 'a b' is no name for a server"), "{}", read.stderr);
    let listed = hermes.run(&["mcp", "list", "--json"]).json();
    let state = |name: &str| {
        let row = listed.as_array().unwrap().iter().find(|row| row["name"] == name);
        row.unwrap_or_else(|| panic!("{listed}"))["state"].as_str().unwrap().to_owned()
    };
    for name in ["a b", "../../x", "both", "none"] {
        assert_eq!(state(name), "invalid", "{listed}");
    }
    assert_eq!(state("ok"), "configured");
    let outside = hermes.work().parent().unwrap().join("x.json");
    std::fs::write(&outside, "{}").unwrap();
    for name in ["a b", "../../x"] {
        assert_eq!(hermes.run(&["mcp", "remove", name]).code, 0, "{name}");
    }
    assert!(outside.exists(), "nothing that a name leads to is removed");
}

#[test]
fn what_is_no_name_for_a_server_is_never_written() {
    let hermes = Hermes::new().with_config("# mine\n");
    let long = "x".repeat(41);
    for name in ["my server", "../../x", ".hidden", "", "a/b", "a\u{1b}[2Jb", "ü", long.as_str()] {
        let added = hermes.run(&["mcp", "add", name, "--no-start", "--", "true"]);
        assert_eq!(added.code, 2, "{name}: {}", added.stdout);
    }
    hermes.write("theirs.json", r#"{"mcpServers": {"My Server": {"command": "a"}, "ok": {"command": "b"}}}"#);
    let imported = hermes.run(&["mcp", "import", "theirs.json"]);
    assert!(imported.stdout.contains("left out My Server: 'My Server' is no name"), "{}", imported.stdout);
    let set = hermes.run(&["config", "effective"]).json();
    assert_eq!(set["mcp_servers"].as_object().unwrap().keys().collect::<Vec<_>>(), ["ok"]);
}
