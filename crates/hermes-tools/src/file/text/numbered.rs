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

/// The first number, if every line that is not blank begins with a number and `|`, counting up by one.
pub(in crate::file) fn numbered_from(text: &str) -> Option<usize> {
    let mut numbers = text.lines().zip(0..).filter(|(line, _)| !line.trim().is_empty()).map(|(line, at)| {
        let number = line.split_once('|')?.0.trim().parse::<usize>().ok()?;
        number.checked_sub(at)
    });
    let first = numbers.next()??;
    numbers.all(|number| number == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_from_the_first_on() {
        assert_eq!(numbered_from("3|a\n4|b\n"), Some(3));
        assert_eq!(numbered_from(" 7|    x"), Some(7));
        assert_eq!(numbered_from("3|a\n\n5|b"), Some(3), "a blank line lacks its number");
        for other in ["3|a\n5|b", "a|b", "x", "", "3|a\nb"] {
            assert_eq!(numbered_from(other), None, "{other}");
        }
    }

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
