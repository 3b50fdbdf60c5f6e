//! Redirections and process substitutions of one command.

use std::ops::Range;

use super::super::model::{Piece, Redirect, RedirectKind, Word};
use super::super::tree::{Redirection, Substitution, Target};
use super::env;
use super::fields::Mode;
use super::{Place, Resolver};

/// A process substitution of the command that is being expanded.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub hint: String,
    pub writes: bool,
    /// Its commands.
    pub range: Range<usize>,
    pub output: Option<String>,
    /// How many substitutions are around its commands.
    pub level: usize,
}

impl Resolver<'_> {
    pub(super) fn redirects(&mut self, nodes: &[Redirection], place: &Place) -> Vec<Redirect> {
        let mut redirects = Vec::with_capacity(nodes.len());
        for node in nodes {
            let target = match &node.target {
                Target::Body(body) => match body.get() {
                    Some(word) => Word { pieces: self.pieces(word, Mode::Plain, place) },
                    None => Word::text(""),
                },
                Target::Word(word) if node.kind == RedirectKind::HereString => {
                    Word { pieces: self.pieces(word, Mode::Plain, place) }
                }
                Target::Word(word) => match self.fields(word, place).as_slice() {
                    [only] => only.clone(),
                    [] => Word::text(""),
                    // Bash refuses several words, unless it is in a mood: show them all.
                    several => Word { pieces: several.iter().flat_map(|word| word.pieces.clone()).collect() },
                },
            };
            let (mut kind, mut fd) = (node.kind, node.fd);
            if kind == RedirectKind::WriteBoth {
                // `>&$fd` with a number in it copies a descriptor.
                let number = target
                    .literal()
                    .is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
                if number && !matches!(&node.target, Target::Word(word) if word.bare().is_some()) {
                    kind = RedirectKind::Duplicate;
                    fd = fd.or(Some(1));
                }
            }
            if let Some(name) = &node.variable {
                self.env.assign(name, vec![env::unknown_variable(name)], false);
            }
            redirects.push(Redirect { kind, fd, target });
        }
        redirects
    }

    /// Walks a process substitution and remembers it for the command that has it.
    pub(super) fn process(&mut self, inner: &Substitution, writes: bool, place: &Place) -> Piece {
        let hint = inner.source.clone();
        if !self.enter_here() {
            return Piece::Unknown { hint };
        }
        let inside = Place {
            captured: !writes,
            substitution: place.substitution.saturating_add(1),
            reads_from: place.reads_from.filter(|_| !writes),
            input: place.input.clone().filter(|_| !writes),
            ..place.clone()
        };
        let start = self.script.commands.len();
        let outer = std::mem::take(&mut self.processes);
        self.env.begin();
        let output = self.list(&inner.list, &inside);
        self.env.rollback();
        self.processes = outer;
        self.leave();
        let range = start..self.script.commands.len();
        let level = inside.substitution;
        self.processes.push(Process { hint: hint.clone(), writes, range, output, level });
        Piece::Unknown { hint }
    }

    /// Links the process substitutions of a command to it: they are pipes.
    pub(super) fn link_processes(&mut self, processes: &[Process], command: usize) {
        for process in processes {
            if process.writes {
                let first = self.first_at(process.range.clone(), process.level);
                for inner in self.script.commands.get_mut(process.range.clone()).unwrap_or(&mut []) {
                    inner.reads_from = inner.reads_from.or(Some(command));
                }
                if let Some(outer) = self.script.commands.get_mut(command) {
                    outer.feeds = outer.feeds.or(first);
                }
            } else if let Some(last) = self.last_at(process.range.clone(), process.level) {
                if let Some(inner) = self.script.commands.get_mut(last) {
                    inner.feeds = Some(command);
                }
                if let Some(outer) = self.script.commands.get_mut(command) {
                    outer.reads_from = outer.reads_from.or(Some(last));
                }
            }
        }
    }
}
