//! Brace expansion: `{a,b}`, `{1..9}`, `{a..e..2}`. It comes before all other expansions.

use super::super::tree::Part;

/// A sequence that is longer is one unknown text: `{1..1000}` tells nothing by its members.
const MAX_SEQUENCE: usize = 64;

/// More words than this are not made.
const MAX_WORDS: usize = 256;

/// Deeper braces are letters.
const MAX_DEPTH: usize = 16;

/// A part of a word after brace expansion.
#[derive(Clone, Debug)]
pub(super) enum Atom<'t> {
    Part(&'t Part),
    /// Unquoted text.
    Text(&'t str),
    Made(String),
    Unknown(String),
}

/// Whether a word needs brace expansion.
pub(super) fn has_braces(parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Text { text, quoted: false } if text.contains('{')))
}

/// The words that a word becomes; nothing if they are too many.
pub(super) fn expand(parts: &[Part]) -> Option<Vec<Vec<Atom<'_>>>> {
    let tokens = tokens(parts);
    let pairs = pairs(&tokens);
    Expansion { tokens: &tokens, pairs: &pairs }.range(0, tokens.len(), 0)
}

#[derive(Clone, Debug)]
enum Token<'t> {
    Open,
    Close,
    Comma,
    Text(&'t str),
    Part(&'t Part),
}

fn tokens(parts: &[Part]) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for part in parts {
        let Part::Text { text, quoted: false } = part else {
            tokens.push(Token::Part(part));
            continue;
        };
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', '}', ',']) {
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            if !before.is_empty() {
                tokens.push(Token::Text(before));
            }
            tokens.push(match after.bytes().next() {
                Some(b'{') => Token::Open,
                Some(b'}') => Token::Close,
                _ => Token::Comma,
            });
            rest = after.get(1..).unwrap_or("");
        }
        if !rest.is_empty() {
            tokens.push(Token::Text(rest));
        }
    }
    tokens
}

/// For each opening brace its closing one, and the commas that belong to it.
#[derive(Clone, Debug, Default)]
struct Pair {
    close: Option<usize>,
    commas: Vec<usize>,
}

fn pairs(tokens: &[Token<'_>]) -> Vec<Pair> {
    let mut pairs = vec![Pair::default(); tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open => open.push(at),
            Token::Close => {
                if let Some(pair) = open.pop().and_then(|start| pairs.get_mut(start)) {
                    pair.close = Some(at);
                }
            }
            Token::Comma => {
                if let Some(pair) = open.last().and_then(|start| pairs.get_mut(*start)) {
                    pair.commas.push(at);
                }
            }
            Token::Text(_) | Token::Part(_) => {}
        }
    }
    pairs
}

struct Expansion<'x, 't> {
    tokens: &'x [Token<'t>],
    pairs: &'x [Pair],
}

impl<'t> Expansion<'_, 't> {
    /// All words that the tokens of a range make.
    fn range(&self, start: usize, end: usize, depth: usize) -> Option<Vec<Vec<Atom<'t>>>> {
        let mut words: Vec<Vec<Atom<'t>>> = vec![Vec::new()];
        let mut at = start;
        while at < end {
            let mut next = at.saturating_add(1);
            let choices = match self.tokens.get(at)? {
                Token::Text(text) => vec![vec![Atom::Text(text)]],
                Token::Part(part) => vec![vec![Atom::Part(part)]],
                Token::Comma => vec![vec![Atom::Text(",")]],
                Token::Close => vec![vec![Atom::Text("}")]],
                Token::Open => {
                    let pair = self.pairs.get(at)?;
                    match pair.close.filter(|close| *close < end && depth < MAX_DEPTH) {
                        Some(close) => match self.choices(at, close, &pair.commas, depth)? {
                            Some(choices) => {
                                next = close.saturating_add(1);
                                choices
                            }
                            None => vec![vec![Atom::Text("{")]],
                        },
                        None => vec![vec![Atom::Text("{")]],
                    }
                }
            };
            words = product(words, choices)?;
            at = next;
        }
        Some(words)
    }

    /// What stands between two braces, if they mean something.
    fn choices(
        &self,
        open: usize,
        close: usize,
        commas: &[usize],
        depth: usize,
    ) -> Option<Option<Vec<Vec<Atom<'t>>>>> {
        let inner = open.saturating_add(1);
        if commas.is_empty() {
            let made = match self.tokens.get(inner..close)? {
                [Token::Text(text)] => sequence(text),
                _ => None,
            };
            return Some(made);
        }
        let mut all = Vec::new();
        let mut from = inner;
        for to in commas.iter().copied().chain([close]) {
            all.extend(self.range(from, to, depth.saturating_add(1))?);
            if all.len() > MAX_WORDS {
                return None;
            }
            from = to.saturating_add(1);
        }
        Some(Some(all))
    }
}

fn product<'t>(words: Vec<Vec<Atom<'t>>>, choices: Vec<Vec<Atom<'t>>>) -> Option<Vec<Vec<Atom<'t>>>> {
    if let [only] = choices.as_slice() {
        let mut words = words;
        words.iter_mut().for_each(|word| word.extend(only.iter().cloned()));
        return Some(words);
    }
    if words.len().saturating_mul(choices.len()) > MAX_WORDS {
        return None;
    }
    let mut all = Vec::new();
    for word in &words {
        for choice in &choices {
            all.push(word.iter().chain(choice).cloned().collect());
        }
    }
    Some(all)
}

/// `1..9`, `a..e`, `1..9..2`.
fn sequence<'t>(text: &str) -> Option<Vec<Vec<Atom<'t>>>> {
    let mut parts = text.split("..");
    let (from, to) = (parts.next()?, parts.next()?);
    let step: i64 = parts.next().map_or(Some(1), |step| step.parse().ok())?;
    if parts.next().is_some() {
        return None;
    }
    let step = step.checked_abs()?.max(1);
    let one = |made: String| vec![Atom::Made(made)];
    if let (Ok(first), Ok(last)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let padded = [from, to].iter().any(|n| n.trim_start_matches('-').starts_with('0') && n.len() > 1);
        let width = if padded { from.len().max(to.len()) } else { 0 };
        let steps = last.checked_sub(first)?.checked_abs()?.checked_div(step)?;
        if usize::try_from(steps).ok()? >= MAX_SEQUENCE {
            return Some(vec![vec![Atom::Unknown(format!("{{{text}}}"))]]);
        }
        let step = if last < first { step.checked_neg()? } else { step };
        let numbers = (0..=steps).filter_map(|n| first.checked_add(n.checked_mul(step)?));
        return Some(numbers.map(|n| one(format!("{n:0width$}"))).collect());
    }
    let letter = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|c| chars.next().is_none() && c.is_ascii()).map(u32::from)
    };
    let (first, last) = (letter(from)?, letter(to)?);
    let step = usize::try_from(step).ok()?;
    let range = first.min(last)..=first.max(last);
    let mut letters: Vec<char> = range.filter_map(char::from_u32).collect();
    if last < first {
        letters.reverse();
    }
    Some(letters.into_iter().step_by(step).map(|c| one(c.to_string())).collect())
}
