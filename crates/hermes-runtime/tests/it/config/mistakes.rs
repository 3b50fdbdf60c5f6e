//! Every mistake is found, placed and explained.

use hermes_runtime::config::{Config, ErrorKind};

use super::{bad, good, lines, pairs, project, says, user};

#[test]
fn all_mistakes_come_at_once_with_their_places() {
    let text = "limts: {}
limits:
  batch_width: 65
  queued_calls: \"5\"
journal:
  enabled: on
  enabled: true
provider: open-ai
";
    let layers = [project("hooks: {pre_tool_call: [{matcher: \"[\"}]}\n"), user(text)];
    let env = pairs(&[("HERMES_WIDTH", "many"), ("HERMES_TOOLSET", "web")]);
    let flags = pairs(&[("tools.nameing", "hermes"), ("toolsets[0]", "web")]);
    let errors = Config::load(&layers, &env, &flags).unwrap_err();
    assert_eq!(
        lines(&errors),
        "user.yaml:1:1: limts: unknown key (did you mean limits?)
user.yaml:3:16: limits.batch_width: must be a whole number from 1 to 64, not 65
user.yaml:4:17: limits.queued_calls: must be a whole number from 1 to 1000000, not the text \"5\" (write 5 without quotes)
user.yaml:6:12: journal.enabled: must be true or false, not the text \"on\" (write true)
user.yaml:7:3: journal.enabled: this key is written twice (it is already set in line 6)
user.yaml:8:11: provider: must be one of generic, openai, anthropic, gemini, not \"open-ai\" (did you mean openai?)
project.yaml:1:25: hooks.pre_tool_call[0]: command is missing
project.yaml:1:35: hooks.pre_tool_call[0].matcher: is not a regular expression: unclosed character class
environment HERMES_WIDTH: limits.batch_width: must be a whole number from 1 to 64, not the text \"many\"
environment HERMES_TOOLSET: no such environment variable (did you mean HERMES_TOOLSETS?)
flag tools.nameing: unknown key (did you mean tools.naming?)
flag toolsets[0]: lists are set whole, without an index (set toolsets)"
    );
    let kinds: Vec<_> = errors.iter().map(|error| error.kind).collect();
    assert_eq!(kinds[..3], [ErrorKind::UnknownKey, ErrorKind::OutOfRange, ErrorKind::WrongType]);
    assert_eq!(errors[4].kind, ErrorKind::DuplicateKey);
}

#[test]
fn unknown_keys_name_what_was_meant() {
    says("batch_width: 3", &["user.yaml:1:1: batch_width: unknown key (did you mean limits.batch_width?)"]);
    says(
        "limits: {batchWidth: 3}",
        &["user.yaml:1:10: limits.batchWidth: unknown key (did you mean limits.batch_width?)"],
    );
    says(
        "journal: {colour: 3}",
        &["user.yaml:1:11: journal.colour: unknown key (known here: enabled, durability)"],
    );
}

#[test]
fn numbers_and_booleans_are_not_guessed() {
    let whole = "limits.batch_width: must be a whole number from 1 to 64";
    for (value, tail) in [
        ("8.0", ", not 8.0 (write 8)"),
        ("8.5", ", not 8.5"),
        ("-1", ", not -1"),
        ("99999999999999999999", ", not 99999999999999999999"),
        ("012", ", not the text \"012\" (write 12)"),
        ("1_0", ", not the text \"1_0\" (write 10)"),
        ("true", ", not true"),
        ("[8]", ", not a list"),
        ("", ", not empty"),
    ] {
        let error = lines(&bad(&format!("limits:\n  batch_width: {value}\n")));
        assert!(error.ends_with(&format!("{whole}{tail}")), "{error}");
    }
    for (value, hint) in [
        ("yes", "(write true)"),
        ("Off", "(write false)"),
        ("'false'", "(write false without quotes)"),
        ("1", "(write true)"),
        ("maybe", "not the text \"maybe\""),
    ] {
        let error = lines(&bad(&format!("security: {{redact: {value}}}")));
        assert!(error.contains("must be true or false") && error.ends_with(hint), "{error}");
    }
    assert!(!good("security: {redact: False}").config.security.redact);
    assert_eq!(good("limits: {batch_width: 0x10}").config.limits.batch_width, 16);
    // As names these words are text, not booleans.
    assert_eq!(good("toolsets: [on, yes, no]").config.toolsets, ["on", "yes", "no"]);
    says(
        "toolsets: [1]",
        &["user.yaml:1:12: toolsets[0]: must be text, not the number 1 (write \"1\" in quotes)"],
    );
    says("toolsets: web", &["user.yaml:1:11: toolsets: must be a list, not the text \"web\" (write [web])"]);
    says(
        "plugins:\n  entries:\n    p:\n",
        &["user.yaml:3:6: plugins.entries.p: must be a table, not empty (write {} to keep the defaults)"],
    );
    says("- web", &["user.yaml:1:1: must be a table, not a list"]);
}

#[test]
fn ranges_hold_at_their_edges() {
    for (key, min, max) in [
        ("limits.batch_width", 1_u64, 64_u64),
        ("limits.concurrent_calls", 1, 10_000),
        ("limits.queued_calls", 1, 1_000_000),
        ("limits.result_chars", 1_000, 10_000_000),
        ("availability.deadline_ms", 10, 10_000),
        ("availability.ttl_seconds", 1, 3_600),
        ("availability.grace_seconds", 0, 3_600),
        ("repeat_guard.identical_failures", 1, 100),
        ("tools.timeout_seconds.terminal", 1, 3_600),
        ("tools.max_result_chars.terminal", 1_000, 10_000_000),
    ] {
        let with = |value: i128| Config::load(&[], &[], &[(key.to_owned(), value.to_string())]);
        for value in [min, max] {
            assert!(with(value.into()).is_ok(), "{key} {value}");
        }
        for value in [i128::from(min) - 1, i128::from(max) + 1] {
            let errors = with(value).unwrap_err();
            assert!(lines(&errors).contains(&format!("from {min} to {max}")), "{}", lines(&errors));
        }
    }
}

#[test]
fn errors_cannot_drive_the_terminal() {
    let text = format!("\"\\e[31m{}\": 1\n", "x".repeat(900));
    let shown = lines(&bad(&text));
    assert!(!shown.contains('\u{1b}') && shown.contains("\\u{1b}[31m"), "{shown}");
}
