//! Explanations: every level's answer, and what else would have matched.

use hermes_core::Verdict::{Allow, Ask, Deny};
use hermes_policy::profile::LevelKind;

use super::support::{Call, any, engine, on_path};

const TEXT: &str = "
global: {approval_required: [git:write]}
profiles:
  base: {allow: ['*']}
  p:
    extends: [base]
    deny: [git:write]
    rules: [{effect: ask, permission: 'git:*'}]
    tools: {other_tool: {deny: ['*']}}
";

#[test]
fn every_level_answers() {
    let policy = engine(TEXT, "p");
    let explained = policy.explain(&Call::new([any("git:write")]).request());
    let levels = &explained.accesses[0].levels;
    let kinds: Vec<LevelKind> = levels.iter().map(|level| level.level).collect();
    use LevelKind::{Floor, Global, Session, Tool};
    assert_eq!(kinds, [Floor, Global, Session, Session, Tool]);
    let verdicts: Vec<_> = levels.iter().map(|level| level.deciding().map(|answer| answer.verdict)).collect();
    assert_eq!(verdicts, [None, Some(Ask), Some(Allow), Some(Deny), None]);
    let all: Vec<&str> = levels[3].answers.iter().map(|answer| answer.rule.as_str()).collect();
    assert_eq!(all, ["deny git:write", "ask permission git:*"], "what else would have matched");
    assert_eq!(explained.decision.rule, "hermes_permissions.yaml:7 p: deny git:write");
    assert_eq!(levels[3].answers[1].place.as_ref().unwrap().to_string(), "hermes_permissions.yaml:8:13");
}

#[test]
fn the_first_of_the_strictest_accesses_decides() {
    let policy = engine(TEXT, "p");
    let call = Call::new([any("env:read"), any("git:read"), on_path("git:read", "/x")]);
    let explained = policy.explain(&call.request());
    let verdicts: Vec<_> = explained.accesses.iter().map(|access| access.decision.verdict).collect();
    assert_eq!(verdicts, [Allow, Ask, Ask]);
    assert_eq!(explained.decision, explained.accesses[1].decision);
}

#[test]
fn explanations_are_data() {
    let explained = engine(TEXT, "p").explain(&Call::new([any("git:write")]).request());
    let value = serde_json::to_value(&explained).unwrap();
    assert_eq!(value["profile"], "p");
    assert_eq!(value["decision"]["verdict"], "deny");
    assert_eq!(value["decision"]["level"], "session");
    assert_eq!(value["accesses"][0]["levels"][1]["level"], "global");
    assert_eq!(value["accesses"][0]["levels"][1]["answers"][0]["place"]["line"], 2);
}
