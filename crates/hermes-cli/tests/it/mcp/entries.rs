//! Entries that cannot work or are dangerous, at every door they come in by.

use serde_json::{Value, json};

use crate::harness::Hermes;

/// Entries, and what is said about each.
fn wrong() -> Vec<(Value, &'static str)> {
    vec![
        (json!({"url": "ftp://example.com/mcp"}), "must begin with https://"),
        (json!({"url": "https://ann:hunter22@example.com/mcp"}), "a password in it"),
        (json!({"url": "https://example.com/a b"}), "a blank or a control character"),
        (json!({"url": "https://example.com:99999/mcp"}), "is no address"),
        (
            json!({"url": "https://example.com", "headers": {"X": "a\r\nY: hunter22"}}),
            "headers.X has a line break",
        ),
        (json!({"url": "https://example.com", "headers": {"X": "a\u{0}b"}}), "headers.X has a line break"),
        (json!({"url": "https://example.com", "headers": {"X Y": "a"}}), "no name for a header"),
        (
            json!({"url": "https://example.com", "headers": {"Content-Length": "1"}}),
            "belongs to the connection",
        ),
        (json!({"command": " "}), "command is empty"),
        (json!({"command": "a\u{0}b"}), "command has a NUL"),
        (json!({"command": "npx", "args": ["a", "b\u{0}c"]}), "args[1] has a NUL"),
        (json!({"command": "npx", "env": {"A": "hunter22\u{0}"}}), "env.A has a NUL"),
        (json!({"command": "npx", "env": {"A=B": "c"}}), "no name for an environment variable"),
    ]
}

#[test]
fn an_entry_that_cannot_be_used_is_refused_wherever_it_comes_from() {
    for (entry, told) in wrong() {
        let hermes = Hermes::new();
        hermes.write(
            "their.json",
            &json!({"mcpServers": {"bad": entry, "good": {"command": "npx"}}}).to_string(),
        );
        let imported = hermes.run(&["mcp", "import", "their.json"]);
        assert_eq!(imported.code, 5, "{entry}: {}{}", imported.stdout, imported.stderr);
        assert!(
            imported.stdout.contains("left out bad: ") && imported.stdout.contains(told),
            "{}",
            imported.stdout
        );
        assert!(imported.stdout.contains("imported good"), "{}", imported.stdout);
        let written = std::fs::read_to_string(hermes.home().join("config.yaml")).unwrap();
        assert!(!written.contains("bad"), "{written}");
        // By hand: the file says what is wrong with it, and the others work.
        let hermes = hermes.with_config(&json!({"mcp_servers": {"bad": entry}}).to_string());
        let checked = hermes.run(&["config", "validate"]);
        assert_eq!(checked.code, 2, "{entry}: {}{}", checked.stdout, checked.stderr);
        assert!(
            checked.stderr.contains("mcp_servers.bad: ") && checked.stderr.contains(told),
            "{}",
            checked.stderr
        );
        let listed = hermes.run(&["mcp", "list", "--json"]);
        assert_eq!(listed.json()[0]["state"], "invalid", "{}", listed.stdout);
        for said in [imported.stdout, checked.stderr, listed.stdout] {
            assert!(!said.contains("hunter22"), "{said}");
        }
    }
}

#[test]
fn what_is_added_is_checked_as_well() {
    let hermes = Hermes::new();
    let add: [(&[&str], &str); 7] = [
        (&["--url", "ftp://example.com/mcp"], "must begin with https://"),
        (&["--url", "https://ann:hunter22@example.com/mcp"], "a password in it"),
        (&["--url", "https://example.com", "-H", "X: a\r\nY: b"], "headers.X has a line break"),
        (&["--url", "https://example.com", "-H", "Transfer-Encoding: chunked"], "belongs to the connection"),
        (&["--", ""], "says which program to start"),
        (&["--", " "], "command is empty"),
        (&["-e", "=x", "--", "npx"], "no name for an environment variable"),
    ];
    for (flags, told) in add {
        let mut arguments = vec!["mcp", "add", "bad", "--no-start"];
        arguments.extend(flags);
        let added = hermes.run(&arguments);
        assert_eq!(added.code, 2, "{flags:?}: {}", added.stderr);
        assert!(
            added.stderr.contains(told) && !added.stderr.contains("hunter22"),
            "{flags:?}: {}",
            added.stderr
        );
    }
    assert!(!hermes.home().join("config.yaml").exists(), "nothing was written");
}

#[test]
fn a_look_at_what_would_be_imported_shows_no_secret() {
    let hermes = Hermes::new();
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
    let file = json!({"mcpServers": {
        "near": {
            "command": "npx",
            "args": ["-y", "server", "--api-key", "hunter22", "--token=hunter22", "--verbose", key],
            "env": {"TOKEN": "hunter22", "PLAIN": "hunter22", "GIVEN": "${GIVEN}"},
        },
        "far": {
            "url": "https://example.com/mcp?api_key=hunter22&x=1",
            "headers": {"Authorization": "Bearer hunter22", "X-Given": "Bearer ${GIVEN}"},
            "oauth": {"clientId": "me", "clientSecret": "hunter22"},
        },
    }});
    hermes.write("their.json", &file.to_string());
    let looked = hermes.run(&["mcp", "import", "--dry-run", "their.json"]);
    assert_eq!(looked.code, 0, "{}{}", looked.stdout, looked.stderr);
    assert!(!looked.stdout.contains("hunter22") && !looked.stdout.contains(key), "{}", looked.stdout);
    for shown in [
        "\"--verbose\"",
        "\"PLAIN\":\"[not shown]\"",
        "\"GIVEN\":\"${GIVEN}\"",
        "Bearer ${GIVEN}",
        "&x=1",
        "env.TOKEN: a secret stands there in the clear",
        "${TOKEN}",
        "args[3]: ",
        "args[4]: ",
        "args[6]: ",
        "url: ",
        "headers.Authorization: ",
        "login.client_secret: ",
    ] {
        assert!(looked.stdout.contains(shown), "{shown}: {}", looked.stdout);
    }
    assert!(!looked.stdout.contains("env.PLAIN"), "{}", looked.stdout);
    assert!(!hermes.home().join("config.yaml").exists());
    // What is written is what was there, and the same is told.
    let imported = hermes.run(&["mcp", "import", "their.json"]);
    assert!(
        imported.stdout.contains("env.TOKEN: a secret") && !imported.stdout.contains("hunter22"),
        "{}",
        imported.stdout
    );
    assert!(std::fs::read_to_string(hermes.home().join("config.yaml")).unwrap().contains("hunter22"));
}
