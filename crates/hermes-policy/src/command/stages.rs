//! One command on several stages: links give a folder a second name, and a command may use either.

use super::judge::judge_with;
use super::model::{Class, Finding, Judgement, Stage};
use super::ruleset::UserRules;

/// Judges a command line on every stage and unites what was found: the gravest class, all findings and effects.
pub fn judge_on(text: &str, stages: &[Stage], user: &UserRules) -> Judgement {
    let judged = stages.iter().map(|stage| judge_with(text, stage, user));
    judged.reduce(Judgement::united).unwrap_or_else(|| nowhere(text))
}

impl Judgement {
    fn united(mut self, other: Judgement) -> Judgement {
        let known = |findings: &[Finding], new: &Finding| {
            findings.iter().any(|old| old.rule == new.rule && old.span == new.span && old.class == new.class)
        };
        for finding in other.findings {
            if !known(&self.findings, &finding) {
                self.findings.push(finding);
            }
        }
        self.findings.sort_by(|a, b| b.class.cmp(&a.class).then(a.span.cmp(&b.span)));
        self.effects.extend(other.effects);
        self.effects.sort();
        self.effects.dedup();
        let category = self.findings.first().map(|finding| finding.category.clone());
        Judgement { class: self.class.max(other.class), category, ..self }
    }
}

/// Without a stage nothing is known about the command.
fn nowhere(text: &str) -> Judgement {
    let finding = Finding {
        class: Class::Ask,
        rule: "no-stage".to_owned(),
        category: "unknown".to_owned(),
        reason: "nobody says where the command would run".to_owned(),
        span: (0, text.len()),
    };
    let category = Some(finding.category.clone());
    Judgement { class: Class::Ask, category, effects: Vec::new(), findings: vec![finding] }
}
