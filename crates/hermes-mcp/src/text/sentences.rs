//! Texts in sentences, none of them so long that everything is said in it.

/// Longer sentences are looked at in parts.
const LONG: usize = 600;

/// The sentences of a text. They end with a line, or where a blank follows, so that addresses and file names stay whole.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| parts(line, end_of_sentence))
        .flat_map(|sentence| parts(sentence, end_of_part))
}

/// The pieces of a text, each as long as `end` says.
fn parts(text: &str, end: fn(&str) -> usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let (part, after) = rest.split_at_checked(end(rest)).unwrap_or((rest, ""));
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

fn end_of_sentence(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => chars.peek().is_some_and(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            return at + c.len_utf8();
        }
    }
    text.len()
}

fn end_of_part(text: &str) -> usize {
    if text.len() <= LONG {
        return text.len();
    }
    let most = text.floor_char_boundary(LONG);
    text.get(..most).and_then(|part| part.rfind(' ')).map_or(most, |blank| blank + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_told_apart() {
        let text = "Reads a.txt. Sends it; then stops!\nDone。次";
        assert_eq!(
            sentences(text).collect::<Vec<_>>(),
            ["Reads a.txt.", "Sends it; then stops!", "Done。", "次"]
        );
        assert!(sentences(&"word ".repeat(1_000)).all(|sentence| sentence.len() <= LONG));
        assert_eq!(sentences(&"ä".repeat(1_000)).map(str::len).sum::<usize>(), 2_000);
    }
}
