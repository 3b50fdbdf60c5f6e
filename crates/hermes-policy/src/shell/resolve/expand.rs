//! Words: from parts of the tree to the words a program would get.

use super::super::model::{Piece, Word};
use super::super::tree::{Arg, Part, Substitution, WordNode};
use super::brace::{self, Atom};
use super::env::{self, Value};
use super::fields::{Fields, Mode, compact};
use super::{Place, Resolver};

/// Where a part stands in its word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    first: bool,
    last: bool,
}

impl Edge {
    pub(super) fn of(at: usize, count: usize) -> Self {
        Edge { first: at == 0, last: at.saturating_add(1) == count }
    }
}

impl Resolver<'_> {
    /// The words that a command's word becomes.
    pub(super) fn fields(&mut self, word: &WordNode, place: &Place) -> Vec<Word> {
        self.work(word.parts.len().saturating_mul(8));
        if let [Part::Text { text, quoted }] = word.parts.as_slice() {
            // Most words are plain text.
            if *quoted || !text.contains(['*', '?', '[', '{', '~']) {
                return vec![Word::text(text.as_str())];
            }
        }
        if !brace::has_braces(&word.parts) {
            let mut fields = self.new_fields(Mode::Split);
            self.parts(&word.parts, &mut fields, place);
            return fields.words();
        }
        let Some(words) = brace::expand(&word.parts) else {
            self.notes.doubt("braces that make too many words", word.span.clone());
            return vec![Word { pieces: env::unknown("{…}").to_vec() }];
        };
        let mut all = Vec::new();
        let repeats = self.repeats;
        for (nth, atoms) in words.iter().enumerate() {
            // What is substituted in the first word is substituted in every other one too.
            self.repeats = repeats.saturating_add(usize::from(nth > 0));
            if !self.notes.spend(atoms.len().saturating_mul(8)) && nth > 0 {
                self.notes.gave_up(&word.span);
                break;
            }
            let mut fields = self.new_fields(Mode::Split);
            for (at, atom) in atoms.iter().enumerate() {
                let edge = Edge::of(at, atoms.len());
                match atom {
                    Atom::Part(part) => self.part(part, edge, &mut fields, place),
                    Atom::Text(text) => self.unquoted(text, edge, &mut fields),
                    Atom::Made(text) => fields.text(text, false),
                    Atom::Unknown(hint) => fields.unknown(hint),
                }
            }
            all.extend(fields.words());
        }
        self.repeats = repeats;
        all
    }

    /// A word that stays one text.
    pub(super) fn pieces(&mut self, word: &WordNode, mode: Mode, place: &Place) -> Vec<Piece> {
        let mut fields = self.new_fields(mode);
        self.parts(&word.parts, &mut fields, place);
        fields.joined()
    }

    /// A word as a pattern.
    pub(super) fn pattern(&mut self, word: &WordNode, place: &Place) -> Option<String> {
        let mut fields = self.new_fields(Mode::Pattern);
        self.parts(&word.parts, &mut fields, place);
        fields.pattern()
    }

    /// An argument: a word, or an assignment to `declare` and its like, which is not split.
    pub(super) fn argument(&mut self, arg: &Arg, place: &Place) -> Vec<Word> {
        match arg {
            Arg::Word(word) => self.fields(word, place),
            Arg::Assign(assign) => {
                let assigned = self.assigned(assign, place);
                let sign = if assign.append { "+=" } else { "=" };
                let mut pieces = vec![Piece::Text(format!("{}{sign}", assign.name))];
                pieces.extend(assigned.shown.iter().cloned());
                self.declared.push(assigned);
                vec![Word { pieces: compact(pieces) }]
            }
        }
    }

    /// The word behind `=`: a tilde counts at its beginning and behind each colon.
    pub(super) fn value(&mut self, word: &WordNode, place: &Place) -> Value {
        let mut fields = self.new_fields(Mode::Plain);
        for (at, part) in word.parts.iter().enumerate() {
            match part {
                Part::Text { text, quoted: false } if text.contains('~') => {
                    let count = text.split(':').count();
                    for (n, piece) in text.split(':').enumerate() {
                        if n > 0 {
                            fields.text(":", true);
                        }
                        let first = at == 0 || n > 0;
                        let last = n.saturating_add(1) < count || at.saturating_add(1) == word.parts.len();
                        self.unquoted(piece, Edge { first, last }, &mut fields);
                    }
                }
                part => self.part(part, Edge::default(), &mut fields, place),
            }
        }
        fields.joined().into()
    }

    fn new_fields(&mut self, mode: Mode) -> Fields {
        let separators = if mode == Mode::Split { self.separators() } else { String::new() };
        Fields::new(mode, separators)
    }

    pub(super) fn parts(&mut self, parts: &[Part], fields: &mut Fields, place: &Place) {
        for (at, part) in parts.iter().enumerate() {
            self.part(part, Edge::of(at, parts.len()), fields, place);
        }
    }

    pub(super) fn part(&mut self, part: &Part, edge: Edge, fields: &mut Fields, place: &Place) {
        match part {
            Part::Text { text, quoted: true } => {
                self.work(text.len() / 16);
                fields.text(text, true);
            }
            Part::Text { text, quoted: false } => self.unquoted(text, edge, fields),
            Part::Parameter(parameter) => self.parameter(parameter, fields, place),
            Part::Command(inner) => {
                let value = self.substitution(inner, place);
                fields.value(&value, inner.quoted);
            }
            Part::Process { inner, writes } => {
                if let Piece::Unknown { hint } = self.process(inner, *writes, place) {
                    fields.unknown(&hint);
                }
            }
            Part::Arithmetic { inner, source } => {
                let value = self.arithmetic(inner, source, place);
                fields.value(&value, true);
            }
            Part::Pattern { inner, sign } => {
                let inner = self.pattern(inner, place).unwrap_or_else(|| "*".to_owned());
                fields.glob(format!("{sign}({inner})"));
            }
        }
    }

    /// Unquoted text, with its tilde.
    fn unquoted(&mut self, text: &str, edge: Edge, fields: &mut Fields) {
        self.work(text.len() / 16);
        let mut rest = text;
        if edge.first && text.contains('~') && fields.mode != Mode::Pattern {
            // Behind `name=` a tilde counts as well.
            if let Some((name, value)) = text.split_once('=')
                && super::super::chars::is_name(name)
                && value.starts_with('~')
            {
                fields.text(name, false);
                fields.text("=", false);
                rest = value;
            }
            let end = rest.find(['/', ':']);
            // With anything quoted or expanded in it, it is no tilde prefix.
            if rest.starts_with('~') && (end.is_some() || edge.last) {
                let end = end.unwrap_or(rest.len());
                let (tilde, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                let value = self.tilde(tilde);
                fields.value(&value, true);
                rest = after;
            }
        }
        if !rest.is_empty() {
            fields.text(rest, false);
        }
    }

    /// What `$(…)` puts in its place.
    fn substitution(&mut self, inner: &Substitution, place: &Place) -> Value {
        let known = self.repeats > 0 && self.notes.exhausted();
        if known || !self.enter_here() {
            return env::unknown(inner.source.clone());
        }
        let inside = Place {
            captured: true,
            background: false,
            substitution: place.substitution.saturating_add(1),
            ..place.clone()
        };
        let outer = std::mem::take(&mut self.processes);
        self.env.begin();
        let output = self.list(&inner.list, &inside);
        self.env.rollback();
        self.processes = outer;
        self.leave();
        match output {
            Some(mut output) => {
                output.truncate(output.trim_end_matches('\n').len());
                env::text(output)
            }
            None => env::unknown(inner.source.clone()),
        }
    }
}
