//! What a program printed, as a reader of its terminal would have seen it in the end.

use super::control::strip_into;

/// Sequences that erase the rest of a line, and all of it.
const ERASE_REST: [&str; 4] = ["\u{1b}[K", "\u{1b}[0K", "\u{1b}[J", "\u{1b}[0J"];
const ERASE_LINE: [&str; 2] = ["\u{1b}[2K", "\u{1b}[2J"];

/// The text without escape sequences and control characters. Of a line that was overwritten, as progress bars do, stays
/// what stood there last. Where that is shorter and erases nothing, a terminal would show it with the end of the longer
/// text behind it, which nobody wrote: both stay then, on lines of their own.
pub fn printed(text: &str) -> String {
    // Megabytes that grow are there twice while they move.
    let mut stripped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let line = line.trim_end_matches('\r');
        match line.contains('\r') {
            true => stripped.push_str(&last_seen(line)),
            false => strip_into(&mut stripped, line),
        }
        stripped.push_str(end);
    }
    stripped
}

/// What is to be seen of a line that was written several times.
fn last_seen(line: &str) -> String {
    let mut seen: Vec<(usize, String)> = Vec::new();
    for text in line.split('\r') {
        // What it erased of itself.
        let begin = ERASE_LINE.iter().filter_map(|erase| Some(text.rfind(erase)? + erase.len())).max();
        if begin.is_some() || ERASE_REST.iter().any(|erase| text.contains(erase)) {
            seen.clear();
        }
        let mut stripped = String::new();
        strip_into(&mut stripped, text.get(begin.unwrap_or_default()..).unwrap_or_default());
        let length = stripped.chars().count();
        while seen.last().is_some_and(|(covered, _)| *covered <= length) {
            seen.pop();
        }
        // Blanks only wipe out what is under them.
        if !stripped.trim().is_empty() {
            seen.push((length, stripped));
        }
    }
    let texts: Vec<String> = seen.into_iter().map(|(_, text)| text).collect();
    texts.join("\n")
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

    #[test]
    fn a_shorter_text_hides_no_longer_one_unless_it_erases_it() {
        assert_eq!(printed("error: no space\rok\nnext"), "error: no space\nok\nnext");
        assert_eq!(printed("10\r9\r8\r\n"), "10\n8\n");
        assert_eq!(printed("100%\r\u{1b}[Kdone\n"), "done\n");
        assert_eq!(printed("100%\rdone, all\u{1b}[0K\r\n"), "done, all\n");
        assert_eq!(printed("100%\u{1b}[2K\rok\r\r\n"), "ok\n");
        assert_eq!(printed("\u{1b}[32m100%\u{1b}[0m\rgrün\n"), "grün\n", "colours have no length");
        assert_eq!(printed("100%\r    \rok\n"), "ok\n");
    }
}
