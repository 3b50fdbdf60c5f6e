//! Arithmetic, and the commands that hide in it: the shell expands what it finds in variables and
//! subscripts once more.

use super::super::arithmetic;
use super::super::parse;
use super::super::tree::{Span, WordNode};
use super::env::{self, Value};
use super::fields::Mode;
use super::lookup::Found;
use super::{Place, Resolver};

impl Resolver<'_> {
    /// The value of `$((…))`.
    pub(super) fn arithmetic(&mut self, inner: &WordNode, source: &str, place: &Place) -> Value {
        let value = self.pieces(inner, Mode::Plain, place);
        let text = env::literal(&value);
        self.arithmetic_effects(text.as_deref(), inner, place);
        match text.and_then(|text| self.number(&text)) {
            Some(number) => env::text(number.to_string()),
            None => env::unknown(source),
        }
    }

    /// `((…))` and the head of a loop: only what it changes matters.
    pub(super) fn arithmetic_command(&mut self, word: &WordNode, place: &Place) {
        self.each_choice(|this, _| {
            let value = this.pieces(word, Mode::Plain, place);
            let text = env::literal(&value);
            this.arithmetic_effects(text.as_deref(), word, place);
        });
    }

    fn arithmetic_effects(&mut self, text: Option<&str>, word: &WordNode, place: &Place) {
        let Some(text) = text else { return };
        self.arithmetic_text(text, &word.span, place);
    }

    /// What evaluating a text does: it assigns, and it runs the substitutions in it.
    pub(super) fn arithmetic_text(&mut self, text: &str, span: &Span, place: &Place) {
        self.work(text.len());
        self.hidden_commands(Some(text), span, place);
        for name in arithmetic::assigned_names(text) {
            self.env.assign(name, vec![env::unknown_variable(name)], false);
        }
        // A variable's value is an expression again.
        let names = text.split(|c: char| !(c == '_' || c.is_ascii_alphanumeric()));
        let names: Vec<&str> = names.filter(|name| super::super::chars::is_name(name)).take(64).collect();
        for name in names {
            if self.env.get(name).is_none() {
                continue;
            }
            if let Found::Value(value) = self.look_up(name) {
                self.hidden_commands(env::literal(&value).as_deref(), span, place);
            }
        }
    }

    /// Walks the substitutions in a text that is expanded once more.
    pub(super) fn hidden_commands(&mut self, text: Option<&str>, span: &Span, place: &Place) {
        let Some(text) = text.filter(|text| text.contains("$(") || text.contains('`')) else { return };
        if !self.notes.spend(text.len().saturating_mul(4)) {
            return self.notes.gave_up(span);
        }
        if !self.enter_text(span) {
            return;
        }
        let word = parse::expression(text, parse::Origin::Within(span.clone()), &mut self.notes);
        self.pieces(&word, Mode::Plain, place);
        self.leave_text();
    }

    /// The same, in a text that the command makes which is being expanded.
    pub(super) fn hidden_here(&mut self, text: Option<&str>, place: &Place) {
        let span = self.here.clone();
        self.hidden_commands(text, &span, place);
    }

    /// The number that an expression stands for, if that is certain.
    pub(super) fn number(&mut self, text: &str) -> Option<i64> {
        if self.notes.exhausted() {
            return None;
        }
        self.work(text.len().saturating_mul(2));
        arithmetic::evaluate(text, &mut |name| match self.look_up(name) {
            Found::Value(value) => {
                let value = env::literal(&value)?;
                let value = value.trim();
                if value.is_empty() { Some(0) } else { value.parse().ok() }
            }
            Found::Unset => Some(0),
            _ => None,
        })
    }
}
