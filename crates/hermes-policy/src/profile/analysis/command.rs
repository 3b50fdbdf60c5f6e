//! One command line: its judgement, and its calls to hold patterns against.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use super::calls::{Calls, base_name};
use super::effects::{Effect, Scenery};
use crate::command::{Class, Finding, Judgement, UserRules, judge_on};
use crate::profile::ground::Ground;
use crate::profile::holds::Holds;
use crate::profile::matchers::CommandPattern;
use crate::shell::{Command, RedirectKind, Word};
use hermes_core::yaml::At;

/// Programs whose files and hosts the analysis of commands knows one by one, and launchers of others, in order.
const KNOWN: &[&str] = &[
    ":",
    "[",
    "[[",
    "basename",
    "builtin",
    "cat",
    "cd",
    "chgrp",
    "chmod",
    "chown",
    "cmp",
    "comm",
    "command",
    "cp",
    "curl",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "env",
    "exit",
    "export",
    "expr",
    "false",
    "fgrep",
    "file",
    "find",
    "fmt",
    "fold",
    "grep",
    "head",
    "id",
    "join",
    "jq",
    "ln",
    "ls",
    "mkdir",
    "mv",
    "nice",
    "nl",
    "nohup",
    "nproc",
    "paste",
    "printenv",
    "printf",
    "pwd",
    "readlink",
    "realpath",
    "rg",
    "rm",
    "rmdir",
    "seq",
    "set",
    "sha256sum",
    "sleep",
    "sort",
    "stat",
    "stdbuf",
    "sudo",
    "tac",
    "tail",
    "tee",
    "test",
    "time",
    "timeout",
    "touch",
    "tr",
    "tree",
    "true",
    "type",
    "umask",
    "uname",
    "uniq",
    "unlink",
    "unset",
    "wc",
    "wget",
    "which",
    "whoami",
];

/// The variable that names Hermes's own folder.
const OWN_FOLDER: &str = "HERMES_HOME";

#[derive(Debug)]
pub(crate) struct CommandFacts {
    text: String,
    /// The same with the variables of Hermes's own filled in, if it has any.
    filled: Option<String>,
    home: String,
    /// Where it would run.
    folder: PathBuf,
    judgement: Judgement,
    /// Only read where a pattern is to be held against them.
    calls: OnceCell<Calls>,
}

impl CommandFacts {
    /// A command that a session working in `root` would run in `folder`.
    pub(crate) fn of(text: &str, ground: &Ground, folder: PathBuf, root: &Path, rules: &UserRules) -> Self {
        let stages = ground.stages(&folder, &[root]);
        let mut judgement = judge_on(text, &stages, rules);
        // The reader knows no variables of Hermes's own; what they stand for must be protected all the same.
        let filled = text.contains(OWN_FOLDER).then(|| {
            let own = ground.hermes_home.display().to_string();
            text.replace(&format!("${{{OWN_FOLDER}}}"), &own).replace(&format!("${OWN_FOLDER}"), &own)
        });
        if let Some(filled) = &filled {
            judgement.effects.extend(judge_on(filled, &stages, rules).effects);
        }
        CommandFacts {
            text: text.to_owned(),
            filled,
            home: ground.home.display().to_string(),
            judgement,
            folder,
            calls: OnceCell::new(),
        }
    }

    fn calls(&self) -> &Calls {
        self.calls.get_or_init(|| self.calls_of(&self.text))
    }

    fn calls_of(&self, text: &str) -> Calls {
        Calls::of(text, &self.home, &self.folder.display().to_string())
    }

    /// The gravest thing found, if it is of this class.
    pub(crate) fn found(&self, class: Class) -> impl Iterator<Item = &Finding> {
        self.judgement.findings.iter().filter(move |finding| finding.class == class)
    }

    /// What the line would do, as far as it is known.
    pub(crate) fn effects(&self, ground: &Ground, root: &Path) -> Vec<Effect> {
        let filled = self.filled.as_ref().map(|text| self.calls_of(text));
        let calls = filled.as_ref().unwrap_or_else(|| self.calls());
        Scenery::new(ground, root).effects(&self.judgement.effects, calls, &self.folder)
    }

    /// The first program of the line of which nobody knows all that it would touch, or what made it so. What is
    /// written to an unknown place is asked about anyway; what is read there is looked at on demand.
    pub(crate) fn unknown(&self, reads: bool) -> Option<String> {
        let holes = || self.calls().calls.iter().flat_map(|call| &call.words).any(Word::has_unknown);
        if self.calls().unsure || (reads && holes()) {
            return Some(self.text.clone());
        }
        let programs = self.calls().calls.iter().filter_map(|call| call.words.first());
        let programs = programs.map(|program| base_name(&program.shown()).to_owned());
        programs.into_iter().find(|program| KNOWN.binary_search(&program.as_str()).is_err())
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
