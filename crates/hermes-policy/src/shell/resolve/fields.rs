//! The words that a word becomes: splitting at blanks, and finding patterns in what is left unquoted.

use super::super::glob;
use super::super::model::{Piece, Word};
use super::env::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A command's word: what expansions give is split, patterns count.
    Split,
    /// An assigned value or a here-document: one text, no patterns.
    Plain,
    /// A pattern to be matched against text.
    Pattern,
}

#[derive(Clone, Debug)]
enum Segment {
    Text { text: String, quoted: bool },
    Glob(String),
    Unknown(String),
}

#[derive(Debug)]
pub(super) struct Fields {
    pub mode: Mode,
    separators: String,
    done: Vec<Vec<Segment>>,
    open: Vec<Segment>,
    /// The open field exists, even if it is empty.
    started: bool,
    /// The last field was ended by a blank, so a separator behind it ends nothing more.
    blank_before: bool,
}

impl Fields {
    pub fn new(mode: Mode, separators: String) -> Self {
        Fields { mode, separators, done: Vec::new(), open: Vec::new(), started: false, blank_before: false }
    }

    /// Text as it stands in the script.
    pub fn text(&mut self, text: &str, quoted: bool) {
        self.started = true;
        self.blank_before = false;
        match self.open.last_mut() {
            Some(Segment::Text { text: last, quoted: same }) if *same == quoted => last.push_str(text),
            _ => self.open.push(Segment::Text { text: text.to_owned(), quoted }),
        }
    }

    pub fn glob(&mut self, pattern: String) {
        self.started = true;
        self.open.push(Segment::Glob(pattern));
    }

    pub fn unknown(&mut self, hint: &str) {
        self.started = true;
        self.blank_before = false;
        self.open.push(Segment::Unknown(hint.to_owned()));
    }

    /// What an expansion gave.
    pub fn value(&mut self, pieces: &[Piece], quoted: bool) {
        if quoted {
            self.started = true;
        }
        for piece in pieces {
            match piece {
                Piece::Text(text) if quoted => self.text(text, true),
                Piece::Text(text) => match self.mode {
                    Mode::Split => self.split(text),
                    Mode::Plain => self.text(text, true),
                    Mode::Pattern => self.text(text, false),
                },
                Piece::Glob(glob) => self.glob(glob.clone()),
                Piece::Unknown { hint } => self.unknown(hint),
            }
        }
    }

    /// Several words, such as the arguments: the first and the last grow together with their neighbours.
    pub fn list(&mut self, list: &[Value], quoted: bool) {
        for (at, pieces) in list.iter().enumerate() {
            if at > 0 {
                if self.mode == Mode::Split {
                    self.end();
                } else {
                    self.text(" ", true);
                }
            }
            self.value(pieces, quoted);
        }
    }

    fn split(&mut self, text: &str) {
        let mut run = String::new();
        for c in text.chars() {
            if !self.separators.contains(c) {
                run.push(c);
                continue;
            }
            if !run.is_empty() {
                self.text(&run, false);
                run.clear();
            }
            let blank = matches!(c, ' ' | '\t' | '\n');
            if self.started {
                self.end();
                self.blank_before = blank;
            } else if !blank {
                if !self.blank_before {
                    self.started = true;
                    self.end();
                }
                self.blank_before = false;
            }
        }
        if !run.is_empty() {
            self.text(&run, false);
        }
    }

    fn end(&mut self) {
        if self.started {
            self.done.push(std::mem::take(&mut self.open));
        }
        self.started = false;
    }

    /// The finished words.
    pub fn words(mut self) -> Vec<Word> {
        self.end();
        let patterns = self.mode == Mode::Split;
        self.done.into_iter().map(|field| Word { pieces: pieces(field, patterns) }).collect()
    }

    /// Everything as one text.
    pub fn joined(self) -> Vec<Piece> {
        let mut words = self.words().into_iter();
        let mut all = words.next().unwrap_or_default().pieces;
        for word in words {
            all.push(Piece::Text(" ".to_owned()));
            all.extend(word.pieces);
        }
        compact(all)
    }

    /// Everything as a pattern, or nothing if parts are unknown.
    pub fn pattern(mut self) -> Option<String> {
        self.end();
        let mut pattern = String::new();
        for segment in self.done.into_iter().flatten() {
            match segment {
                Segment::Text { text, quoted: true } => glob::escape_into(&mut pattern, &text),
                Segment::Text { text, quoted: false } | Segment::Glob(text) => pattern.push_str(&text),
                Segment::Unknown(_) => return None,
            }
        }
        Some(pattern)
    }
}

fn pieces(field: Vec<Segment>, patterns: bool) -> Vec<Piece> {
    let special = patterns
        && field.iter().any(|segment| match segment {
            Segment::Text { text, quoted } => !quoted && text.contains(['*', '?', '[']),
            _ => false,
        });
    if special {
        return with_patterns(&field);
    }
    let plain = field.into_iter().map(|segment| match segment {
        Segment::Text { text, .. } => Piece::Text(text),
        Segment::Glob(glob) => Piece::Glob(glob),
        Segment::Unknown(hint) => Piece::Unknown { hint },
    });
    compact(plain.collect())
}

/// Joins texts that stand side by side. A word without pieces is the empty text.
pub(super) fn compact(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (all.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) | (Some(Piece::Glob(last)), Piece::Glob(text)) => {
                last.push_str(&text);
            }
            (_, piece) => all.push(piece),
        }
    }
    if all.is_empty() {
        all.push(Piece::Text(String::new()));
    }
    all
}

/// Finds `*`, `?` and `[…]` across the segments of a field: `r["m"]` is a pattern too.
fn with_patterns(field: &[Segment]) -> Vec<Piece> {
    enum Unit<'a> {
        Letter(char, bool),
        Whole(&'a Segment),
    }
    let mut units = Vec::new();
    let mut last_bracket = None;
    for segment in field {
        match segment {
            Segment::Text { text, quoted } => {
                for c in text.chars() {
                    if c == ']' && !quoted {
                        last_bracket = Some(units.len());
                    }
                    units.push(Unit::Letter(c, *quoted));
                }
            }
            other => units.push(Unit::Whole(other)),
        }
    }
    let mut all: Vec<Piece> = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        let mut end = at.saturating_add(1);
        let glob = match unit {
            Unit::Letter('*' | '?', false) => true,
            // The first character of a bracket expression may be a bracket itself.
            Unit::Letter('[', false) if last_bracket.is_some_and(|last| last > end) => {
                end = end.saturating_add(1);
                let mut class = false;
                while let Some(unit) = units.get(end) {
                    let before = end.checked_sub(1).and_then(|at| units.get(at));
                    end = end.saturating_add(1);
                    match (before, unit) {
                        // `[:alpha:]` inside the brackets has a bracket of its own.
                        (Some(Unit::Letter('[', _)), Unit::Letter(':', _)) => class = true,
                        (Some(Unit::Letter(':', _)), Unit::Letter(']', _)) if class => class = false,
                        (_, Unit::Letter(']', false)) => break,
                        _ => {}
                    }
                }
                true
            }
            Unit::Letter(c, _) => {
                text.push(*c);
                false
            }
            Unit::Whole(segment) => {
                all.push(Piece::Text(std::mem::take(&mut text)));
                all.push(match segment {
                    Segment::Glob(glob) => Piece::Glob(glob.clone()),
                    Segment::Unknown(hint) => Piece::Unknown { hint: hint.clone() },
                    Segment::Text { text, .. } => Piece::Text(text.clone()),
                });
                false
            }
        };
        if glob {
            all.push(Piece::Text(std::mem::take(&mut text)));
            let letters = units.get(at..end).unwrap_or(&[]).iter();
            let pattern: Option<String> = letters
                .map(|unit| match unit {
                    Unit::Letter(c, _) => Some(*c),
                    Unit::Whole(_) => None,
                })
                .collect();
            // With unknown members a bracket expression is any one character.
            all.push(Piece::Glob(pattern.unwrap_or_else(|| "?".to_owned())));
        }
        at = end;
    }
    all.push(Piece::Text(text));
    compact(all)
}
