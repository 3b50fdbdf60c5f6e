//! Recognises the output of read_file where file content should be.

/// Whether most lines of `content` begin with a line number and `|`, counting up by one.
pub(in crate::file) fn looks_numbered(content: &str) -> bool {
    let mut lines = 0_usize;
    let mut in_order = 0_usize;
    let mut last = None;
    for line in content.lines().filter(|line| !line.trim().is_empty()) {
        lines += 1;
        let number = line.split_once('|').and_then(|(number, _)| number.trim().parse::<u64>().ok());
        if let Some(number) = number
            && last.is_none_or(|last: u64| last.checked_add(1) == Some(number))
        {
            in_order += 1;
        }
        last = number;
    }
    in_order >= 3 && in_order * 10 >= lines * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_listings_are_seen_and_tables_are_not() {
        assert!(looks_numbered("1|fn main() {\n2|}\n3|// end\n"));
        assert!(looks_numbered("  10|a\n  11|b\n  12|c\n… cut\n"));
        assert!(!looks_numbered("1|a\n2|b\n"), "two lines prove nothing");
        assert!(!looks_numbered("3|a\n1|b\n2|x\n9|y\n7|z\n"), "a table, not a listing");
        assert!(!looks_numbered("a | b\n--|--\nc | d\n"));
        assert!(!looks_numbered(""));
    }
}
