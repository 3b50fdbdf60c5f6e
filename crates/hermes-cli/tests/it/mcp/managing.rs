//! Adding, removing and taking over servers.

use serde_json::json;

use super::support::{notes, with_servers};
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
fn a_mistake_in_a_server_names_the_place() {
    let hermes = Hermes::new().with_config("mcp_servers: {x: {comand: y}}");
    let listed = hermes.run(&["mcp", "list"]);
    assert!(
        listed.code == 2 && listed.stderr.contains("did you mean mcp_servers.x.command?"),
        "{}",
        listed.stderr
    );
    let hermes = Hermes::new().with_config("mcp_servers: {\"a/b\": {command: y}}");
    assert_eq!(hermes.run(&["mcp", "list"]).code, 2);
}
