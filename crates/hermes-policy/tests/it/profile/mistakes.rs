//! What is wrong is said all at once, with its place and what to write instead.

use std::collections::{BTreeMap, BTreeSet};

use hermes_policy::profile::{Known, read_policy};

use super::support::{FILE, ground, lines};

#[track_caller]
fn wrong(text: &str) -> String {
    lines(&read_policy(FILE, text, &ground(), &known()).expect_err("this text is wrong"))
}

fn known() -> Known {
    let tools = [("read_file", "read_file"), ("file_read", "read_file"), ("terminal", "terminal")];
    Known {
        tools: tools.iter().map(|(name, tool)| ((*name).into(), (*tool).into())).collect::<BTreeMap<_, _>>(),
        toolsets: BTreeSet::from(["file".to_owned(), "web".to_owned()]),
        ..Known::default()
    }
}

#[test]
fn every_mistake_is_named_with_its_place() {
    let text = "\
profiles:
  dev:
    alow: ['*']
    deny: [file:reed, 'env']
    restrictions:
      file:write: {allowed_path: [/x]}
      terminal:exec: {}
    approval_required: docker:run
";
    assert_eq!(
        wrong(text),
        "hermes_permissions.yaml:3:5: unknown key \"alow\" in profile dev (did you mean allow?)\n\
         hermes_permissions.yaml:4:12: no such permission: \"file:reed\" (did you mean file:read?)\n\
         hermes_permissions.yaml:4:23: no such permission: \"env\" (did you mean env:*?)\n\
         hermes_permissions.yaml:6:20: unknown key \"allowed_path\" in the restriction of file:write (did you mean \
         allowed_paths?)\n\
         hermes_permissions.yaml:7:7: no such permission: \"terminal:exec\" (did you mean terminal:execute?)\n\
         hermes_permissions.yaml:8:24: approval_required must be a list, not \"docker:run\" (write [\"docker:run\"])"
    );
}

#[test]
fn single_mistakes() {
    let body = |body: &str| format!("profiles: {{p: {{{body}}}}}");
    let rule = |rule: &str| body(&format!("rules: [{{{rule}}}]"));
    let limit = |limit: &str| body(&format!("restrictions: {{file:write: {{{limit}}}}}"));
    for (text, expected) in [
        (String::new(), "1:1: the policy is empty"),
        ("# only a comment\n".into(), "the policy is empty"),
        ("profils: {}".into(), "did you mean profiles?"),
        ("[]".into(), "a policy must be a table, not a list"),
        ("profiles: {p: [a]}".into(), "profile p must be a table"),
        ("profiles: {'a b': {}}".into(), "is no name for a profile"),
        (
            "profiles: {p: {}}\nprofiles: {}".into(),
            "2:1: the key profiles is written twice (it is already set in line 1)",
        ),
        ("profiles: {p: {allow: []}, p: {}}".into(), "written twice"),
        ("profiles: {p: {}\n".into(), "not valid YAML"),
        ("profiles: {p: !x {}}".into(), "tags"),
        ("profiles: {p: *nowhere}".into(), "no anchor is called"),
        ("profiles: {p: {}}\n---\nprofiles: {}".into(), "a second document"),
        ("profiles: {p: {<<: {}}}".into(), "merge keys"),
        (body("allow: '*'"), "write [\"*\"]"),
        (body("allow:"), "write [] for an empty list"),
        (body("allow: [3]"), "must be text, not \"3\""),
        (body("allow: ['fiel:*']"), "did you mean file:*?"),
        (body("allow: [everything]"), "write domain:action, domain:* or *"),
        (body("unattended: yes"), "must be true or false"),
        (body("tools: {file_raed: {}}"), "no such tool: \"file_raed\" (did you mean file_read?)"),
        (body("tools: {read_file: {}, file_read: {}}"), "read_file is written twice"),
        (body("allow: [file:read], deny: [file:read]"), "allow and deny both name file:read (line 1)"),
        (limit("allowed_paths: [/a/../b]"), "has .. in it and can never match"),
        (limit("allowed_paths: ['']"), "is empty"),
        (limit("allowed_paths: [$HOME/x]"), "write ~ for the home folder"),
        (limit("allowed_paths: [~bob/x]"), "the home folder of somebody else"),
        (limit("allowed_paths: ['/a/{b']"), "is not a glob"),
        (limit("denied_paths: ['https://a.b/c']"), "is an address, not a path"),
        (limit("denied_paths: [/a], allowed_paths: [/a]"), "both name /a"),
        (limit("max_bytes: -1"), "must be a whole number"),
        (limit("max_calls_per_minute: 0"), "must be a whole number from 1"),
        (limit(""), "the restriction of file:write limits nothing"),
        (body("restrictions: {file:read: {max_bytes: 1}}"), "max_bytes limits what a call writes or sends"),
        (
            body("restrictions: {network:fetch: {allowed_hosts: ['https://a.b/']}}"),
            "is an address, not a host",
        ),
        (body("restrictions: {network:fetch: {allowed_hosts: ['a.*.b']}}"), "one * in front only"),
        (body("restrictions: {network:fetch: {allowed_methods: [FETCH]}}"), "no such method"),
        (rule("tool: read_file"), "the rule has no effect"),
        (rule("effect: forbid, tool: read_file"), "effect must be allow, ask or deny, not \"forbid\""),
        (rule("effect: deny"), "the rule has no condition"),
        (rule("effect: deny, tool: raed_file"), "no such tool"),
        (rule("effect: deny, tool: 'git_*'"), "no tool matches"),
        (rule("effect: deny, tool: []"), "tool lists nothing"),
        (rule("effect: deny, toolset: files"), "no such toolset: \"files\" (did you mean file?)"),
        (rule("effect: deny, argument: {path: x}"), "write \"/path\""),
        (rule("effect: deny, argument: {/x~2: x}"), "is not a JSON pointer"),
        (rule("effect: deny, argument: {/x: {regex: '('}}"), "not a regular expression"),
        (rule("effect: deny, argument: {/x: {like: y}}"), "unknown key \"like\""),
        (rule("effect: deny, argument: {/x: {in: []}}"), "can never match"),
        (rule("effect: deny, argument: {}"), "names no pointer"),
        (rule("effect: deny, args: {/x: y}"), "unknown key \"args\" in a rule"),
        (
            body("rules: [{effect: deny, tool: terminal}, {effect: allow, tool: terminal}]"),
            "this rule says allow to what line 1 says deny to",
        ),
    ] {
        let found = wrong(&text);
        assert!(found.contains(expected), "{text}\n  says  {found}\n  not   {expected}");
    }
}

#[test]
fn names_of_aliases_and_servers_are_taken() {
    let text = "profiles: {p: {tools: {file_read: {}, mcp_gone_tool: {}}, rules: [{effect: deny, tool: file_read}, \
                {effect: deny, tool: 'file_*'}, {effect: deny, toolset: mcp-gone}]}}";
    let file = read_policy(FILE, text, &ground(), &known())
        .unwrap_or_else(|problems| panic!("{}", lines(&problems)));
    assert_eq!(file.profiles[0].tools[0].tool.value, "read_file");
    assert_eq!(file.profiles[0].body.rules[0].to_string(), "deny tool read_file");
    assert_eq!(file.profiles[0].body.rules[1].conditions(), "tool in [file_*, read_file]");
}

#[test]
fn anchors_repeat_what_they_stand_for() {
    let text = "profiles: {a: {allow: &reads [file:read, git:read]}, b: {allow: *reads}}";
    let file = read_policy(FILE, text, &ground(), &known()).unwrap();
    assert_eq!(file.profiles[1].body.allow.as_ref().map(Vec::len), Some(2));
}

#[test]
fn hostile_texts_are_shown_harmless() {
    let found = wrong("profiles: {p: {allow: ['\u{1b}[31mred\u{202e}']}}");
    assert!(!found.contains('\u{1b}') && !found.contains('\u{202e}'), "{found:?}");
}
