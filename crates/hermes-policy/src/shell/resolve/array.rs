//! Arrays: their elements, and what they become when one is set or more are appended.

use std::rc::Rc;

use super::super::tree::Element;
use super::declare::bounded;
use super::env::{self, Alternative, Elements, Value};
use super::fields::Mode;
use super::lookup::Found;
use super::{Place, Resolver};

impl Resolver<'_> {
    /// The array that a variable becomes when one element is set.
    pub(super) fn with_element(
        &mut self,
        name: &str,
        key: Option<String>,
        value: Value,
        append: bool,
    ) -> Alternative {
        let Some(key) = key else { return env::unknown_variable(name) };
        let key = self.number(&key).map_or(key, |number| number.to_string());
        let mut elements = match self.look_up(name) {
            Found::Array(elements) => elements.to_vec(),
            Found::Value(value) => vec![("0".to_owned(), value)],
            Found::Unset | Found::Never => Vec::new(),
            Found::Opaque => return env::unknown_variable(name),
        };
        if !self.notes.spend(elements.len().saturating_mul(8)) {
            return env::unknown_variable(name);
        }
        match elements.iter_mut().find(|(found, _)| *found == key) {
            Some((_, old)) if append => Rc::make_mut(old).extend(value.iter().cloned()),
            Some((_, old)) => *old = value,
            None => {
                elements.push((key, value));
                elements.sort_by_key(|(key, _)| key.parse::<i64>().unwrap_or(i64::MAX));
            }
        }
        bounded(Alternative::Array(Rc::new(elements)), name)
    }

    /// The elements that are there before more are appended.
    pub(super) fn array_before(&mut self, name: &str) -> Option<Elements> {
        match self.look_up(name) {
            Found::Array(elements) => {
                self.notes.spend(elements.len().saturating_mul(8)).then(|| elements.to_vec())
            }
            Found::Value(value) => Some(vec![("0".to_owned(), value)]),
            Found::Unset => Some(Vec::new()),
            Found::Never => Some(vec![("0".to_owned(), env::unknown(format!("${name}")))]),
            Found::Opaque => None,
        }
    }

    /// The elements of `(a b [k]=v)`, and whether all keys are certain.
    pub(super) fn elements(&mut self, nodes: &[Element], mut next: i64, place: &Place) -> (Elements, bool) {
        let mut elements = Elements::new();
        let mut certain = true;
        for node in nodes {
            let Some(index) = &node.index else {
                for word in self.fields(&node.value, place) {
                    elements.push((next.to_string(), Rc::new(word.pieces)));
                    next = next.saturating_add(1);
                }
                continue;
            };
            let key = self.pieces(index, Mode::Plain, place);
            let key = env::literal(&key);
            self.hidden_commands(key.as_deref(), &index.span, place);
            let value = self.value(&node.value, place);
            match key {
                Some(key) => {
                    if let Some(number) = self.number(&key).filter(|_| !key.is_empty()) {
                        next = number.saturating_add(1);
                    }
                    elements.push((key, value));
                }
                None => certain = false,
            }
        }
        (elements, certain)
    }
}
