//! Ordinary commands under the default profile: what protects Hermes and its user must not be felt on an ordinary
//! day. The labelled commands are those that the judge of commands is held to.

use hermes_core::{Policy, Verdict};
use hermes_policy::command::{Class, Stage, judge};
use hermes_policy::profile::{Engine, Ground, Plan};
use serde_json::Value;

use super::support::{Call, command, place};

const HOME: &str = "/home/agent";
const CWD: &str = "/workspace";

fn default_profile() -> Engine {
    let ground = Ground {
        home: HOME.into(),
        hermes_home: format!("{HOME}/.hermes").into(),
        cwd: CWD.into(),
        temp: vec!["/tmp".into()],
        ..Ground::default()
    };
    let plan = Plan {
        profile: "default",
        chosen_at: place(),
        files: &[],
        config: None,
        ground: &ground,
        commands: Default::default(),
        ledger: None,
    };
    Engine::build(&plan).ok().unwrap()
}

/// Commands that nobody should be asked about.
fn harmless() -> Vec<String> {
    let labelled =
        [include_str!("../../fixtures/dangerous.jsonl"), include_str!("../../fixtures/commands.jsonl")];
    let rows = labelled.iter().flat_map(|text| text.lines()).map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let harmless = row["dangerous"] == false || row["label"] == "benign" || row["label"] == "safe";
        (harmless, row["command"].as_str().unwrap().replace("{CONF}", "/home/agent/.hermes"))
    });
    let lists = [
        include_str!("../../fixtures/heldout_harmless.txt"),
        include_str!("../../fixtures/heldout_harmless_2.txt"),
        include_str!("../../fixtures/developer_day.txt"),
    ];
    let lines = lists.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
    let ours = lines.filter(|line| !line.is_empty()).map(|line| {
        let text = line.split_once('\t').map_or(line, |(_, command)| command);
        (true, text.replace("\\n", "\n"))
    });
    rows.chain(ours).filter_map(|(harmless, command)| harmless.then_some(command)).collect()
}

#[test]
fn the_default_profile_is_as_quiet_as_the_judge_of_commands() {
    let policy = default_profile();
    let stage = Stage {
        home: HOME.to_owned(),
        cwd: CWD.to_owned(),
        writable: vec![CWD.to_owned(), "/tmp".to_owned()],
        hermes_home: format!("{HOME}/.hermes"),
    };
    let commands = harmless();
    assert!(commands.len() > 1_000, "only {} commands", commands.len());
    let (mut louder, mut own) = (Vec::new(), 0);
    for text in &commands {
        let decision = policy.decide(&Call::new([command(text)]).request());
        // The labels let commands look into Hermes's own folder; the policy does not, as it does not let tools.
        if decision.rule.ends_with("hermes_state") {
            own += 1;
            continue;
        }
        assert_ne!(decision.verdict, Verdict::Deny, "{text}: {decision:?}");
        if decision.verdict == Verdict::Ask && judge(text, &stage).class < Class::Ask {
            louder.push(format!("{text}: {}", decision.rule));
        }
    }
    assert!(own <= 5, "{own} commands look into Hermes's own folder");
    assert!(louder.is_empty(), "{}", louder.join("\n"));
}
