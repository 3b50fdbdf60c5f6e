//! The walk itself: what is known at each place, and the commands found so far.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::super::model::{Command, Script};
use super::super::notes::Notes;
use super::super::reader::{MAX_TEXTS, Reader};
use super::super::streams;
use super::super::tree::{FunctionNode, List, Span};
use super::choice::Choices;
use super::env::{self, Alternative, Changes, Env};
use super::input::Descriptor;
use super::{call, declare, redirect};

/// A loop's variables may take new values each time round. After so many readings whatever still changes
/// is unknown.
pub(super) const PASSES: usize = 3;

/// Functions, texts and substitutions inside each other, however they came there.
const MAX_NESTING: usize = 80;

/// Reads the script behind a tree.
pub(in crate::shell) fn script(tree: &List, reader: &Reader<'_>, notes: Notes) -> (Script, usize) {
    let mut resolver = Resolver::new(reader, notes);
    for pass in 0..PASSES {
        resolver.restart(reader, pass);
        resolver.list(tree, &Place::default());
        resolver.uncalled_functions();
        if !resolver.loops_changed || resolver.notes.exhausted() {
            break;
        }
    }
    let mut script = resolver.script;
    let steps = resolver.notes.steps();
    script.doubts = resolver.notes.doubts;
    script.doubts.sort_by_key(|doubt| doubt.span.start);
    (script, steps)
}

/// What holds for every command at a place in the script.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) reads_from: Option<usize>,
    pub(super) input: Option<Arc<str>>,
    pub(super) background: bool,
    pub(super) function: Option<usize>,
    pub(super) in_loop: bool,
    /// In a branch, or behind `&&` or `||`.
    pub(super) conditional: bool,
    /// How many substitutions are around it.
    pub(super) substitution: usize,
    /// Somebody wants to know what is printed here.
    pub(super) captured: bool,
}

pub(super) struct Resolver<'a> {
    pub(super) home: &'a str,
    pub(super) cwd: &'a str,
    pub(super) script: Script,
    /// For each command, how many substitutions are around it.
    pub(super) levels: Vec<usize>,
    pub(super) env: Env,
    /// The functions that may be defined here; the last part tells whether they certainly are.
    pub(super) functions: HashMap<String, (usize, Rc<FunctionNode>, bool)>,
    pub(super) bodies: Vec<Rc<FunctionNode>>,
    pub(super) called: HashSet<usize>,
    /// The functions that are being walked.
    pub(super) calls: Vec<call::Frame>,
    /// Functions that are called in ways that were not followed.
    pub(super) unfollowed: HashSet<usize>,
    pub(super) aliases: HashMap<String, String>,
    /// Variables that commands find in their environment.
    pub(super) exports: Vec<String>,
    /// `set -a`: all that are assigned from here on.
    pub(super) exports_all: bool,
    /// What stands on descriptors, the newest last.
    pub(super) descriptors: Vec<Descriptor>,
    /// Aliases that are being followed: they do not expand themselves.
    pub(super) open_aliases: Vec<String>,
    /// What loops changed in earlier passes, by where they stand.
    pub(super) loops: HashMap<usize, Changes>,
    pub(super) loops_changed: bool,
    pub(super) pass: usize,
    pub(super) choices: Option<Choices>,
    /// Variables that are taken for empty in this reading, though nothing is known of them.
    pub(super) blank: Vec<String>,
    /// Variables that were read though nothing sets them.
    pub(super) nevers: Vec<String>,
    /// Process substitutions of the command that is being expanded.
    pub(super) processes: Vec<redirect::Process>,
    /// Assignments among the arguments of the command that is being expanded.
    pub(super) declared: Vec<declare::Assigned>,
    /// The last command; `$_` gives its last word.
    pub(super) last_command: Option<usize>,
    /// The command that is being expanded.
    pub(super) here: Span,
    pub(super) nesting: usize,
    pub(super) texts: usize,
    /// How many things are being walked that were walked before.
    pub(super) repeats: usize,
    pub(super) notes: Notes,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(reader: &Reader<'a>, notes: Notes) -> Self {
        Resolver {
            home: reader.surroundings.home,
            cwd: reader.surroundings.cwd,
            script: Script::default(),
            levels: Vec::new(),
            env: Env::default(),
            functions: HashMap::new(),
            bodies: Vec::new(),
            called: HashSet::new(),
            calls: Vec::new(),
            unfollowed: HashSet::new(),
            aliases: HashMap::new(),
            exports: Vec::new(),
            exports_all: false,
            descriptors: Vec::new(),
            open_aliases: Vec::new(),
            loops: HashMap::new(),
            loops_changed: false,
            pass: 0,
            choices: None,
            blank: Vec::new(),
            nevers: Vec::new(),
            processes: Vec::new(),
            declared: Vec::new(),
            last_command: None,
            here: 0..0,
            nesting: 0,
            texts: reader.depth,
            repeats: 0,
            notes,
        }
    }

    /// Begins a pass: everything is forgotten but what loops do to variables.
    pub(super) fn restart(&mut self, reader: &Reader<'_>, pass: usize) {
        self.script = Script::default();
        self.levels.clear();
        self.env = Env::default();
        self.functions.clear();
        self.bodies.clear();
        self.called.clear();
        self.unfollowed.clear();
        self.aliases.clear();
        self.exports.clear();
        self.exports_all = false;
        self.descriptors.clear();
        self.last_command = None;
        self.loops_changed = false;
        self.pass = pass;
        self.repeats = usize::from(pass > 0);
        for (name, value) in reader.variables {
            self.env.assign(name, vec![Alternative::Scalar(value.pieces.clone().into())], false);
            self.export(name);
        }
        if let Some(arguments) = reader.arguments {
            let arguments = arguments.iter().map(|word| Rc::new(word.pieces.clone())).collect();
            self.set_arguments(arguments, false);
        }
    }

    pub(super) fn set_arguments(&mut self, arguments: Vec<env::Value>, merge: bool) {
        let elements = arguments.into_iter().enumerate();
        let elements = elements.map(|(at, value)| (at.saturating_add(1).to_string(), value)).collect();
        self.env.assign("@", vec![Alternative::Array(Rc::new(elements))], merge);
    }

    pub(super) fn push(&mut self, mut command: Command, place: &Place) -> usize {
        command.background = place.background;
        command.in_function = place.function;
        command.in_loop = place.in_loop;
        command.conditional = place.conditional;
        command.in_substitution = place.substitution > 0;
        // An input of its own takes the place of the pipe.
        if !command.redirects.iter().any(streams::is_input) {
            command.reads_from = place.reads_from;
            command.input.clone_from(&place.input);
            if let Some((opener, text)) = self.standing_input().filter(|_| place.reads_from.is_none()) {
                command.reads_from = Some(opener);
                command.input = text;
            }
        }
        self.work(60usize.saturating_add(command.words.len().saturating_mul(12)));
        self.levels.push(place.substitution);
        self.script.commands.push(command);
        self.script.commands.len().saturating_sub(1)
    }

    /// Pays for work on the script itself, unless that is done for the first time.
    pub(super) fn work(&mut self, steps: usize) {
        if self.repeats > 0 {
            self.notes.spend(steps);
        } else {
            self.notes.count(steps);
        }
    }

    /// Goes one level deeper, unless that is too deep.
    pub(super) fn enter(&mut self, span: &Span) -> bool {
        if self.nesting >= MAX_NESTING {
            self.notes.doubt("nested too deeply to follow", span.clone());
            return false;
        }
        self.nesting = self.nesting.saturating_add(1);
        true
    }

    pub(super) fn enter_here(&mut self) -> bool {
        let span = self.here.clone();
        self.enter(&span)
    }

    pub(super) fn leave(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
    }

    /// Goes into a text that the script runs as commands, unless that is too deep.
    pub(super) fn enter_text(&mut self, span: &Span) -> bool {
        if self.texts >= MAX_TEXTS {
            self.notes.doubt("too many texts inside texts", span.clone());
            return false;
        }
        self.texts = self.texts.saturating_add(1);
        true
    }

    pub(super) fn leave_text(&mut self) {
        self.texts = self.texts.saturating_sub(1);
    }

    /// Bodies of functions that nothing in the script calls, or that were not followed everywhere: anything
    /// may be their arguments.
    pub(super) fn uncalled_functions(&mut self) {
        let mut done = HashSet::new();
        let mut waiting: Vec<usize> = (0..self.bodies.len()).collect();
        while !waiting.is_empty() {
            for at in waiting {
                let wanted = self.unfollowed.contains(&at) || !self.called.contains(&at);
                if wanted && done.insert(at) {
                    self.uncalled_function(at);
                }
            }
            // Walking them may have found more.
            waiting = self.unfollowed.iter().copied().filter(|at| !done.contains(at)).collect();
            waiting.sort_unstable();
        }
    }

    pub(super) fn uncalled_function(&mut self, at: usize) {
        let Some(function) = self.bodies.get(at).map(Rc::clone) else { return };
        self.called.insert(at);
        self.env.begin();
        self.env.put("@", None);
        self.calls.push(call::Frame { function: at, ..call::Frame::default() });
        self.node(&function.body, &Place { function: Some(at), ..Place::default() });
        self.calls.pop();
        self.env.rollback();
    }
}
