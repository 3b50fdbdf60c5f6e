//! What commands do not see.

use serde_json::{Value, json};

use crate::harness::Hermes;

fn call(hermes: &Hermes, tool: &str, arguments: &Value) -> (i32, Value) {
    let ran = hermes.run(&["tools", "call", tool, &arguments.to_string(), "--json"]);
    (ran.code, ran.json())
}

/// What a file tool would leave out a command could print in other words.
#[test]
fn settings_with_a_secret_in_the_clear_are_hidden_from_commands() {
    let config = |token: &str| {
        format!(
            "mcp_servers:\n  demo: {{command: \"true\", enabled: false, env: {{DEMO_TOKEN: \"{token}\"}}}}\n"
        )
    };
    for (token, is_shown) in [("s3cr3t-c4n4ry-v4lu3-9f8e", false), ("${DEMO_TOKEN}", true)] {
        let hermes = Hermes::new().with_config(&config(token));
        let file = hermes.home().join("config.yaml").display().to_string();
        let (code, read) = call(&hermes, "read_file", &json!({"path": file}));
        assert!(code == 0 && !read.to_string().contains("s3cr3t"), "{read}");
        let command = format!("rev < {file} || echo unseen");
        let (_, ran) = call(&hermes, "terminal", &json!({"command": command}));
        let output = ran["output"].as_str().unwrap();
        assert_eq!(output.contains("srevres_pcm"), is_shown, "{ran}");
        assert!(!output.contains("yr4n4c"), "{ran}");
        let told = hermes.run(&["config", "validate"]).stdout;
        assert_eq!(told.contains("in the clear"), !is_shown, "{told}");
        assert_eq!(told.contains("line 2"), !is_shown, "{told}");
    }
}
