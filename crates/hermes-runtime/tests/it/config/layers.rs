//! Which layer wins, and the answer to "why".

use hermes_runtime::config::{
    Config, ENV, Layer, Naming, Origin, ProjectTrust, Provider, Spot, project_trust,
};
use serde_json::json;

use super::{good, pairs, project, user};

#[test]
fn nothing_means_defaults() {
    for text in [
        "",
        "\n",
        "# only a comment\n",
        "---\n",
        "{}",
        "limits:\ntools:\n  # naming: chapter18\n",
        "\u{feff}",
    ] {
        assert_eq!(good(text).config, Config::default(), "{text:?}");
    }
    assert_eq!(Config::load(&[], &[], &[]).unwrap().config, Config::default());
}

#[test]
fn every_kind_of_layer_overrides_the_one_before() {
    // Given out of order on purpose: the origin decides, not the place in the list.
    let layers = [
        project("limits: {batch_width: 3}\ntoolsets: [file]\n"),
        user("limits: {batch_width: 2, result_chars: 5000}\ntoolsets: [web, terminal]\nprovider: gemini\n"),
        Layer::new(Origin::Defaults, "limits: {queued_calls: 7, batch_width: 1}"),
    ];
    let env = pairs(&[("HERMES_WIDTH", "4"), ("HERMES_PROVIDER", "anthropic"), ("HERMES_HOME", "/h")]);
    let flags = pairs(&[("limits.batch_width", "5"), ("tools.timeout_seconds.terminal", "9")]);

    let config = Config::load(&layers, &env, &flags).unwrap().config;
    assert_eq!(
        (config.limits.batch_width, config.limits.result_chars, config.limits.queued_calls),
        (5, 5000, 7)
    );
    assert_eq!(config.toolsets, ["file"], "lists are replaced whole");
    assert_eq!(config.provider, Provider::Anthropic);
    assert_eq!(config.tools.timeout_seconds["terminal"], 9);
    assert_eq!(config.limits.concurrent_calls, 256, "untouched keys keep their defaults");
}

#[test]
fn environment_and_flags_are_read_by_the_type_of_their_key() {
    let env = pairs(&[
        ("HERMES_TOOLSETS", " web , file,"),
        ("HERMES_DISABLED_TOOLSETS", ""),
        ("HERMES_NAMING", "chapter18"),
        ("HERMES_JOURNAL", "false"),
    ]);
    let flags = pairs(&[
        ("security.secret_env", "[\"TOKEN\", OTHER]"),
        ("tools.timeout_seconds", "{a: 1, b: 2}"),
        ("hooks.pre_tool_call", "[{command: check --fast, matcher: terminal}]"),
    ]);
    let loaded = Config::load(&[user("disabled_toolsets: [x]")], &env, &flags).unwrap();
    assert_eq!(loaded.config.toolsets, ["web", "file"]);
    assert_eq!(loaded.config.disabled_toolsets, ["x"], "an empty variable is not set");
    assert_eq!(loaded.config.tools.naming, Naming::Chapter18);
    assert!(!loaded.config.journal.enabled);
    assert_eq!(loaded.config.security.secret_env, ["TOKEN", "OTHER"]);
    assert_eq!(loaded.config.tools.timeout_seconds.len(), 2);
    assert_eq!(loaded.config.hooks.pre_tool_call[0].command, ["check", "--fast"]);

    let known = Config::load(&[], &[], &[]).unwrap();
    for variable in ENV.iter().filter(|variable| !variable.key.is_empty()) {
        assert!(known.why(variable.key).is_ok(), "{} sets no key", variable.name);
    }
}

#[test]
fn why_names_the_place_and_what_it_overrode() {
    let layers = [user("limits:\n  batch_width: 2\n"), project("# ours\nlimits:\n  batch_width: 3\n")];
    let env = pairs(&[("HERMES_WIDTH", "4")]);
    let flags = pairs(&[("limits.batch_width", "5"), ("limits.batch_width", "6")]);
    let loaded = Config::load(&layers, &env, &flags).unwrap();

    let why = loaded.why("limits.batch_width").unwrap();
    assert_eq!((why.value, why.origin.to_string()), (json!(6), "flag limits.batch_width".to_owned()));
    let overridden: Vec<_> =
        why.overridden.iter().map(|(place, value)| format!("{place} = {value}")).collect();
    assert_eq!(
        overridden,
        [
            "flag limits.batch_width = 5",
            "environment HERMES_WIDTH = 4",
            "project.yaml:3:16 = 3",
            "user.yaml:2:16 = 2",
            "defaults = 8"
        ]
    );

    let why = loaded.why("journal.enabled").unwrap();
    assert_eq!((why.value, why.origin.origin, why.overridden.len()), (json!(true), Origin::Defaults, 0));
    let why = loaded.why("limits").unwrap();
    assert_eq!(why.value["batch_width"], 6);
    assert_eq!(why.overridden[2].1, json!({"batch_width": 3}), "a table shows each layer's share");
}

#[test]
fn why_reaches_into_maps_and_lists_and_knows_the_nearest_key() {
    let loaded = good("plugins:\n  entries:\n    my.plugin: {}\ntoolsets: [web, file]\n");
    let why = loaded.why(r#"plugins.entries."my.plugin".allow_tool_override"#).unwrap();
    assert_eq!((why.value, why.origin.origin), (json!(false), Origin::Defaults));
    let why = loaded.why("toolsets[1]").unwrap();
    assert_eq!(why.origin.spot, Some(Spot::Text { line: 4, column: 17 }));

    let ask = |key: &str| loaded.why(key).unwrap_err().to_string();
    for (key, answer) in [
        ("limits.batch_widht", "no such key: limits.batch_widht (did you mean limits.batch_width?)"),
        ("batch_width", "no such key: batch_width (did you mean limits.batch_width?)"),
        (
            "plugins.entries.my.plugin",
            r#"no such key: plugins.entries.my.plugin (did you mean plugins.entries."my.plugin"?)"#,
        ),
        ("limits..", "no such key: limits.. (did you mean limits?)"),
        ("telemetry.upload", "no such key: telemetry.upload"),
        ("tools.timeout_seconds.terminal", "nothing sets tools.timeout_seconds.terminal"),
        (
            "plugins.entries.my_plugin",
            r#"nothing sets plugins.entries.my_plugin (did you mean plugins.entries."my.plugin"?)"#,
        ),
    ] {
        assert_eq!(ask(key), answer);
    }
}

#[test]
fn callers_can_point_at_the_place_of_a_value() {
    let loaded = good("toolsets:\n  - web\n  - wbe\n");
    let error = loaded.error_at("toolsets[1]", "no such toolset", Some("did you mean web?".to_owned()));
    assert_eq!(error.to_string(), "user.yaml:3:5: toolsets[1]: no such toolset (did you mean web?)");
    let layers = [
        user("hooks: {post_tool_call: [{command: a, matcher: b}]}"),
        project("hooks: {post_tool_call: [{command: c}]}"),
    ];
    let loaded = Config::load(&layers, &[], &[]).unwrap();
    assert_eq!(
        loaded.why("hooks.post_tool_call[0].matcher").unwrap().origin.to_string(),
        "defaults",
        "not the replaced list"
    );
    assert_eq!(loaded.error_at("provider", "x", None).to_string(), "defaults: provider: x");
}

#[test]
fn a_project_is_trusted_by_its_exact_content() {
    assert_eq!(project_trust(None, &["aa"]), ProjectTrust::Absent);
    assert_eq!(project_trust(Some("aa"), &["bb", "aa"]), ProjectTrust::Trusted);
    assert_eq!(project_trust(Some("ab"), &["aa"]), ProjectTrust::Untrusted { digest: "ab".to_owned() });
    assert_eq!(project_trust(Some(""), &[""]), ProjectTrust::Untrusted { digest: String::new() });
}
