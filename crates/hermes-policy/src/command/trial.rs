//! One judgement in the making: what was found so far, and what is left of the budget.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::model::{Class, Effect, EffectKind, Finding, Judgement, Stage};
use super::rereading::Reading;
use super::ruleset::{Compiled, Rules};
use super::sensitive::{Sensitive, Use};
use crate::paths::Places;

/// How deep texts may nest in texts (`sh -c "sh -c …"`) before nobody looks any deeper.
const DEPTH: usize = 12;
/// How deep launchers may nest in launchers.
const CALL_DEPTH: usize = 16;
/// The same where each one is followed by more words than anybody types: every level reads all of them.
const WORDY_DEPTH: usize = 8;
const WORDY: usize = 1_000;
/// How many calls are looked at, counting those in nested texts.
const CALLS: usize = 24_000;
/// How many texts that code runs as code are looked at.
const CODES: usize = 32;
/// How many findings are kept; the gravest class is kept in any case.
const FINDINGS: usize = 400;
const EFFECTS: usize = 400;

/// Where a file that the script itself wrote came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Exactly this text.
    Text(String),
    Download,
    Decoded,
    Other,
}

pub(crate) struct Trial<'a> {
    pub stage: &'a Stage,
    /// The same for the table of paths.
    pub places: Places,
    pub rules: &'a Rules,
    pub user: &'a [Compiled],
    /// Files written earlier in the same script.
    pub files: HashMap<String, Content>,
    /// Those of them that are being run.
    pub running: Vec<String>,
    /// Something that came over the network was unpacked.
    pub unpacked: bool,
    /// A change that came over the network was made to the sources.
    pub patched: bool,
    /// Where a repository was cloned to.
    pub cloned: Vec<String>,
    /// Names of git remotes that the script itself set.
    pub remotes: HashSet<String>,
    /// Where folders of the workspace were moved to.
    pub moved: Vec<String>,
    /// What the table of paths said before, by path and use.
    pub known_places: RefCell<HashMap<Use, HashMap<String, Option<Sensitive>>>>,
    /// Readings of the last texts that were run.
    pub readings: Vec<Reading>,
    class: Class,
    findings: Vec<Finding>,
    effects: Vec<Effect>,
    depth: usize,
    call_depth: usize,
    calls: usize,
    codes: usize,
}

/// Where findings and effects stood; see [`Trial::mark`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    class: Class,
    findings: usize,
}

impl<'a> Trial<'a> {
    pub fn new(rules: &'a Rules, user: &'a [Compiled], stage: &'a Stage) -> Self {
        let roots = stage.writable.iter().map(PathBuf::from);
        Trial {
            stage,
            places: Places::new(&stage.home, &stage.hermes_home, roots).for_shell(),
            rules,
            user,
            files: HashMap::new(),
            running: Vec::new(),
            unpacked: false,
            patched: false,
            cloned: Vec::new(),
            remotes: HashSet::new(),
            moved: Vec::new(),
            known_places: RefCell::default(),
            readings: Vec::new(),
            class: Class::ReadOnly,
            findings: Vec::new(),
            effects: Vec::new(),
            depth: 0,
            call_depth: 0,
            calls: 0,
            codes: 0,
        }
    }

    pub fn found(&mut self, finding: Finding) {
        self.class = self.class.max(finding.class);
        // When there is no room left, what is gravest must still be there.
        if self.findings.len() >= FINDINGS {
            if finding.class == Class::Deny
                && self.findings.last().is_some_and(|last| last.class < Class::Deny)
            {
                self.findings.pop();
                self.findings.push(finding);
            }
            return;
        }
        let same = |old: &Finding| {
            old.rule == finding.rule && old.span == finding.span && old.reason == finding.reason
        };
        if !self.findings.iter().rev().take(16).any(same) {
            self.findings.push(finding);
        }
    }

    pub fn effect(&mut self, kind: EffectKind, target: impl Into<String>) {
        let effect = Effect { kind, target: target.into() };
        if self.effects.len() < EFFECTS && !self.effects.contains(&effect) {
            self.effects.push(effect);
        }
    }

    /// Something is changed, within what the policy allows.
    pub fn changes(&mut self) {
        self.class = self.class.max(Class::Safe);
    }

    pub fn raise(&mut self, class: Class) {
        self.class = self.class.max(class);
    }

    pub fn class(&self) -> Class {
        self.class
    }

    /// Begins a part that is judged by itself: the class starts anew.
    pub fn mark(&mut self) -> Mark {
        let mark = Mark { class: self.class, findings: self.findings.len() };
        self.class = Class::ReadOnly;
        mark
    }

    /// Ends such a part and returns its class.
    pub fn since(&mut self, mark: Mark) -> Class {
        let class = self.class;
        self.class = class.max(mark.class);
        class
    }

    /// Takes back what was found since the mark.
    pub fn forget(&mut self, mark: Mark) {
        self.findings.truncate(mark.findings);
        self.class = mark.class;
    }

    /// What was refused since the mark is only asked about: it would happen in a closed container.
    pub fn soften(&mut self, mark: Mark) {
        for finding in self.findings.iter_mut().skip(mark.findings) {
            finding.class = finding.class.min(Class::Ask);
        }
        self.class = self.class.min(Class::Ask);
    }

    /// One more call; false when there were too many.
    pub fn count(&mut self) -> bool {
        self.calls += 1;
        self.calls <= CALLS
    }

    /// One launcher deeper, with so many words; false when it is too deep. Every `true` needs a [`Trial::leave_call`].
    pub fn enter_call(&mut self, words: usize) -> bool {
        let deepest = if words > WORDY { WORDY_DEPTH } else { CALL_DEPTH };
        if self.call_depth >= deepest {
            return false;
        }
        self.call_depth += 1;
        true
    }

    /// Inside more than one launcher.
    pub fn is_nested(&self) -> bool {
        self.call_depth > 2
    }

    pub fn leave_call(&mut self) {
        self.call_depth = self.call_depth.saturating_sub(1);
    }

    /// Code inside code; false when there was too much of it. Every `true` needs a [`Trial::leave`].
    pub fn enter_code(&mut self) -> bool {
        self.codes += 1;
        self.codes <= CODES && self.enter()
    }

    /// One level deeper; false when it is too deep. Every `true` needs a [`Trial::leave`].
    pub fn enter(&mut self) -> bool {
        if self.depth >= DEPTH {
            return false;
        }
        self.depth += 1;
        true
    }

    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub fn end(mut self) -> Judgement {
        self.effects.sort();
        self.findings.sort_by(|a, b| b.class.cmp(&a.class).then(a.span.cmp(&b.span)));
        let category = self.findings.first().map(|finding| finding.category.clone());
        Judgement { class: self.class, category, effects: self.effects, findings: self.findings }
    }
}
