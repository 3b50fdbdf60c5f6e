//! The head and the tail of a text that is too long to show whole.

/// The start and the end of a text of more than `max_chars` characters: 40 % and 60 % of them, since
/// what matters in logs and build output tends to come last. Cuts fall on line ends where that costs
/// less than half of a part. A text that fits gives nothing.
pub fn head_tail(text: &str, max_chars: usize) -> Option<(&str, &str)> {
    text.char_indices().nth(max_chars)?;
    let head_chars = max_chars * 2 / 5;
    let tail_chars = max_chars - head_chars;
    let head_end = text.char_indices().nth(head_chars).map_or(text.len(), |(index, _)| index);
    let tail_start = match tail_chars.checked_sub(1) {
        Some(last) => text.char_indices().rev().nth(last).map_or(0, |(index, _)| index),
        None => text.len(),
    };
    let head = text.get(..head_end)?;
    let tail = text.get(tail_start..)?;
    Some((whole_lines_of_head(head), whole_lines_of_tail(text, tail, tail_start)))
}

fn whole_lines_of_head(head: &str) -> &str {
    head.rfind('\n')
        .filter(|line_end| *line_end >= head.len() / 2)
        .and_then(|line_end| head.get(..=line_end))
        .unwrap_or(head)
}

fn whole_lines_of_tail<'a>(text: &str, tail: &'a str, start: usize) -> &'a str {
    if text.get(..start).is_some_and(|before| before.ends_with('\n')) {
        return tail;
    }
    tail.find('\n')
        .filter(|line_end| *line_end <= tail.len() / 2)
        .and_then(|line_end| tail.get(line_end + 1..))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(tail)
}
