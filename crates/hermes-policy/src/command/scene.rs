//! One command in its place: the script around it, the folder it runs in, who runs it.

use std::sync::Arc;

use super::args::Arg;
use super::model::{Class, Finding};
use super::place::{self, Place};
use super::trial::Trial;
use crate::shell::{Command, Script, Word};

/// What surrounds a script: the terminal for the outermost, a launcher for one that is nested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The working folder, if it is known.
    pub cwd: Option<String>,
    /// Runs as somebody else.
    pub privileged: bool,
    /// Runs on another machine or in a container: paths are not those of this machine.
    pub remote: bool,
    /// Variables that a launcher such as `env` puts into the environment of what it starts.
    pub passed: Option<Arc<[(String, Word)]>>,
    /// The part of the outermost text that nested findings are about.
    pub span: Option<(usize, usize)>,
}

impl Frame {
    /// The same in another folder.
    pub fn in_folder(&self, cwd: Option<String>) -> Self {
        let passed = self.passed.clone();
        Frame { cwd, passed, privileged: self.privileged, remote: self.remote, span: self.span }
    }

    /// The same with variables that a launcher was given.
    pub fn passing<'a>(self, variables: impl Iterator<Item = &'a (String, Arg)>) -> Self {
        let mut all: Vec<(String, Word)> = self.passed.as_deref().unwrap_or_default().to_vec();
        all.extend(variables.map(|(name, value)| (name.clone(), value.to_word())));
        Frame { passed: (!all.is_empty()).then(|| all.into()), ..self }
    }
}

pub(crate) struct Scene<'a> {
    pub script: &'a Script,
    pub index: usize,
    pub command: &'a Command,
    pub frame: Frame,
}

impl Scene<'_> {
    /// The same command in another frame.
    pub fn within(&self, frame: Frame) -> Scene<'_> {
        Scene { script: self.script, index: self.index, command: self.command, frame }
    }

    pub fn span(&self) -> (usize, usize) {
        self.frame.span.unwrap_or((self.command.span.start, self.command.span.end))
    }

    pub fn cwd(&self) -> Option<&str> {
        self.frame.cwd.as_deref()
    }

    pub fn locate(&self, trial: &Trial<'_>, arg: &Arg) -> Place {
        place::locate(arg, self.cwd(), trial.stage)
    }

    pub fn ask(&self, trial: &mut Trial<'_>, rule: &str, category: &str, reason: impl Into<String>) {
        self.find(trial, Class::Ask, (rule, category), reason);
    }

    pub fn deny(&self, trial: &mut Trial<'_>, rule: &str, category: &str, reason: impl Into<String>) {
        self.find(trial, Class::Deny, (rule, category), reason);
    }

    pub fn find(
        &self,
        trial: &mut Trial<'_>,
        class: Class,
        (rule, category): (&str, &str),
        reason: impl Into<String>,
    ) {
        trial.found(Finding {
            class,
            rule: rule.to_owned(),
            category: category.to_owned(),
            reason: reason.into(),
            span: self.span(),
        });
    }

    /// Text that stands on standard input, if it is certain.
    pub fn input(&self) -> Option<&str> {
        self.command.input.as_deref()
    }

    /// Whether standard input is a pipe, a file or a text, rather than the terminal.
    pub fn is_fed(&self) -> bool {
        use crate::shell::RedirectKind::{Duplicate, HereDocument, HereString, Read, ReadWrite};
        // A copy of the terminal, or nothing at all.
        let idle = |from: &Word| matches!(from.literal().as_deref(), Some("-" | "0" | "1" | "2"));
        self.command.reads_from.is_some()
            || self.command.redirects.iter().any(|redirect| match redirect.kind {
                Read | ReadWrite | HereDocument | HereString => redirect.fd.is_none_or(|fd| fd == 0),
                Duplicate => redirect.fd == Some(0) && !idle(&redirect.target),
                _ => false,
            })
    }
}
