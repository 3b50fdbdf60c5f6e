//! The judge of commands, as approvals use it: what a command would do, and whether one does more than
//! another.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_policy::command::{Class, EffectKind, Judgement, Stage, UserRules, judge_with};

type Verdict = dyn Fn(&str, &Stage) -> Judgement + Send + Sync;

/// Judges commands where it is told they would run.
#[derive(Clone)]
pub(crate) struct Judge {
    verdict: Arc<Verdict>,
    home: PathBuf,
    hermes_home: PathBuf,
}

impl Judge {
    pub(crate) fn new(home: PathBuf, hermes_home: PathBuf, rules: UserRules) -> Self {
        let verdict = move |text: &str, stage: &Stage| judge_with(text, stage, &rules);
        Judge { verdict: Arc::new(verdict), home, hermes_home }
    }

    #[cfg(test)]
    pub(super) fn with(verdict: impl Fn(&str, &Stage) -> Judgement + Send + Sync + 'static) -> Self {
        Judge { verdict: Arc::new(verdict), home: "/home/u".into(), hermes_home: "/home/u/.hermes".into() }
    }

    /// What the command would do, run in `cwd`.
    pub(crate) fn judge(&self, command: &str, cwd: &Path) -> Judgement {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let stage = Stage {
            home: text(&self.home),
            cwd: text(cwd),
            writable: vec![text(cwd), "/tmp".to_owned(), "/var/tmp".to_owned()],
            hermes_home: text(&self.hermes_home),
        };
        (self.verdict)(command, &stage)
    }

    /// Whether `command` does nothing of a kind that `less` does not do too. Words added to a granted prefix
    /// may be options that do much more; then a person is asked again.
    pub(crate) fn does_no_more(&self, command: &str, less: &str, cwd: &Path) -> bool {
        let (command, less) = (self.judge(command, cwd), self.judge(less, cwd));
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
