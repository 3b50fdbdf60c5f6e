//! Parameters: `$x`, `${x…}`, `$@`, arrays, and what their operators do.

use super::super::model::Piece;
use super::super::tree::{Operation, Parameter, Part, Subscript, WordNode};
use super::env::{self, Alternative, Value};
use super::expand::Edge;
use super::fields::{Fields, Mode};
use super::lookup::Found;
use super::patterned::cut_pattern;
use super::{Place, Resolver};

/// Which variable is meant, after following `${!x}`.
struct Meant {
    name: String,
    /// `[@]`, `[*]`, `$@` or `$*`; true if the values are joined to one word.
    list: Option<bool>,
    /// A subscript that is certain.
    index: Option<String>,
    /// Not the values of a list are meant but its keys.
    keys: bool,
}

impl Resolver<'_> {
    pub(super) fn parameter(&mut self, parameter: &Parameter, fields: &mut Fields, place: &Place) {
        self.work(8);
        let Some(meant) = self.meant(parameter, place) else {
            return fields.unknown(&parameter.source);
        };
        if meant.list.is_some() {
            self.list_parameter(parameter, &meant, fields, place);
        } else {
            self.scalar_parameter(parameter, &meant, fields, place);
        }
    }

    fn meant(&mut self, parameter: &Parameter, place: &Place) -> Option<Meant> {
        let mut index = None;
        let mut list = match parameter.name.as_str() {
            "@" => Some(false),
            "*" => Some(true),
            _ => None,
        };
        match &parameter.index {
            None => {}
            Some(Subscript::Each) => list = Some(false),
            Some(Subscript::Joined) => list = Some(true),
            Some(Subscript::At(word)) => {
                let value = self.pieces(word, Mode::Plain, place);
                let text = env::literal(&value);
                self.hidden_commands(text.as_deref(), &word.span, place);
                index = Some(text?);
            }
        }
        let meant = Meant { name: parameter.name.clone(), list, index, keys: false };
        if !parameter.indirect {
            return Some(meant);
        }
        if matches!(parameter.operation, Operation::Names) {
            return None;
        }
        if list.is_some() {
            // `${!a[@]}` gives the keys.
            return Some(Meant { keys: true, ..meant });
        }
        let text = match self.scalar(&meant.name, meant.index.as_deref()) {
            Found::Value(value) => env::literal(&value)?,
            _ => return None,
        };
        let (name, subscript) = match text.split_once('[') {
            Some((name, rest)) => (name, Some(rest.strip_suffix(']')?.to_owned())),
            None => (text.as_str(), None),
        };
        let list = match (name, subscript.as_deref()) {
            ("@", _) | (_, Some("@")) => Some(false),
            ("*", _) | (_, Some("*")) => Some(true),
            _ => None,
        };
        self.hidden_here(subscript.as_deref(), place);
        Some(Meant { name: name.to_owned(), list, index: subscript, keys: false })
    }

    /// One value: a variable, or one element of an array.
    fn scalar(&mut self, name: &str, index: Option<&str>) -> Found {
        match (self.look_up(name), index) {
            (Found::Array(elements), _) if !self.notes.spend(elements.len() / 4) => Found::Opaque,
            (Found::Array(elements), index) => {
                let wanted = index.unwrap_or("0");
                let found = elements.iter().find(|(key, _)| key == wanted);
                let found = found.or_else(|| {
                    let number = self.number(wanted)?;
                    let last: i64 = elements.last()?.0.parse().ok()?;
                    let number = if number < 0 { last.checked_add(1)?.checked_add(number)? } else { number };
                    let key = number.to_string();
                    elements.iter().find(|(found, _)| *found == key)
                });
                found.map_or(Found::Unset, |(_, value)| Found::Value(value.clone()))
            }
            (Found::Value(value), Some(index)) => match self.number(index) {
                Some(0 | -1) => Found::Value(value),
                Some(_) => Found::Unset,
                None => Found::Opaque,
            },
            (found, _) => found,
        }
    }

    fn scalar_parameter(&mut self, parameter: &Parameter, meant: &Meant, fields: &mut Fields, place: &Place) {
        let found = self.scalar(&meant.name, meant.index.as_deref());
        if let Operation::Fallback { sign, colon, word } = &parameter.operation {
            let empty = matches!(&found, Found::Value(value) if env::literal(value).as_deref() == Some(""));
            let missing = matches!(found, Found::Unset | Found::Never) || (*colon && empty);
            return match sign {
                // Whatever the environment says, this word is what the script wants to be seen.
                b'+' if !missing || matches!(found, Found::Never) => self.fallback(word, fields, place),
                b'+' => fields.value(&[], parameter.quoted),
                b'-' if missing => self.fallback(word, fields, place),
                b'=' if missing => {
                    let value = Value::new(self.pieces(word, Mode::Plain, place));
                    self.env.assign(&meant.name, vec![Alternative::Scalar(Value::clone(&value))], false);
                    fields.value(&value, parameter.quoted);
                }
                b'?' if missing => {
                    self.pieces(word, Mode::Plain, place);
                    fields.unknown(&parameter.source);
                }
                _ => {
                    // Not used, but what it would run is part of the script.
                    self.unused(word, place);
                    let pieces = self.pieces_of(found, parameter);
                    fields.value(&pieces, parameter.quoted);
                }
            };
        }
        let pieces = match (&parameter.operation, found) {
            (Operation::None, found) => self.pieces_of(found, parameter),
            (operation, found) => {
                let text = match &found {
                    Found::Value(value) => env::literal(value),
                    Found::Unset => Some(String::new()),
                    Found::Opaque => Self::typical(&meant.name).map(str::to_owned),
                    Found::Array(_) | Found::Never => None,
                };
                let result = self.operate(operation, text.as_deref(), place);
                let left = match (&result, &found) {
                    (None, Found::Value(value)) => cut_pattern(operation, value),
                    _ => None,
                };
                match (result, left) {
                    (Some(text), _) => env::text(text),
                    (None, Some(pieces)) => Value::new(pieces),
                    (None, None) => env::unknown(parameter.source.clone()),
                }
            }
        };
        fields.value(&pieces, parameter.quoted);
    }

    /// The word behind an operator takes the place of the value: what is not quoted in it is split.
    fn fallback(&mut self, word: &WordNode, fields: &mut Fields, place: &Place) {
        for (at, part) in word.parts.iter().enumerate() {
            match part {
                Part::Text { text, quoted: false } if at > 0 || !text.starts_with('~') => {
                    fields.value(&env::text(text.as_str()), false);
                }
                part => self.part(part, Edge::of(at, word.parts.len()), fields, place),
            }
        }
    }

    fn pieces_of(&mut self, found: Found, parameter: &Parameter) -> Value {
        match found {
            Found::Value(value) if self.notes.spend(env::weight(&value) / 8) => value,
            Found::Unset => Value::default(),
            _ => env::unknown(parameter.source.clone()),
        }
    }

    /// Expands a word whose text is not needed, for the commands in it.
    fn unused(&mut self, word: &WordNode, place: &Place) {
        if word.parts.iter().any(|part| !matches!(part, Part::Text { .. })) {
            self.env.begin();
            self.pieces(word, Mode::Plain, place);
            self.env.rollback();
        }
    }

    fn list_parameter(&mut self, parameter: &Parameter, meant: &Meant, fields: &mut Fields, place: &Place) {
        let positional = matches!(meant.name.as_str(), "@" | "*");
        let affordable = !self.notes.exhausted();
        let values: Option<Vec<Value>> = if positional && !meant.keys {
            self.arguments()
                .filter(|_| affordable)
                .map(|list| list.iter().map(|(_, value)| Value::clone(value)).collect())
        } else {
            match self.look_up(&meant.name) {
                Found::Array(_) if !affordable => None,
                Found::Array(elements) if meant.keys => {
                    Some(elements.iter().map(|(key, _)| env::text(key.as_str())).collect())
                }
                Found::Array(elements) => {
                    Some(elements.iter().map(|(_, value)| Value::clone(value)).collect())
                }
                Found::Value(_) if meant.keys => Some(vec![env::text("0")]),
                Found::Value(value) => Some(vec![value]),
                Found::Unset => Some(Vec::new()),
                Found::Never | Found::Opaque => None,
            }
        };
        if let Operation::Fallback { sign, word, .. } = &parameter.operation {
            let empty = values.as_ref().is_none_or(Vec::is_empty);
            if (*sign == b'+') != empty || (values.is_none() && *sign == b'+') {
                return self.fallback(word, fields, place);
            }
            self.unused(word, place);
            if *sign == b'+' {
                return;
            }
        }
        let count = values.as_ref().map_or(0, Vec::len);
        let affordable = self.notes.spend(count.saturating_mul(30));
        let Some(values) = values.filter(|_| affordable) else {
            if let Operation::Fallback { .. } | Operation::None = parameter.operation {
            } else {
                self.operate(&parameter.operation, None, place);
            }
            return fields.unknown(&parameter.source);
        };
        let values = match &parameter.operation {
            Operation::None | Operation::Fallback { .. } => values,
            Operation::Length => return fields.text(&values.len().to_string(), true),
            Operation::Slice { offset, length } => {
                match self.slice_list(values, (offset, length.as_ref()), positional, place) {
                    Some(values) => values,
                    None => return fields.unknown(&parameter.source),
                }
            }
            operation => {
                let mut changed = Vec::new();
                for value in values {
                    let text = env::literal(&value);
                    let result = self.operate(operation, text.as_deref(), place);
                    let unknown = || env::unknown(parameter.source.clone());
                    changed.push(result.map_or_else(unknown, env::text));
                }
                changed
            }
        };
        if parameter.quoted && meant.list == Some(true) {
            let separator = self.separators().chars().next().map(String::from).unwrap_or_default();
            let mut joined = Vec::new();
            for (at, value) in values.into_iter().enumerate() {
                if at > 0 {
                    joined.push(Piece::Text(separator.clone()));
                }
                joined.extend(value.iter().cloned());
            }
            return fields.value(&joined, true);
        }
        fields.list(&values, parameter.quoted);
    }

    fn slice_list(
        &mut self,
        mut values: Vec<Value>,
        (offset, length): (&WordNode, Option<&WordNode>),
        positional: bool,
        place: &Place,
    ) -> Option<Vec<Value>> {
        let offset = self.word_number(offset, place)?;
        let length = match length {
            Some(length) => Some(self.word_number(length, place)?),
            None => None,
        };
        if positional {
            // Before the first argument stands the name of the shell.
            values.insert(0, env::text("bash"));
        }
        let count = i64::try_from(values.len()).ok()?;
        let start = if offset < 0 { count.checked_add(offset)? } else { offset };
        let start = usize::try_from(start).ok()?;
        let taken = match length {
            Some(length) => usize::try_from(length).ok()?,
            None => usize::MAX,
        };
        Some(values.into_iter().skip(start).take(taken).collect())
    }
}
