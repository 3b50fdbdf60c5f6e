//! What a program printed, as a reader of its terminal would have seen it in the end.

use super::control::strip_into;

/// The text without escape sequences and control characters. A line that was overwritten, as progress bars
/// do, is what stood there last.
pub fn printed(text: &str) -> String {
    // Megabytes that grow are there twice while they move.
    let mut stripped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        let last = line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default();
        strip_into(&mut stripped, last);
        stripped.push_str(end);
    }
    stripped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_left_on_the_screen_stays() {
        assert_eq!(printed("10%\r50%\r100%\ndone\r\n"), "100%\ndone\n");
        assert_eq!(printed("\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}x"), "red x");
        assert_eq!(printed("a\tb\u{8}\u{0}\nno end\r"), "a\tb\nno end");
        assert_eq!(printed(""), "");
    }
}
