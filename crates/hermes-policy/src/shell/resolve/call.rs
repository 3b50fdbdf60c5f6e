//! Commands that run something that stands in the script: aliases, functions, `eval`, `source`.

use super::super::DYNAMIC_EVAL;
use super::super::model::{Piece, Word};
use super::super::parse;
use super::super::tree::{Arg, Span};
use super::env::{self, Slot};
use super::simple::Ready;
use super::{Place, Resolver};

/// A function that calls itself is followed this often.
const MAX_RECURSION: usize = 3;

/// A function that is being walked.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub function: usize,
    /// Nothing if they are unknown.
    pub arguments: Option<Vec<Word>>,
    /// Its local variables, with what they hide.
    pub locals: Vec<(String, Option<Slot>)>,
}

/// Names under which a command finds its standard input.
const STANDARD_INPUT: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

impl Resolver<'_> {
    /// Follows a command whose name is an alias: its text, then the other words as they are.
    pub(super) fn alias(&mut self, ready: &Ready<'_>, place: &Place) -> Option<Option<String>> {
        let node = ready.node;
        let Some(Arg::Word(name)) = node.args.first() else { return None };
        let name = name.bare()?;
        let text = self.aliases.get(name)?.clone();
        if self.open_aliases.iter().any(|open| open == name) {
            return None;
        }
        if self.notes.exhausted() {
            self.notes.gave_up(&node.span);
            return None;
        }
        let name = name.to_owned();
        let mut script = text;
        let mut tail = node.tail.trim_start();
        // If its text ends in a blank, the next word may be an alias too.
        while script.ends_with([' ', '\t']) && script.len() < 4096 {
            let end = tail.find(|c: char| c.is_whitespace() || ";&|<>()".contains(c)).unwrap_or(tail.len());
            let (word, rest) = tail.split_at_checked(end).unwrap_or((tail, ""));
            let Some(more) = self.aliases.get(word) else { break };
            script.push_str(more);
            tail = rest;
        }
        script.push(' ');
        script.push_str(tail);
        self.open_aliases.push(name);
        let output = self.run_text(&script, &node.span, place);
        self.open_aliases.pop();
        Some(output)
    }

    /// Follows a call of a function with the arguments it gets.
    pub(super) fn call(&mut self, ready: &Ready<'_>, place: &Place) -> Option<Option<String>> {
        let command = &ready.command;
        let name = env::plain(command.words.first()?)?;
        let (at, function, _) = self.functions.get(name)?.clone();
        let arguments = command.words.get(1..).unwrap_or(&[]);
        let open = self.calls.iter().filter(|frame| frame.function == at);
        let known = |frame: &Frame| frame.arguments.as_deref().is_none_or(|open| open == arguments);
        if open.clone().any(known) {
            // It calls itself as it was called: its body is being walked already.
            return Some(None);
        }
        let deep = open.count() >= MAX_RECURSION;
        if deep || self.notes.exhausted() || !self.enter(&command.span) {
            self.unfollowed.insert(at);
            return Some(None);
        }
        self.called.insert(at);
        let choices = self.choices.take();
        let blank = std::mem::take(&mut self.blank);
        let hidden = self.env.get("@").cloned();
        self.set_arguments(arguments.iter().map(|word| word.pieces.clone().into()).collect(), false);
        let arguments = Some(arguments.to_vec());
        self.calls.push(Frame { function: at, arguments, locals: Vec::new() });
        for assigned in &ready.prefix {
            self.make_local(&assigned.name);
            self.assign(assigned, false, place);
        }
        let inside = Place { function: Some(at), conditional: false, ..place.clone() };
        self.repeats = self.repeats.saturating_add(1);
        self.notes.spend(60);
        let output = self.node(&function.body, &inside);
        self.repeats = self.repeats.saturating_sub(1);
        let locals = self.calls.pop().map(|frame| frame.locals).unwrap_or_default();
        for (name, slot) in locals.into_iter().rev() {
            self.env.put(&name, slot);
        }
        self.env.put("@", hidden);
        self.blank = blank;
        self.choices = choices;
        self.leave();
        Some(output)
    }

    /// `eval` and `source`.
    pub(super) fn text_command(&mut self, ready: &Ready<'_>, place: &Place) -> Option<Option<String>> {
        let mut words = ready.command.words.iter();
        let mut name = env::plain(words.next()?)?;
        while matches!(name, "command" | "builtin") {
            name = env::plain(words.next()?)?;
        }
        match name {
            "eval" => Some(self.eval(ready, words.as_slice(), place)),
            "source" | "." => self.source(ready, words.as_slice(), place),
            _ => None,
        }
    }

    fn eval(&mut self, ready: &Ready<'_>, words: &[Word], place: &Place) -> Option<String> {
        let words = match words.split_first() {
            Some((first, rest)) if first.literal().as_deref() == Some("--") => rest,
            _ => words,
        };
        let certain = !words.iter().any(Word::has_unknown);
        if !certain {
            self.notes.doubt(DYNAMIC_EVAL, ready.node.span.clone());
            let nothing_else = |piece: &Piece| matches!(piece, Piece::Unknown { .. });
            if words.iter().all(|word| word.pieces.iter().all(nothing_else)) {
                return None;
            }
        }
        let texts: Vec<String> = words.iter().map(Word::shown).collect();
        let kept = ready.prefix.iter().map(|assigned| assigned.name.clone());
        let kept: Vec<_> = kept.map(|name| (self.env.get(&name).cloned(), name)).collect();
        for assigned in &ready.prefix {
            self.assign(assigned, false, place);
        }
        let told = self.notes.doubts.len();
        let output = self.run_text(&texts.join(" "), &ready.node.span, place);
        if !certain {
            // Errors in what stands for the unknown parts say nothing.
            self.notes.doubts.truncate(told);
        }
        for (slot, name) in kept {
            self.env.put(&name, slot);
        }
        output.filter(|_| certain)
    }

    /// `source` of a text that is not in a file. A file is left to whoever judges the command.
    fn source(&mut self, ready: &Ready<'_>, words: &[Word], place: &Place) -> Option<Option<String>> {
        let words = match words.split_first() {
            Some((first, rest)) if first.literal().as_deref() == Some("--") => rest,
            _ => words,
        };
        let file = words.first()?;
        let text = match file.literal() {
            Some(path) if STANDARD_INPUT.contains(&path.as_str()) => {
                place.input.as_deref().map(str::to_owned)
            }
            Some(_) => return None,
            None => {
                let [Piece::Unknown { hint }] = file.pieces.as_slice() else { return None };
                let process = ready.processes.iter().find(|process| process.hint == *hint)?;
                process.output.clone()
            }
        };
        Some(match text {
            Some(text) => self.run_text(&text, &ready.node.span, place),
            None => {
                self.notes.doubt(DYNAMIC_EVAL, ready.node.span.clone());
                None
            }
        })
    }

    /// Reads a text as part of the script and walks it here.
    pub(super) fn run_text(&mut self, text: &str, span: &Span, place: &Place) -> Option<String> {
        if !self.notes.spend(text.len().saturating_mul(2).saturating_add(60)) {
            self.notes.gave_up(span);
            return None;
        }
        if !self.enter(span) {
            return None;
        }
        let mut output = None;
        if self.enter_text(span) {
            let tree = parse::script(text, parse::Origin::Within(span.clone()), &mut self.notes);
            let choices = self.choices.take();
            let blank = std::mem::take(&mut self.blank);
            self.repeats = self.repeats.saturating_add(1);
            output = self.list(&tree, place);
            self.repeats = self.repeats.saturating_sub(1);
            self.blank = blank;
            self.choices = choices;
            self.leave_text();
        }
        self.leave();
        output
    }
}
