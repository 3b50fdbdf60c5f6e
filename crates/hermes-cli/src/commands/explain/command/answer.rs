//! A judgement in words: the fields of the answer, and the text for people.

use hermes_core::text::visible;
use hermes_policy::command::{Class, EffectKind, Judgement};
use serde_json::{Map, Value, json};

use crate::commands::explain::rows::fields;

pub(super) fn answer(judgement: &Judgement) -> Map<String, Value> {
    let verdict = verdict(judgement.class);
    let reasons: Vec<&str> = risky(judgement).map(|finding| finding.reason.as_str()).collect();
    fields([
        ("verdict", verdict.into()),
        ("decision", verdict.into()),
        ("class", json!(judgement.class)),
        ("dangerous", (judgement.class >= Class::Ask).into()),
        ("category", json!(judgement.category)),
        ("effects", json!(judgement.effects)),
        ("reasons", json!(reasons)),
        ("findings", json!(judgement.findings)),
    ])
}

pub(super) fn human(command: &str, judgement: &Judgement) -> String {
    let category = judgement.category.as_deref().map(|category| format!(" ({category})"));
    let mut text =
        format!("{}{}: {}\n", verdict(judgement.class), category.unwrap_or_default(), visible(command));
    for finding in risky(judgement) {
        let part = command.get(finding.span.0..finding.span.1).filter(|part| *part != command);
        let about = part.map(|part| format!("   in: {}", visible(part))).unwrap_or_default();
        text.push_str(&format!("  {} [{}]{about}\n", visible(&finding.reason), finding.rule));
    }
    for effect in &judgement.effects {
        text.push_str(&format!("  {:<12}{}\n", kind(effect.kind), visible(&effect.target)));
    }
    if judgement.class == Class::ReadOnly && judgement.effects.is_empty() {
        text.push_str("  changes nothing\n");
    }
    text
}

fn verdict(class: Class) -> &'static str {
    match class {
        Class::ReadOnly | Class::Safe => "allow",
        Class::Ask => "ask",
        Class::Deny => "deny",
    }
}

/// What led to a question or a refusal.
fn risky(judgement: &Judgement) -> impl Iterator<Item = &hermes_policy::command::Finding> {
    judgement.findings.iter().filter(|finding| finding.class >= Class::Ask)
}

fn kind(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::Reads => "reads",
        EffectKind::Writes => "writes",
        EffectKind::Deletes => "deletes",
        EffectKind::Network => "contacts",
        EffectKind::Privilege => "privilege",
        EffectKind::Process => "process",
        EffectKind::Persistence => "persists",
    }
}
