//! Lists, pipelines and functions. Walking a piece of script gives what it prints, where that is certain.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::super::model::Function;
use super::super::tree::{AndOr, Arg, AssignValue, FunctionNode, Item, List, Node, Part, Pipeline};
use super::{Place, Resolver};

/// Longer output is not followed.
pub(super) const MAX_OUTPUT: usize = 16 * 1024;

/// Programs that do not fail, so that what stands behind `&&` surely runs.
const SUCCEEDING: [&str; 12] = [
    "true", ":", "echo", "printf", "export", "declare", "typeset", "readonly", "local", "set", "unset",
    "alias",
];

impl Resolver<'_> {
    pub(super) fn list(&mut self, list: &List, place: &Place) -> Option<String> {
        let mut output = Some(String::new());
        for item in &list.items {
            let more = self.item(item, place);
            output = self.join(output, more);
        }
        output
    }

    fn join(&mut self, first: Option<String>, second: Option<String>) -> Option<String> {
        let (mut first, second) = (first?, second?);
        first.push_str(&second);
        (first.len() <= MAX_OUTPUT && self.notes.spend(second.len() / 4)).then_some(first)
    }

    fn item(&mut self, item: &Item, place: &Place) -> Option<String> {
        if item.background {
            let place = Place { background: true, ..place.clone() };
            self.env.begin();
            self.chain(item, &place);
            self.env.rollback();
            // When it prints is not certain.
            return None;
        }
        self.chain(item, place)
    }

    /// `a && b || c`: what may not run leaves the variables as they are or as it changed them.
    fn chain(&mut self, item: &Item, place: &Place) -> Option<String> {
        let mut output = self.pipeline(&item.first, place);
        if item.rest.is_empty() {
            return output;
        }
        let inside = Place { conditional: true, ..place.clone() };
        let mut surely = self.succeeds(&item.first);
        let mut open = false;
        for (sign, pipeline) in &item.rest {
            if *sign == AndOr::Or {
                if open {
                    self.close_maybe();
                }
                open = false;
                self.env.begin();
                self.pipeline(pipeline, &inside);
                self.close_maybe();
                output = output.filter(|_| surely);
                continue;
            }
            if !surely && !open {
                self.env.begin();
                open = true;
            }
            let more = self.pipeline(pipeline, if surely { place } else { &inside });
            output = if surely { self.join(output, more) } else { None };
            surely = surely && self.succeeds(pipeline);
        }
        if open {
            self.close_maybe();
        }
        output
    }

    /// Closes a frame whose changes may or may not have happened.
    pub(super) fn close_maybe(&mut self) {
        let changes = self.env.rollback();
        self.merge(vec![changes], true);
    }

    fn pipeline(&mut self, pipeline: &Pipeline, place: &Place) -> Option<String> {
        if let [only] = pipeline.stages.as_slice() {
            return self.node(only, place);
        }
        let count = pipeline.stages.len();
        let mut place_now = place.clone();
        let mut before: Option<Range<usize>> = None;
        let mut output = None;
        for (at, stage) in pipeline.stages.iter().enumerate() {
            place_now.captured = place.captured || at.saturating_add(1) < count;
            let start = self.script.commands.len();
            self.env.begin();
            output = self.node(stage, &place_now);
            self.env.rollback();
            let range = start..self.script.commands.len();
            if let Some(before) = before {
                self.feed(before, self.first_at(range.clone(), place.substitution));
            }
            place_now.reads_from = self.last_at(range.clone(), place.substitution);
            place_now.input = output.as_deref().map(Arc::from);
            before = Some(range);
        }
        output
    }

    /// Links everything that prints into a pipe to the reader.
    fn feed(&mut self, writers: Range<usize>, reader: Option<usize>) {
        let levels = self.levels.get(writers.clone()).unwrap_or(&[]);
        let lowest = levels.iter().min().copied().unwrap_or(0);
        let commands = self.script.commands.get_mut(writers).unwrap_or(&mut []);
        for (command, level) in commands.iter_mut().zip(levels) {
            if *level == lowest && command.feeds.is_none() {
                command.feeds = reader;
            }
        }
    }

    pub(super) fn first_at(&self, range: Range<usize>, level: usize) -> Option<usize> {
        range.into_iter().find(|at| self.levels.get(*at) == Some(&level))
    }

    pub(super) fn last_at(&self, range: Range<usize>, level: usize) -> Option<usize> {
        range.into_iter().rev().find(|at| self.levels.get(*at) == Some(&level))
    }

    pub(super) fn node(&mut self, node: &Node, place: &Place) -> Option<String> {
        match node {
            Node::Simple(simple) => self.simple(simple, place),
            Node::Compound(compound) => {
                if !self.enter(&compound.span) {
                    return None;
                }
                let output = self.compound(compound, place);
                self.leave();
                output
            }
            Node::Function(function) => {
                self.define(function);
                Some(String::new())
            }
            Node::Coprocess(inner) => {
                let place = Place { background: true, ..place.clone() };
                self.env.begin();
                self.node(inner, &place);
                self.env.rollback();
                self.env.assign("COPROC", vec![super::env::unknown_variable("COPROC")], false);
                None
            }
        }
    }

    fn define(&mut self, function: &Rc<FunctionNode>) {
        let at = self.bodies.len();
        self.bodies.push(Rc::clone(function));
        self.script.functions.push(Function { name: function.name.clone() });
        let certain = self.env.is_certain();
        self.functions.insert(function.name.clone(), (at, Rc::clone(function), certain));
    }

    /// Whether a pipeline cannot fail: bare assignments, and a few builtins.
    fn succeeds(&mut self, pipeline: &Pipeline) -> bool {
        let [Node::Simple(simple)] = pipeline.stages.as_slice() else { return false };
        if pipeline.negated || !simple.redirects.is_empty() {
            return false;
        }
        match simple.args.first() {
            None => simple.assignments.iter().all(|assign| match &assign.value {
                AssignValue::Word(word) => {
                    word.parts.iter().all(|part| matches!(part, Part::Text { .. } | Part::Parameter(_)))
                }
                AssignValue::Array(_) => false,
            }),
            Some(Arg::Word(word)) => word.bare().is_some_and(|name| {
                let sure = SUCCEEDING.contains(&name) || (name == "cd" && self.is_always_there());
                sure && !self.functions.contains_key(name)
            }),
            Some(Arg::Assign(_)) => false,
        }
    }
}
