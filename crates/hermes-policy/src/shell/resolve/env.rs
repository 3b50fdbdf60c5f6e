//! Variables: what each may hold at this point of the script, and how branches come together again.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::model::{Piece, Word};

/// More values than this are no longer told apart.
pub(super) const MAX_ALTERNATIVES: usize = 32;

/// A text, in part perhaps unknown. Values are shared, not copied, wherever they go.
pub(super) type Value = Rc<Vec<Piece>>;

pub(super) type Elements = Vec<(String, Value)>;

/// One thing that a variable may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Alternative {
    /// Not touched by the script: the environment may have it, or nothing has.
    Never,
    Unset,
    Scalar(Value),
    Array(Rc<Elements>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    pub alternatives: Rc<Vec<Alternative>>,
    pub read_only: bool,
    /// `declare -u` and `declare -l` fold what is assigned.
    pub upper: Option<bool>,
    /// `declare -n`: another variable's name.
    pub reference: Option<String>,
}

/// What changed between two points, to be merged or thrown away.
pub(super) type Changes = HashMap<String, Slot>;

#[derive(Debug, Default)]
pub(super) struct Env {
    slots: HashMap<String, Slot>,
    /// For every open frame, what was there before each change.
    journal: Vec<Vec<(String, Option<Slot>)>>,
}

impl Env {
    pub fn get(&self, name: &str) -> Option<&Slot> {
        let mut slot = self.slots.get(name)?;
        for _ in 0..8 {
            match slot.reference.as_deref().and_then(|target| self.slots.get(target)) {
                Some(target) => slot = target,
                None => break,
            }
        }
        Some(slot)
    }

    /// The variable that a name stands for, through references.
    pub fn target(&self, name: &str) -> String {
        let mut name = name;
        for _ in 0..8 {
            match self.slots.get(name).and_then(|slot| slot.reference.as_deref()) {
                Some(target) => name = target,
                None => break,
            }
        }
        name.to_owned()
    }

    /// Replaces a variable, whatever it was.
    pub fn put(&mut self, name: &str, slot: Option<Slot>) {
        let before = match slot {
            Some(slot) => match self.slots.get_mut(name) {
                Some(old) => Some(std::mem::replace(old, slot)),
                None => self.slots.insert(name.to_owned(), slot),
            },
            None => self.slots.remove(name),
        };
        if let Some(frame) = self.journal.last_mut() {
            frame.push((name.to_owned(), before));
        }
    }

    /// Assigns. With `merge`, the old values stay possible.
    pub fn assign(&mut self, name: &str, values: Vec<Alternative>, merge: bool) {
        let name = self.target(name);
        let old = self.slots.get(&name).cloned();
        // An assignment to a read-only variable fails.
        let merge = merge || old.as_ref().is_some_and(|slot| slot.read_only);
        let mut slot = old.unwrap_or_default();
        let mut all = if merge { Rc::unwrap_or_clone(slot.alternatives) } else { Vec::new() };
        if merge && all.is_empty() {
            all.push(Alternative::Never);
        }
        for value in values {
            add(&mut all, fold(value, slot.upper));
        }
        slot.alternatives = Rc::new(bounded(all, &name));
        self.put(&name, Some(slot));
    }

    /// Opens a frame: until it is closed, changes can be taken back.
    pub fn begin(&mut self) {
        self.journal.push(Vec::new());
    }

    /// Whether what happens now happens for certain, and not in a branch or a subshell.
    pub fn is_certain(&self) -> bool {
        self.journal.is_empty()
    }

    /// Closes the frame, takes its changes back and returns them.
    pub fn rollback(&mut self) -> Changes {
        let mut changes = Changes::new();
        for (name, before) in self.journal.pop().unwrap_or_default().into_iter().rev() {
            let now = match before {
                Some(slot) => self.slots.insert(name.clone(), slot),
                None => self.slots.remove(&name),
            };
            // Backwards, the first one seen is the last one made.
            changes.entry(name).or_insert_with(|| now.unwrap_or_else(never));
        }
        changes
    }

    /// Brings branches together: after them, each variable may be what any of them left.
    pub fn merge(&mut self, branches: Vec<Changes>, may_skip_all: bool) {
        let mut names: Vec<String> = branches.iter().flat_map(|branch| branch.keys().cloned()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let old = self.slots.get(&name).cloned();
            let mut all: Vec<Alternative> = Vec::new();
            let mut slot = old.clone().unwrap_or_default();
            let before = old.map_or_else(|| never().alternatives, |slot| slot.alternatives);
            if may_skip_all || branches.iter().any(|branch| !branch.contains_key(&name)) {
                before.iter().for_each(|value| add(&mut all, value.clone()));
            }
            for branch in &branches {
                let Some(changed) = branch.get(&name) else { continue };
                changed.alternatives.iter().for_each(|value| add(&mut all, value.clone()));
                slot.read_only |= changed.read_only;
                slot.upper = slot.upper.or(changed.upper);
                slot.reference = slot.reference.or_else(|| changed.reference.clone());
            }
            slot.alternatives = Rc::new(bounded(all, &name));
            self.put(&name, Some(slot));
        }
    }
}

fn never() -> Slot {
    Slot { alternatives: Rc::new(vec![Alternative::Never]), ..Slot::default() }
}

fn add(all: &mut Vec<Alternative>, value: Alternative) {
    if all.len() <= MAX_ALTERNATIVES && !all.contains(&value) {
        all.push(value);
    }
}

fn bounded(all: Vec<Alternative>, name: &str) -> Vec<Alternative> {
    if all.len() <= MAX_ALTERNATIVES {
        return all;
    }
    vec![unknown_variable(name)]
}

fn fold(value: Alternative, upper: Option<bool>) -> Alternative {
    match (value, upper) {
        (Alternative::Scalar(pieces), Some(upper)) => {
            let folded = pieces.iter().map(|piece| match piece {
                Piece::Text(text) if upper => Piece::Text(text.to_uppercase()),
                Piece::Text(text) => Piece::Text(text.to_lowercase()),
                other => other.clone(),
            });
            Alternative::Scalar(Rc::new(folded.collect()))
        }
        (value, _) => value,
    }
}

/// The text of pieces, if all of it is certain.
pub(super) fn literal(pieces: &[Piece]) -> Option<String> {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Glob(_) | Piece::Unknown { .. } => None,
        })
        .collect()
}

/// What pieces cost to copy, in bytes; most of it is asking for memory.
pub(super) fn weight(pieces: &[Piece]) -> usize {
    let length = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Glob(text) => text.len().saturating_add(64),
        Piece::Unknown { hint } => hint.len().saturating_add(64),
    };
    pieces.iter().map(length).sum()
}

/// The text of a word that is nothing else; words that are certain have only one piece.
pub(super) fn plain(word: &Word) -> Option<&str> {
    match word.pieces.as_slice() {
        [Piece::Text(text)] => Some(text),
        _ => None,
    }
}

pub(super) fn text(text: impl Into<String>) -> Value {
    Rc::new(vec![Piece::Text(text.into())])
}

pub(super) fn unknown(hint: impl Into<String>) -> Value {
    Rc::new(vec![Piece::Unknown { hint: hint.into() }])
}

/// A variable whose value only running would tell.
pub(super) fn unknown_variable(name: &str) -> Alternative {
    Alternative::Scalar(unknown(format!("${name}")))
}
