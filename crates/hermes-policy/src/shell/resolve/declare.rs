//! Assignments in all their forms, and the builtins that make them.

use std::rc::Rc;

use super::super::model::{Piece, Word};
use super::super::tree::{Assign, AssignValue};
use super::env::{self, Alternative, Value};
use super::fields::Mode;
use super::lookup::Found;
use super::simple::Ready;
use super::{Place, Resolver};

/// Longer values are not followed.
const MAX_VALUE: usize = 16 * 1024;

/// Values of more pieces are not followed.
const MAX_PIECES: usize = 12;

/// Larger arrays are not followed.
const MAX_ELEMENTS: usize = 256;

/// An assignment with its value expanded.
#[derive(Clone, Debug)]
pub(super) struct Assigned {
    pub name: String,
    /// The value as it is shown.
    pub shown: Value,
    pub value: Alternative,
}

impl Resolver<'_> {
    /// Expands the value of an assignment, once.
    pub(super) fn assigned(&mut self, assign: &Assign, place: &Place) -> Assigned {
        let name = assign.name.clone();
        if let Some(index) = &assign.index {
            let index_pieces = self.pieces(index, Mode::Plain, place);
            let key = env::literal(&index_pieces);
            self.hidden_commands(key.as_deref(), &index.span, place);
            let shown = match &assign.value {
                AssignValue::Word(word) => self.value(word, place),
                AssignValue::Array(_) => Value::default(),
            };
            let value = self.with_element(&name, key, Rc::clone(&shown), assign.append);
            return Assigned { name, shown, value };
        }
        match &assign.value {
            AssignValue::Word(word) => {
                let shown = self.value(word, place);
                let value = if assign.append {
                    self.appended(&name, &shown)
                } else {
                    Alternative::Scalar(Rc::clone(&shown))
                };
                Assigned { value: bounded(value, &name), name, shown }
            }
            AssignValue::Array(nodes) => {
                let before = if assign.append { self.array_before(&name) } else { Some(Vec::new()) };
                let next = before.as_ref().and_then(|before| before.last()?.0.parse::<i64>().ok());
                let first = next.map_or(0, |last| last.saturating_add(1));
                let (elements, certain) = self.elements(nodes, first, place);
                let mut shown = Vec::new();
                for (at, (_, value)) in elements.iter().enumerate() {
                    if at > 0 {
                        shown.push(Piece::Text(" ".to_owned()));
                    }
                    shown.extend(value.iter().cloned());
                }
                let value = match before.filter(|_| certain) {
                    Some(mut all) => {
                        all.extend(elements);
                        bounded(Alternative::Array(Rc::new(all)), &name)
                    }
                    None => env::unknown_variable(&name),
                };
                Assigned { name, shown: Rc::new(super::fields::compact(shown)), value }
            }
        }
    }

    pub(super) fn assign(&mut self, assigned: &Assigned, merge: bool, place: &Place) {
        if let (Alternative::Scalar(pieces), "PS0" | "PS1" | "PS2" | "PS4") =
            (&assigned.value, assigned.name.as_str())
        {
            // Prompts are expanded each time they are shown.
            self.hidden_here(env::literal(pieces).as_deref(), place);
        }
        self.env.assign(&assigned.name, vec![assigned.value.clone()], merge);
    }

    fn appended(&mut self, name: &str, more: &[Piece]) -> Alternative {
        let before = match self.look_up(name) {
            Found::Value(value) => value,
            Found::Unset => Value::default(),
            Found::Array(elements) => {
                if !self.notes.spend(elements.len().saturating_mul(8)) {
                    return env::unknown_variable(name);
                }
                let mut elements = elements.to_vec();
                if let Some((_, first)) = elements.first_mut() {
                    Rc::make_mut(first).extend(more.iter().cloned());
                }
                return Alternative::Array(Rc::new(elements));
            }
            Found::Never | Found::Opaque => env::unknown(format!("${name}")),
        };
        if !self.notes.spend(env::weight(&before) / 8) {
            return env::unknown_variable(name);
        }
        let pieces = before.iter().chain(more).cloned().collect();
        Alternative::Scalar(Rc::new(super::fields::compact(pieces)))
    }

    /// `declare`, `typeset`, `local`, `export`, `readonly`.
    pub(super) fn declare(&mut self, name: &str, words: &[Word], ready: &Ready<'_>, place: &Place) {
        let merge = ready.merge;
        let mut flags = String::new();
        let mut assigned = ready.declared.iter().peekable();
        let mut targets: Vec<(String, Option<Alternative>)> = Vec::new();
        for word in words {
            let text = word.shown();
            if let Some(letters) = text.strip_prefix('-') {
                flags.push_str(letters);
                continue;
            }
            if text.contains('[') {
                self.hidden_here(Some(&text), place);
            }
            let (target, value) = match text.split_once('=') {
                Some((target, _)) => (target.trim_end_matches('+').to_owned(), true),
                None => (text.clone(), false),
            };
            if let Some(done) = assigned.next_if(|done| value && done.name == target) {
                targets.push((target, Some(done.value.clone())));
            } else if value {
                // `declare "$name=$value"`: an assignment only after expansion.
                targets.push((target.clone(), Some(Alternative::Scalar(Rc::new(after_sign(word))))));
            } else {
                targets.push((target, None));
            }
        }
        let local = name == "local" || (matches!(name, "declare" | "typeset") && !flags.contains('g'));
        for (target, value) in targets {
            if !super::super::chars::is_name(&target) {
                continue;
            }
            if local {
                self.make_local(&target);
            }
            if name == "export" && flags.contains('n') {
                self.exports.retain(|known| *known != target);
            } else if name == "export" || flags.contains('x') || self.exports_all {
                self.export(&target);
            }
            let mut slot = self.env.get(&target).cloned().unwrap_or_default();
            if name != "export"
                && flags.contains('n')
                && let Some(Alternative::Scalar(pieces)) = &value
            {
                slot.reference = env::literal(pieces).filter(|name| *name != target);
                self.env.put(&target, Some(slot));
                continue;
            }
            if flags.contains('u') || flags.contains('l') {
                slot.upper = Some(flags.contains('u'));
                self.env.put(&target, Some(slot));
            }
            if let Some(value) = value {
                let value = if flags.contains('i') { self.as_number(value, &target) } else { value };
                self.env.assign(&target, vec![value], merge);
            }
            if (name == "readonly" || flags.contains('r')) && self.env.get(&target).is_some() {
                let mut slot = self.env.get(&target).cloned().unwrap_or_default();
                slot.read_only = true;
                self.env.put(&target, Some(slot));
            }
        }
    }

    fn as_number(&mut self, value: Alternative, name: &str) -> Alternative {
        let text = match &value {
            Alternative::Scalar(pieces) => env::literal(pieces),
            _ => None,
        };
        match text.and_then(|text| self.number(&text)) {
            Some(number) => Alternative::Scalar(env::text(number.to_string())),
            None => env::unknown_variable(name),
        }
    }

    /// Inside a function: what the variable was comes back when the function ends.
    pub(super) fn make_local(&mut self, name: &str) {
        let slot = self.env.get(name).cloned();
        if let Some(frame) = self.calls.last_mut()
            && !frame.locals.iter().any(|(local, _)| local == name)
        {
            frame.locals.push((name.to_owned(), slot));
        }
    }
}

/// The part of a word behind its first `=`.
fn after_sign(word: &Word) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut found = false;
    for piece in &word.pieces {
        match piece {
            piece if found => pieces.push(piece.clone()),
            Piece::Text(text) => {
                if let Some((_, value)) = text.split_once('=') {
                    found = true;
                    pieces.push(Piece::Text(value.to_owned()));
                }
            }
            _ => {}
        }
    }
    pieces
}

fn weight(value: &Alternative) -> usize {
    match value {
        Alternative::Scalar(pieces) => env::weight(pieces),
        Alternative::Array(elements) => elements.iter().map(|(_, pieces)| env::weight(pieces)).sum(),
        Alternative::Never | Alternative::Unset => 0,
    }
}

pub(super) fn bounded(value: Alternative, name: &str) -> Alternative {
    let large = match &value {
        Alternative::Scalar(pieces) => pieces.len() > MAX_PIECES || weight(&value) > MAX_VALUE,
        Alternative::Array(elements) => elements.len() > MAX_ELEMENTS || weight(&value) > MAX_VALUE,
        Alternative::Never | Alternative::Unset => false,
    };
    if large { env::unknown_variable(name) } else { value }
}
