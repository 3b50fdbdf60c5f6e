//! Texts made to exhaust the reader are refused, and calls made to exhaust the matchers are judged. What takes
//! exponential time would never end.

use hermes_core::{Access, Permission, Target};
use hermes_policy::profile::{Known, read_policy};
use serde_json::json;

use super::support::{Call, FILE, any, engine, ground, lines, on_path};

#[track_caller]
fn refused(text: &str) -> String {
    let problems = read_policy(FILE, text, &ground(), &Known::default()).expect_err("a bomb");
    lines(&problems)
}

#[test]
fn aliases_that_multiply() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}, ", level - 1).repeat(9);
        text.push_str(&format!("a{level}: &a{level} [{before}]\n"));
    }
    assert!(refused(&text).contains("more than 20000 values once aliases are filled in"));
}

#[test]
fn depth_size_and_endless_mistakes() {
    assert!(refused(&"[".repeat(100_000)).contains("nested deeper"));
    assert!(
        refused(&format!("profiles: {{p: {{description: '{}'}}}}", "x".repeat(1 << 20))).contains("bytes")
    );
    let many = format!("profiles: {{p: {{allow: [{}]}}}}", "nope, ".repeat(15_000));
    assert!(refused(&many).lines().count() <= 200);
}

#[test]
fn expressions_and_globs_that_explode() {
    let text = |argument: &str| {
        format!("profiles: {{p: {{rules: [{{effect: deny, argument: {{/x: {argument}}}}}]}}}}")
    };
    assert!(refused(&text("{regex: '(a{1000}){1000}'}")).contains("not a regular expression"));
    let path = |glob: &str| {
        format!("profiles: {{p: {{restrictions: {{file:read: {{denied_paths: ['{glob}']}}}}}}}}")
    };
    assert!(refused(&path(&"{a,b}".repeat(40))).contains("too long"));
    assert!(refused(&path(&"x".repeat(5_000))).contains("too long"));
}

#[test]
fn matching_takes_no_longer_than_the_text_is_long() {
    let text = "
profiles:
  p:
    allow: ['*']
    rules:
      - {effect: deny, argument: {/x: {regex: '(a*)*(a*)*b'}}}
      - {effect: deny, argument: {/x: '*a*a*a*a*a*a*a*a*b'}}
    restrictions:
      git:read: {denied_paths: ['/**/a*a*a*a*a*a*a*a*b']}
";
    let policy = engine(text, "p");
    Call::new([any("git:read")]).arguments(json!({"x": "a".repeat(20_000)})).decide(&policy);
    Call::new([on_path("git:read", &format!("/{}", "a".repeat(4_000)))]).decide(&policy);
    let host = Access::new(Permission::NETWORK_FETCH, Target::Host("a.".repeat(20_000)));
    Call::new([host]).decide(&policy);
}
