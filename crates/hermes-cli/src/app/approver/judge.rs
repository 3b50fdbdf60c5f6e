//! The judge of commands, as approvals use it: what a command would do, and whether one does more than
//! another.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use hermes_policy::command::{Class, EffectKind, Judgement, Stage, UserRules, judge_on};
use hermes_policy::profile::Ground;

type Verdict = dyn Fn(&str, &[Stage]) -> Judgement + Send + Sync;

/// Judges commands where it is told they would run, on the ground that policy stands on.
#[derive(Clone)]
pub(crate) struct Judge {
    verdict: Arc<Verdict>,
    ground: Ground,
}

impl Judge {
    pub(crate) fn new(ground: Ground, rules: UserRules) -> Self {
        let verdict = move |text: &str, stages: &[Stage]| judge_on(text, stages, &rules);
        Judge { verdict: Arc::new(verdict), ground }
    }

    #[cfg(test)]
    pub(super) fn with(verdict: impl Fn(&str, &[Stage]) -> Judgement + Send + Sync + 'static) -> Self {
        Judge { verdict: Arc::new(verdict), ground: Self::ground_of_tests() }
    }

    #[cfg(test)]
    pub(super) fn ground_of_tests() -> Ground {
        Ground {
            home: "/home/u".into(),
            hermes_home: "/home/u/.hermes".into(),
            temp: vec!["/tmp".into(), "/var/tmp".into()],
            ..Ground::default()
        }
    }

    /// What the command would do, run in `folder` by a session that works in `root`.
    pub(crate) fn judge(&self, command: &str, folder: &Path, root: &Path) -> Judgement {
        (self.verdict)(command, &self.ground.stages(folder, &[root]))
    }

    /// Whether `command` does nothing of a kind that `less` does not do too. Words added to a granted prefix
    /// may be options that do much more; then a person is asked again.
    pub(crate) fn does_no_more(&self, command: &str, less: &str, cwd: &Path) -> bool {
        let (command, less) = (self.judge(command, cwd, cwd), self.judge(less, cwd, cwd));
        let (kinds, known) = (kinds(&command), kinds(&less));
        command.class <= less.class.max(Class::Ask) && kinds.is_subset(&known)
    }
}

/// What is done, by kind: categories of risky findings, and effects beyond reading.
fn kinds(judgement: &Judgement) -> BTreeSet<String> {
    let findings = judgement.findings.iter().filter(|finding| finding.class >= Class::Ask);
    let effects = judgement.effects.iter().filter(|effect| effect.kind != EffectKind::Reads);
    findings
        .map(|finding| finding.category.clone())
        .chain(effects.map(|effect| format!("{:?}", effect.kind)))
        .collect()
}
