//! One command line: its judgement, and its calls to hold patterns against.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use hermes_core::{Access, Permission, Target};

use super::calls::Calls;
use crate::command::{Class, EffectKind, Finding, Judgement, Stage, UserRules, judge_with};
use crate::profile::ground::Ground;
use crate::profile::holds::Holds;
use crate::profile::matchers::CommandPattern;
use crate::shell::{Command, RedirectKind};
use hermes_core::yaml::At;

#[derive(Debug)]
pub(crate) struct CommandFacts {
    text: String,
    stage: Stage,
    judgement: Judgement,
    /// Only read where a pattern is to be held against them.
    calls: OnceCell<Calls>,
}

impl CommandFacts {
    pub(crate) fn of(text: &str, ground: &Ground, cwd: &Path, rules: &UserRules) -> Self {
        let shown = |path: &Path| path.display().to_string();
        let writable = std::iter::once(cwd).chain(ground.temp.iter().map(AsRef::as_ref)).map(shown).collect();
        let stage = Stage {
            home: shown(&ground.home),
            cwd: shown(cwd),
            writable,
            hermes_home: shown(&ground.hermes_home),
        };
        CommandFacts {
            text: text.to_owned(),
            judgement: judge_with(text, &stage, rules),
            stage,
            calls: OnceCell::new(),
        }
    }

    fn calls(&self) -> &Calls {
        self.calls.get_or_init(|| Calls::of(&self.text, &self.stage.home, &self.stage.cwd))
    }

    /// The gravest thing found, if it is of this class.
    pub(crate) fn found(&self, class: Class) -> impl Iterator<Item = &Finding> {
        self.judgement.findings.iter().filter(move |finding| finding.class == class)
    }

    /// What the line would do, as far as it is known: files by where they are, hosts by name.
    pub(crate) fn effects(&self, ground: &Ground, cwd: &Path) -> Vec<Access> {
        let file = |permission: Permission, target: &str| {
            let path = Path::new(target).is_absolute().then(|| PathBuf::from(target))?;
            let resolved = ground.resolver.as_ref().and_then(|resolver| resolver.resolve(cwd, target).ok());
            Some(Access::new(permission, Target::Resolved(resolved.unwrap_or(path))))
        };
        let effects = self.judgement.effects.iter().filter_map(|effect| match effect.kind {
            EffectKind::Reads => file(Permission::FILE_READ, &effect.target),
            EffectKind::Writes => file(Permission::FILE_WRITE, &effect.target),
            EffectKind::Deletes => file(Permission::FILE_DELETE, &effect.target),
            EffectKind::Network => {
                Some(Access::new(Permission::NETWORK_FETCH, Target::Host(effect.target.clone())))
            }
            EffectKind::Privilege | EffectKind::Process | EffectKind::Persistence => None,
        });
        effects.collect()
    }

    /// Whether the line does what the pattern says, anywhere in it.
    pub(crate) fn holds(&self, pattern: &CommandPattern) -> Holds {
        let unsure = if self.calls().unsure { Holds::Maybe } else { Holds::No };
        let in_calls = self.calls().calls.iter().map(|call| pattern.is_in(call));
        let in_scripts = self.calls().scripts.iter().map(|script| pattern.is_shape_of(script));
        in_calls.chain(in_scripts).fold(unsure, Ord::max)
    }

    /// The first command of the line that none of the patterns allows.
    pub(crate) fn beside(&self, patterns: &[At<CommandPattern>]) -> Option<String> {
        self.uncovered(|command| patterns.iter().any(|pattern| pattern.value.allows(command)))
    }

    /// Whether every command of the line is allowed by one of the patterns.
    pub(crate) fn is_made_of(&self, patterns: &[CommandPattern]) -> bool {
        self.uncovered(|command| patterns.iter().any(|pattern| pattern.allows(command))).is_none()
    }

    fn uncovered(&self, covers: impl Fn(&Command) -> bool) -> Option<String> {
        let Some(line) = self.calls().scripts.first() else { return Some(String::new()) };
        if let Some(doubt) = line.doubts.first() {
            return Some(doubt.reason.clone());
        }
        if let Some(function) = line.functions.first() {
            return Some(format!("{}()", function.name));
        }
        let uncovered = line.commands.iter().find(|command| !command.words.is_empty() && !covers(command));
        uncovered.map(|command| command.words.iter().map(|word| word.shown()).collect::<Vec<_>>().join(" "))
    }

    /// Whether everything that analysis asks about lies within commands that the patterns name, each of them
    /// certain and writing nowhere else.
    pub(crate) fn is_answered_by(&self, patterns: &[CommandPattern]) -> bool {
        let Some(line) = self.calls().scripts.first() else { return false };
        let named: Vec<&Command> = line
            .commands
            .iter()
            .filter(|command| {
                !writes_elsewhere(command) && patterns.iter().any(|pattern| pattern.allows(command))
            })
            .collect();
        self.found(Class::Ask).all(|finding| {
            let (start, end) = finding.span;
            named.iter().any(|command| command.span.start <= start && end <= command.span.end)
        })
    }
}

fn writes_elsewhere(command: &Command) -> bool {
    use RedirectKind::{Append, AppendBoth, ReadWrite, Write, WriteBoth};
    command
        .redirects
        .iter()
        .any(|redirect| matches!(redirect.kind, Write | Append | ReadWrite | WriteBoth | AppendBoth))
}
