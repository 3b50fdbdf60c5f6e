//! Simple commands: expanded, put into the list, and followed where they change what is known.

use super::super::decode;
use super::super::model::{Assignment, Command, Piece, Word};
use super::super::streams;
use super::super::tree::{Arg, Simple};
use super::declare::Assigned;
use super::env;
use super::redirect::Process;
use super::{Place, Resolver};

/// A command with all that was found when it was expanded.
pub(super) struct Ready<'n> {
    pub node: &'n Simple,
    pub command: Command,
    /// Assignments in front of it.
    pub prefix: Vec<Assigned>,
    /// Assignments among its arguments.
    pub declared: Vec<Assigned>,
    pub processes: Vec<Process>,
    /// Another reading of the same command came before: what this one changes is only possible.
    pub merge: bool,
}

/// The readings of a command so far: the commands in the substitutions of the first one, and where the
/// readings themselves stand.
#[derive(Default)]
struct Readings {
    inside: std::ops::Range<usize>,
    places: Vec<usize>,
}

impl Resolver<'_> {
    pub(super) fn simple(&mut self, node: &Simple, place: &Place) -> Option<String> {
        if node.args.is_empty() && node.assignments.is_empty() && node.redirects.is_empty() {
            return Some(String::new());
        }
        let mut readings = Readings::default();
        let mut output = None;
        self.each_choice(|this, round| {
            let text = this.reading(node, place, &mut readings);
            output = text.filter(|_| round == 0);
        });
        output
    }

    /// One reading of a command, and a second one if its program depends on a variable that nothing sets.
    fn reading(&mut self, node: &Simple, place: &Place, readings: &mut Readings) -> Option<String> {
        self.work(30);
        let outer = (std::mem::take(&mut self.processes), std::mem::take(&mut self.declared));
        let around = std::mem::replace(&mut self.here, node.span.clone());
        let start = self.script.commands.len();
        self.nevers.clear();
        let (words, blank) = self.words(&node.args, place);
        let ready = self.ready(node, words, !readings.places.is_empty(), place);
        let output = self.emit(ready, start, readings, place);
        if !blank.is_empty() && self.blank.is_empty() {
            self.blank = blank;
            self.empty_reading(node, place, readings);
            self.blank.clear();
        }
        (self.processes, self.declared) = outer;
        self.here = around;
        output
    }

    /// The same command if variables that nothing sets are empty, where that gives it another program.
    fn empty_reading(&mut self, node: &Simple, place: &Place, readings: &mut Readings) {
        let start = self.script.commands.len();
        let (words, _) = self.words(&node.args, place);
        let program = words.first().and_then(env::plain);
        if program.is_some_and(|program| !program.is_empty() && !program.starts_with('-')) {
            let ready = self.ready(node, words, true, place);
            self.emit(ready, start, readings, place);
        } else {
            self.truncate(start);
            self.processes.clear();
            self.declared.clear();
        }
    }

    /// The words, and the variables that the program depends on though nothing sets them.
    fn words(&mut self, args: &[Arg], place: &Place) -> (Vec<Word>, Vec<String>) {
        let mut words = Vec::with_capacity(args.len());
        let mut blank = Vec::new();
        let mut looking = true;
        for arg in args {
            let more = self.argument(arg, place);
            if looking {
                blank.clone_from(&self.nevers);
                let known = |piece: &Piece| !matches!(piece, Piece::Unknown { .. });
                looking = !more.iter().any(|word| word.pieces.iter().any(known));
            }
            words.extend(more);
        }
        (words, blank)
    }

    fn ready<'n>(&mut self, node: &'n Simple, words: Vec<Word>, merge: bool, place: &Place) -> Ready<'n> {
        let redirects = self.redirects(&node.redirects, place);
        let mut assignments = Vec::with_capacity(node.assignments.len());
        let mut prefix = Vec::new();
        // In front of a program they hold for it alone.
        let passing = !words.is_empty() && !node.assignments.is_empty();
        if passing {
            self.env.begin();
        }
        for assign in &node.assignments {
            let assigned = self.assigned(assign, place);
            let value = Word { pieces: assigned.shown.to_vec() };
            assignments.push(Assignment { name: assign.name.clone(), value, append: assign.append });
            // The next one sees this one.
            self.assign(&assigned, merge && !passing, place);
            if passing {
                prefix.push(assigned);
            } else {
                self.note_assignment(&assigned.name);
            }
        }
        if passing {
            self.env.rollback();
        }
        let input = self.own_input(&redirects);
        if let [only] = words.as_slice()
            && env::plain(only) == Some("exec")
        {
            self.open_descriptors(&redirects);
        }
        let span = node.span.clone();
        Ready {
            node,
            command: Command { assignments, words, redirects, input, span, ..Command::default() },
            prefix,
            declared: std::mem::take(&mut self.declared),
            processes: std::mem::take(&mut self.processes),
            merge,
        }
    }

    /// Puts the command into the list, unless an earlier reading put the same one there, and follows it.
    fn emit(
        &mut self,
        mut ready: Ready<'_>,
        start: usize,
        readings: &mut Readings,
        place: &Place,
    ) -> Option<String> {
        let inside = start..self.script.commands.len();
        if readings.places.is_empty() {
            readings.inside = inside;
        } else {
            if self.same(&readings.inside, &inside) {
                self.truncate(start);
                ready.processes.clear();
            }
            let commands = &self.script.commands;
            let same = |at: &usize| commands.get(*at).is_some_and(|old| says_same(old, &ready.command));
            if readings.places.iter().any(same) {
                return None;
            }
        }
        if ready.command.is_nothing() {
            return Some(String::new());
        }
        let name = ready.command.words.first().and_then(env::plain);
        let function = name.and_then(|name| self.functions.get(name));
        ready.command.calls = function.and_then(|(at, _, certain)| certain.then_some(*at));
        // Whoever only changes the folder runs no text.
        let runs = !ready.command.words.is_empty() && !matches!(name, Some("cd" | "pushd" | "popd"));
        if runs {
            ready.command.environment = self.environment(&ready.command.assignments);
        }
        let at = self.push(std::mem::take(&mut ready.command), place);
        readings.places.push(at);
        self.link_processes(&ready.processes, at);
        // Taken out of the list while it is followed, so that it need not be copied.
        ready.command = self.script.commands.get_mut(at).map(std::mem::take)?;
        let output = self.follow(&ready, place);
        if let Some(slot) = self.script.commands.get_mut(at) {
            *slot = ready.command;
        }
        self.last_command = Some(at);
        output
    }

    /// What the command does to the rest of the script, and what it prints.
    fn follow(&mut self, ready: &Ready<'_>, place: &Place) -> Option<String> {
        let command = &ready.command;
        if command.words.is_empty() {
            return command.redirects.is_empty().then(String::new);
        }
        let inside = Place {
            reads_from: command.reads_from,
            input: command.input.clone(),
            captured: place.captured && !command.redirects.iter().any(streams::is_output),
            ..place.clone()
        };
        if let Some(output) = self.alias(ready, &inside) {
            return output;
        }
        if let Some(output) = self.call(ready, &inside) {
            return output;
        }
        if let Some(output) = self.text_command(ready, &inside) {
            return output;
        }
        self.builtin(ready, &inside);
        if !inside.captured {
            return None;
        }
        self.printed_folder(command).or_else(|| decode::command_output(command))
    }

    fn same(&self, old: &std::ops::Range<usize>, new: &std::ops::Range<usize>) -> bool {
        let old = self.script.commands.get(old.clone()).unwrap_or(&[]);
        let new = self.script.commands.get(new.clone()).unwrap_or(&[]);
        old.len() == new.len() && old.iter().zip(new).all(|(old, new)| says_same(old, new))
    }

    pub(super) fn truncate(&mut self, start: usize) {
        self.script.commands.truncate(start);
        self.levels.truncate(start);
    }
}

impl Command {
    /// Everything in it expanded to nothing, so nothing would start.
    fn is_nothing(&self) -> bool {
        self.words.is_empty() && self.assignments.is_empty() && self.redirects.is_empty()
    }
}

/// Whether two readings of a command are the same, wherever they stand in the list.
fn says_same(old: &Command, new: &Command) -> bool {
    old.words == new.words
        && old.assignments == new.assignments
        && old.redirects == new.redirects
        && old.span == new.span
}
