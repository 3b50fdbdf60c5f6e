//! The judge of commands, as approvals use it: what a command would do, and whether one does more than
//! another.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use hermes_core::grant::escape_glob;
use hermes_core::{AccessRequest, Target};
use hermes_policy::command::{Class, EffectKind, Judgement, Stage, UserRules, judge_on};
use hermes_policy::paths::{PathOp, PathVerdict, Places, Table, classify};
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

    /// Whether nothing may be done with the paths that the pattern takes, whoever agrees to it.
    pub(crate) fn never_allows(&self, pattern: &str, cwd: &Path) -> bool {
        // Any name serves where a wildcard takes any.
        let sample: String = pattern
            .split('/')
            .map(|name| if name == "**" { "x" } else { name })
            .collect::<Vec<_>>()
            .join("/");
        let sample = sample.replace(['*', '?'], "x").replace('\\', "");
        let places = self.places(cwd);
        let denied = |op| matches!(classify(Path::new(&sample), op, &places), PathVerdict::Deny { .. });
        denied(PathOp::Read) && denied(PathOp::Write) && denied(PathOp::Delete)
    }

    fn places(&self, cwd: &Path) -> Places {
        let ground = &self.ground;
        let places = Places::new(&ground.home, &ground.hermes_home, [cwd.to_owned()]);
        Places { temp: ground.temp.clone(), ..places }
    }

    /// Whether each sensitive or protected path of the call is named by the pattern without a wildcard.
    pub(super) fn names_what_is_sensitive(&self, pattern: &str, request: &AccessRequest<'_>) -> bool {
        let places = self.places(request.cwd);
        request.access.iter().all(|access| {
            let Target::Resolved(path) = &access.target else { return true };
            let op = match access.permission.as_str() {
                "file:read" => PathOp::Read,
                "file:delete" => PathOp::Delete,
                _ => PathOp::Write,
            };
            let named = path.to_str().map(escape_glob).as_deref() == Some(pattern);
            named || !is_sensitive(path, op, &places)
        })
    }
}

/// Whether the table of sensitive and protected places speaks of the path; where a path merely lies is for the
/// grant to say.
fn is_sensitive(path: &Path, op: PathOp, places: &Places) -> bool {
    let verdict = classify(path, op, places);
    let listed = |category: &str| {
        Table::shipped().is_none_or(|table| table.entries().iter().any(|entry| entry.category == category))
    };
    matches!(verdict, PathVerdict::Deny { .. }) || verdict.category().is_some_and(listed)
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
