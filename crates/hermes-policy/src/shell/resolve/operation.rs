//! What operators do to a text that is certain: cutting, replacing, case, transformations.

use super::super::glob::{self, Token};
use super::super::parse;
use super::super::tree::{Operation, WordNode};
use super::env;
use super::fields::Mode;
use super::{Place, Resolver};

/// Matching a pattern at every place of a text costs too much beyond this.
const MAX_WORK: usize = 200_000;

impl Resolver<'_> {
    /// The result, or nothing if the text or anything else it needs is unknown. Words of the operator are
    /// expanded in any case, for the commands in them.
    pub(super) fn operate(
        &mut self,
        operation: &Operation,
        text: Option<&str>,
        place: &Place,
    ) -> Option<String> {
        self.notes.spend(text.map_or(0, str::len) / 4);
        match operation {
            Operation::None | Operation::Names | Operation::Fallback { .. } => text.map(str::to_owned),
            Operation::Length => Some(text?.chars().count().to_string()),
            Operation::RemovePrefix { longest, pattern } => {
                let pattern = self.pattern(pattern, place);
                self.cut(text?, &pattern?, *longest, false)
            }
            Operation::RemoveSuffix { longest, pattern } => {
                let pattern = self.pattern(pattern, place);
                self.cut(text?, &pattern?, *longest, true)
            }
            Operation::Replace { anchor, pattern, with } => {
                let pattern = self.pattern(pattern, place);
                let with = self.pieces(with, Mode::Plain, place);
                self.replace(text?, &pattern?, &env::literal(&with)?, *anchor)
            }
            Operation::Slice { offset, length } => {
                let offset = self.word_number(offset, place);
                let length = length.as_ref().map(|length| self.word_number(length, place));
                let length = match length {
                    Some(length) => Some(length?),
                    None => None,
                };
                slice(text?, offset?, length)
            }
            Operation::Case { upper, all, pattern } => {
                let pattern = self.pattern(pattern, place)?;
                let readings = glob::readings(if pattern.is_empty() { "?" } else { &pattern });
                let mut out = String::new();
                for (at, c) in text?.chars().enumerate() {
                    let wanted = (*all || at == 0)
                        && readings
                            .iter()
                            .any(|tokens| glob::matches(tokens, c.encode_utf8(&mut [0; 4]), false));
                    match (wanted, upper) {
                        (false, _) => out.push(c),
                        (true, true) => out.extend(c.to_uppercase()),
                        (true, false) => out.extend(c.to_lowercase()),
                    }
                }
                Some(out)
            }
            Operation::Transform(letter) => self.transform(*letter, text?, place),
        }
    }

    fn transform(&mut self, letter: u8, text: &str, place: &Place) -> Option<String> {
        match letter {
            b'U' => Some(text.to_uppercase()),
            b'L' => Some(text.to_lowercase()),
            b'u' => {
                let mut chars = text.chars();
                let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
                Some(first + chars.as_str())
            }
            b'E' => Some(parse::ansi_c(text)),
            b'Q' | b'K' => Some(format!("'{}'", text.replace('\'', "'\\''"))),
            b'P' => {
                // A prompt is expanded like a text between double quotes, commands included.
                self.hidden_here(Some(text), place);
                None
            }
            _ => None,
        }
    }

    /// Cuts what matches off the beginning or the end.
    fn cut(&mut self, text: &str, pattern: &str, longest: bool, from_end: bool) -> Option<String> {
        let mut best: Option<usize> = None;
        for mut tokens in glob::readings(pattern) {
            if !self.notes.spend(text.len().saturating_mul(tokens.len().saturating_add(4)) / 2) {
                return None;
            }
            let lengths = if from_end {
                tokens.reverse();
                glob::matching_lengths(&tokens, text.chars().rev())
            } else {
                glob::matching_lengths(&tokens, text.chars())
            };
            let found = if longest { lengths.last() } else { lengths.first() };
            best = match (best, found.copied()) {
                (Some(old), Some(new)) => Some(if longest { old.max(new) } else { old.min(new) }),
                (old, new) => old.or(new),
            };
        }
        let Some(cut) = best else { return Some(text.to_owned()) };
        Some(if from_end {
            let kept = text.chars().count().saturating_sub(cut);
            text.chars().take(kept).collect()
        } else {
            text.chars().skip(cut).collect()
        })
    }

    fn replace(&mut self, text: &str, pattern: &str, with: &str, anchor: u8) -> Option<String> {
        if pattern.is_empty() && anchor != b'#' && anchor != b'%' {
            return Some(text.to_owned());
        }
        let readings = glob::readings(pattern);
        let chars: Vec<char> = text.chars().collect();
        let work = readings.iter().map(Vec::len).sum::<usize>().saturating_mul(chars.len());
        let plain = readings.iter().flatten().all(|token| matches!(token, Token::Letter(_)));
        let work = if plain { work } else { work.saturating_mul(chars.len()) };
        if work > MAX_WORK || !self.notes.spend(work / 2) {
            return None;
        }
        let longest_at = |at: usize| {
            let rest = chars.get(at..).unwrap_or(&[]);
            let lengths = readings.iter().map(|tokens| glob::matching_lengths(tokens, rest.iter().copied()));
            lengths.filter_map(|lengths| lengths.last().copied()).max()
        };
        let mut out = String::new();
        let mut at = 0;
        let mut replaced = false;
        while at < chars.len() {
            let tried = match anchor {
                b'#' => at == 0,
                b'/' | b'%' => true,
                _ => !replaced,
            };
            let mut found = longest_at(at).filter(|length| tried && *length > 0);
            if anchor == b'%' {
                found = found.filter(|length| at.saturating_add(*length) == chars.len());
            }
            match found {
                Some(length) => {
                    out.push_str(with);
                    replaced = true;
                    at = at.saturating_add(length);
                }
                None => {
                    out.extend(chars.get(at));
                    at = at.saturating_add(1);
                }
            }
        }
        // An anchor alone stands for the empty text there.
        if pattern.is_empty() {
            out = if anchor == b'#' { format!("{with}{text}") } else { format!("{text}{with}") };
        }
        Some(out)
    }

    /// The number that a word stands for.
    pub(super) fn word_number(&mut self, word: &WordNode, place: &Place) -> Option<i64> {
        let value = self.pieces(word, Mode::Plain, place);
        self.number(&env::literal(&value)?)
    }
}

fn slice(text: &str, offset: i64, length: Option<i64>) -> Option<String> {
    let count = i64::try_from(text.chars().count()).ok()?;
    let start = if offset < 0 { count.saturating_add(offset) } else { offset };
    if start < 0 || start > count {
        return Some(String::new());
    }
    let end = match length {
        None => count,
        Some(length) if length < 0 => count.saturating_add(length),
        Some(length) => start.saturating_add(length),
    };
    let taken = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
    Some(text.chars().skip(usize::try_from(start).ok()?).take(taken).collect())
}
