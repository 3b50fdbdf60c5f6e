//! Several needs in one query: each is looked for by itself too.

/// A part shorter than this says too little to be searched alone.
const SHORTEST_PART: usize = 12;
/// More parts than this are an essay, not a query.
const MOST_PARTS: usize = 8;

/// Words after which a new need begins.
const NEXT: &[&str] = &["then", "additionally", "finally", "afterwards", "furthermore", "moreover", "also"];

/// The needs of a query; empty if it holds only one.
pub(crate) fn needs(query: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for sentence in sentences(query) {
        parts.extend(clauses(sentence));
    }
    let mut parts: Vec<&str> = parts
        .into_iter()
        .map(|part| part.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|part| part.chars().count() >= SHORTEST_PART)
        .take(MOST_PARTS)
        .collect();
    if parts.len() < 2 {
        parts.clear();
    }
    parts
}

/// Cut after `.`, `?`, `!`, `;` before white space, and at ` + ` and line ends.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '.' | '?' | '!' | ';' => next.is_none_or(char::is_whitespace),
            '。' | '？' | '！' | '；' | '\n' => true,
            '+' => next == Some(' '),
            _ => false,
        };
        if ends {
            found.extend(text.get(from..at));
            from = at + letter.len_utf8();
        }
    }
    found.extend(text.get(from..));
    found
}

/// Cut before words such as "then".
fn clauses(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for word in sentence.split_inclusive(char::is_whitespace) {
        let plain = word.trim_matches(|letter: char| !letter.is_alphabetic()).to_lowercase();
        if NEXT.contains(&plain.as_str()) {
            found.extend(sentence.get(from..at));
            from = at;
        }
        at += word.len();
    }
    found.extend(sentence.get(from..));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_cut_where_a_new_one_begins() {
        assert_eq!(
            needs("Read the invoice file. Then send it to the customer + log version 2.5 of it"),
            ["Read the invoice file", "Then send it to the customer", "log version 2.5 of it"]
        );
        assert!(needs("create a github issue").is_empty());
        assert!(needs("").is_empty());
    }
}
