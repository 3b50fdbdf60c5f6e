//! Compound commands: every branch is walked, and what they leave in variables comes together after them.

use super::super::model::Command;
use super::super::streams;
use super::super::tree::{CaseArm, Compound, CompoundKind, List, WordNode};
use super::env::{self, Alternative, Changes, MAX_ALTERNATIVES};
use super::fields::Mode;
use super::{PASSES, Place, Resolver};

/// What more loops than this do to variables is not told apart.
const MAX_LOOPS: usize = 200;

impl Resolver<'_> {
    pub(super) fn compound(&mut self, compound: &Compound, place: &Place) -> Option<String> {
        let mut inside = place.clone();
        let (mut opened, mut captured) = (None, true);
        if !compound.redirects.is_empty() {
            let outer = std::mem::take(&mut self.processes);
            let redirects = self.redirects(&compound.redirects, place);
            let input = self.own_input(&redirects);
            opened = Some(self.open_descriptors(&redirects));
            let reads = redirects.iter().any(streams::is_input);
            let prints = redirects.iter().any(streams::is_output);
            let command = Command { redirects, span: compound.span.clone(), input, ..Command::default() };
            let at = self.push(command, place);
            let processes = std::mem::replace(&mut self.processes, outer);
            self.link_processes(&processes, at);
            if reads {
                let command = self.script.commands.get(at);
                inside.reads_from = command.and_then(|command| command.reads_from).or(Some(at));
                inside.input = command.and_then(|command| command.input.clone());
            }
            if prints {
                inside.captured = false;
            }
            captured = !prints;
        }
        let output = self.kind(&compound.kind, compound.span.start, &inside);
        if let Some(before) = opened {
            self.descriptors.truncate(before);
        }
        output.filter(|_| captured)
    }

    fn kind(&mut self, kind: &CompoundKind, key: usize, place: &Place) -> Option<String> {
        self.last_command = None;
        match kind {
            CompoundKind::Group(list) => self.list(list, place),
            CompoundKind::Subshell(list) => {
                self.env.begin();
                let output = self.list(list, place);
                self.env.rollback();
                output
            }
            CompoundKind::If { arms, otherwise } => {
                self.branches(arms, otherwise.as_ref(), place);
                None
            }
            CompoundKind::While { condition, body } => {
                let place = Place { in_loop: true, captured: false, ..place.clone() };
                self.enter_loop(key);
                self.list(condition, &place);
                self.loop_body(body, key, &place);
                None
            }
            CompoundKind::For { name, words, body } => {
                self.for_loop(name, words.as_deref(), (body, key), place);
                None
            }
            CompoundKind::ForArithmetic { head, body } => {
                self.enter_loop(key);
                for part in head {
                    self.arithmetic_command(part, place);
                }
                let place = Place { in_loop: true, captured: false, ..place.clone() };
                self.loop_body(body, key, &place);
                None
            }
            CompoundKind::Case { subject, arms } => {
                self.case(subject, arms, place);
                None
            }
            CompoundKind::Condition(words) => {
                self.condition(words, place);
                Some(String::new())
            }
            CompoundKind::Arithmetic(word) => {
                self.arithmetic_command(word, place);
                Some(String::new())
            }
        }
    }

    fn branches(&mut self, arms: &[(List, List)], otherwise: Option<&List>, place: &Place) {
        let place = &Place { captured: false, ..place.clone() };
        let inside = Place { conditional: true, ..place.clone() };
        let mut ends = Vec::new();
        for (at, (condition, body)) in arms.iter().enumerate() {
            if at == 0 {
                self.list(condition, place);
            } else {
                self.env.begin();
                self.list(condition, place);
                self.close_maybe();
            }
            ends.push(self.branch(body, &inside));
        }
        if let Some(body) = otherwise {
            ends.push(self.branch(body, &inside));
        }
        self.merge(ends, otherwise.is_none());
    }

    /// Brings branches together. Values that come from many of them are paid for.
    pub(super) fn merge(&mut self, branches: Vec<Changes>, may_skip_all: bool) {
        let slots = branches.iter().flat_map(Changes::values);
        let values: usize = slots.map(|slot| slot.alternatives.len().saturating_add(1)).sum();
        if self.notes.spend(values.saturating_mul(12)) {
            self.env.merge(branches, may_skip_all);
            return;
        }
        for name in branches.into_iter().flat_map(Changes::into_keys) {
            let alternatives = vec![env::unknown_variable(&name)].into();
            self.env.put(&name, Some(env::Slot { alternatives, ..env::Slot::default() }));
        }
    }

    fn branch(&mut self, body: &List, place: &Place) -> Changes {
        self.env.begin();
        self.list(body, place);
        self.env.rollback()
    }

    fn case(&mut self, subject: &WordNode, arms: &[CaseArm], place: &Place) {
        let place = &Place { captured: false, ..place.clone() };
        self.each_choice(|this, _| {
            this.pieces(subject, Mode::Plain, place);
            for pattern in arms.iter().flat_map(|arm| &arm.patterns) {
                this.pieces(pattern, Mode::Pattern, place);
            }
        });
        let inside = Place { conditional: true, ..place.clone() };
        let mut ends = Vec::new();
        let mut all_covered = false;
        for arm in arms {
            let end = self.branch(&arm.body, &inside);
            all_covered |= arm.patterns.iter().any(|pattern| pattern.bare() == Some("*"));
            if arm.falls_through {
                // The next arm begins with what this one left, or without it.
                self.merge(vec![end], true);
            } else {
                ends.push(end);
            }
        }
        self.merge(ends, !all_covered);
    }

    fn for_loop(&mut self, name: &str, words: Option<&[WordNode]>, body: (&List, usize), place: &Place) {
        let place = Place { in_loop: true, captured: false, ..place.clone() };
        let mut values: Vec<Alternative> = Vec::new();
        match words {
            None => match self.arguments() {
                Some(list) => values.extend(list.iter().map(|(_, value)| Alternative::Scalar(value.clone()))),
                None => values.push(Alternative::Scalar(env::unknown("$@"))),
            },
            Some(words) => self.each_choice(|this, _| {
                for word in words {
                    for field in this.fields(word, &place) {
                        let value = Alternative::Scalar(field.pieces.into());
                        if values.len() <= MAX_ALTERNATIVES && !values.contains(&value) {
                            values.push(value);
                        }
                    }
                }
            }),
        }
        self.enter_loop(body.1);
        if !values.is_empty() {
            self.env.assign(name, values, false);
        }
        self.loop_body(body.0, body.1, &place);
    }

    /// A loop begins with what was there before it or with what its body left.
    fn enter_loop(&mut self, key: usize) {
        if let Some(mut changes) = self.loops.get(&key).cloned() {
            if self.pass.saturating_add(1) >= PASSES {
                for (name, slot) in &mut changes {
                    let mut values = slot.alternatives.to_vec();
                    values.push(env::unknown_variable(name));
                    slot.alternatives = values.into();
                }
            }
            self.merge(vec![changes], true);
        }
    }

    fn loop_body(&mut self, body: &List, key: usize, place: &Place) {
        let changes = self.branch(body, place);
        // Of many loops only the names of the variables are kept.
        let many = self.loops.len() > MAX_LOOPS;
        for (name, slot) in &changes {
            let known = self.loops.entry(key).or_default();
            let old = known.get(name).map_or(&[][..], |slot| slot.alternatives.as_slice());
            let unknown = env::unknown_variable(name);
            if old.contains(&unknown) || slot.alternatives.iter().all(|value| old.contains(value)) {
                continue;
            }
            let mut all = old.to_vec();
            if many {
                all.push(unknown);
            } else {
                all.extend(slot.alternatives.iter().filter(|value| !old.contains(value)).cloned());
                all.truncate(MAX_ALTERNATIVES.saturating_add(1));
            }
            known.insert(name.clone(), env::Slot { alternatives: all.into(), ..slot.clone() });
            self.loops_changed = true;
        }
        self.merge(vec![changes], true);
    }

    /// The words of `[[ … ]]`. Operands of a comparison of numbers are arithmetic, and run what is in them.
    fn condition(&mut self, words: &[WordNode], place: &Place) {
        self.each_choice(|this, _| {
            let mut numeric = false;
            let mut last: Option<String> = None;
            for word in words {
                let value = this.pieces(word, Mode::Plain, place);
                let text = env::literal(&value);
                let sign =
                    matches!(word.bare(), Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v" | "-R"));
                if sign {
                    this.hidden_commands(last.as_deref(), &word.span, place);
                } else if numeric {
                    this.hidden_commands(text.as_deref(), &word.span, place);
                }
                numeric = sign;
                last = text;
            }
        });
    }
}
