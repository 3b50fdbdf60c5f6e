//! What a write changed, in one short sentence.

/// Compares two versions of a file. The lines between the common beginning and the common end changed.
pub(in crate::file) fn summarise(old: &[u8], new: &[u8]) -> String {
    let (Ok(old_text), Ok(new_text)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else {
        return format!("{} bytes replaced by {}", old.len(), new.len());
    };
    if old == new {
        return "no change".to_owned();
    }
    let old: Vec<&str> = old_text.split_inclusive('\n').collect();
    let new: Vec<&str> = new_text.split_inclusive('\n').collect();
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let head = same(&mut old.iter().zip(&new));
    let most = old.len().min(new.len()) - head;
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(most);
    let change = match (old.len() - head - tail, new.len() - head - tail) {
        (0, added) => format!("{} added after line {head}", count(added)),
        (removed, 0) => format!("{} removed", range(head, removed)),
        (removed, added) => format!("{} replaced by {}", range(head, removed), count(added)),
    };
    format!("{change} ({} → {} lines)", old.len(), new.len())
}

/// A number of lines in words.
pub(in crate::file) fn count(lines: usize) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}

fn range(before: usize, length: usize) -> String {
    match length {
        1 => format!("line {}", before + 1),
        _ => format!("lines {}-{}", before + 1, before + length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_lines_that_changed() {
        let of = |old: &str, new: &str| summarise(old.as_bytes(), new.as_bytes());
        assert_eq!(of("a\nb\nc\n", "a\nb\nc\n"), "no change");
        assert_eq!(of("a\nb\nc\n", "a\nx\ny\nc\n"), "line 2 replaced by 2 lines (3 → 4 lines)");
        assert_eq!(of("a\nc\n", "a\nb\nc\n"), "1 line added after line 1 (2 → 3 lines)");
        assert_eq!(of("a\nb\nc\nd\n", "a\nd\n"), "lines 2-3 removed (4 → 2 lines)");
        assert_eq!(of("", "a\n"), "1 line added after line 0 (0 → 1 lines)");
        assert_eq!(of("a\na\n", "a\n"), "line 2 removed (2 → 1 lines)");
        assert_eq!(of("a", "a\n"), "line 1 replaced by 1 line (1 → 1 lines)");
        assert_eq!(summarise(b"\xff", b"ok"), "1 bytes replaced by 2");
    }
}
