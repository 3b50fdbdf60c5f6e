//! Text that was escaped once too often on its way here.

use super::quote_pairs::quotes;

/// What is written out, and what it means. The pair comes first: what follows it is not escaped by its second half.
const WRITTEN_OUT: [(&str, &str); 5] =
    [("\\\\", "\\"), ("\\r\\n", "\n"), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r")];

/// A piece of a text as it is written, and what it means if it is an escape.
type Piece<'a> = (&'a str, Option<&'static str>);

/// `\n`, `\t` and `\r` written out as two characters in `old`, read as the characters they mean, and a backslash that
/// is doubled with them; `new` is read in the same way. Others that `new` writes out stand as they are if `old` has the
/// real characters. `None` if there is nothing to read, and if nobody knows how one is meant: as in a string, where it
/// looks like a part of a path, or in front of a quote.
pub(super) fn unescaped(old: &str, new: &str) -> Option<(String, String)> {
    let (olds, news) = (pieces(old), pieces(new));
    let is_known = |meant: &str| olds.iter().any(|(_, known)| *known == Some(meant));
    if !["\n", "\t", "\r"].into_iter().any(is_known) {
        return None;
    }
    // A quote that was escaped with the rest, or one that is the file's own affair.
    if ["\\\"", "\\'"].into_iter().any(|quote| new.matches(quote).count() > old.matches(quote).count()) {
        return None;
    }
    let same = |((one, _), (other, _)): &(&Piece<'_>, &Piece<'_>)| one == other;
    let head = olds.iter().zip(&news).take_while(same).count();
    let tail = olds.iter().skip(head).rev().zip(news.iter().skip(head).rev()).take_while(same).count();
    // What `new` repeats is shown by the file to be meant so.
    let is_repeated = |index: usize| index < head || index >= news.len() - tail;
    let mut read = String::with_capacity(new.len());
    for (index, (written, meant)) in news.iter().enumerate() {
        match meant {
            None => read.push_str(written),
            Some(meant) if !is_known(meant) => {
                if *meant == "\\" || !old.contains(meant) {
                    return None;
                }
                read.push_str(written);
            }
            Some(meant) if is_repeated(index) || is_certain(&read, meant) => read.push_str(meant),
            Some(_) => return None,
        }
    }
    let old = olds.iter().map(|(written, meant)| meant.unwrap_or(written)).collect();
    Some((old, read))
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let escape = WRITTEN_OUT.iter().find(|(written, _)| rest.starts_with(written));
        let length = escape.map_or(first.len_utf8(), |(written, _)| written.len());
        let Some((piece, after)) = rest.split_at_checked(length) else { break };
        found.push((piece, escape.map(|(_, meant)| *meant)));
        rest = after;
    }
    found
}

/// Whether an escape that was added behind `before` can only mean this: the end of a line of code, or its indentation.
fn is_certain(before: &str, meant: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let bare = line.replace("\\\"", "").replace("\\'", "").replace("\\`", "");
    let is_quoted = ['"', '\'', '`'].into_iter().any(|sign| !quotes(&bare, sign).is_multiple_of(2));
    match meant {
        "\\" => true,
        "\n" => !is_quoted && !is_path(line.rsplit([' ', '\t']).next().unwrap_or_default()),
        "\t" => line.trim().is_empty(),
        _ => false,
    }
}

/// Whether a word may go on with the separator of a path: `C:`, `..`, `%HOME%`, `a\b`.
fn is_path(word: &str) -> bool {
    let mut letters = word.chars().rev();
    let is_drive = letters.next() == Some(':')
        && letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && !letters.next().is_some_and(char::is_alphanumeric);
    is_drive || word == "." || word.ends_with("..") || word.ends_with('%') || word.contains('\\')
}

/// Quotes that carry a backslash nobody asked for. `None` if there are none.
pub(super) fn unquoted(text: &str) -> Option<String> {
    let read = text.replace("\\'", "'").replace("\\\"", "\"");
    (read != text).then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_read(old: &str, new: &str, right: Option<(&str, &str)>) {
        let read = unescaped(old, new);
        assert_eq!(read.as_ref().map(|(old, new)| (old.as_str(), new.as_str())), right, "{old} {new}");
    }

    #[test]
    fn what_is_certain_is_read_in_one_pass() {
        assert_read(r"a\nb", r"a\nc", Some(("a\nb", "a\nc")));
        assert_read(r"a\nb", r"a\nx\nb", Some(("a\nb", "a\nx\nb")));
        assert_read(r"if a:\n\tb", r"if a:\n\tc\n\tb", Some(("if a:\n\tb", "if a:\n\tc\n\tb")));
        assert_read(r#"a = "\\n"\nb"#, r#"a = "\\n"\nc"#, Some(("a = \"\\n\"\nb", "a = \"\\n\"\nc")));
        assert_read(r"a\\tb\nc", r"a\\tb\nd", Some(("a\\tb\nc", "a\\tb\nd")));
        assert_read("a\\tb\nc", "a\\tb\nw('\\n')", Some(("a\tb\nc", "a\tb\nw('\\n')")));
        assert_read(r"don't\nb", r"don't\nit's\nb", Some(("don't\nb", "don't\nit's\nb")));
    }

    #[test]
    fn what_may_be_a_text_of_its_own_is_not_read() {
        assert_read(r"a\nb", r#"a\nprint("x\n")"#, None);
        assert_read(r"a\nb", r#"a\nprint("say \"x\"\n")"#, None);
        assert_read(r"a\nb", r"a\nprint('x\n')", None);
        assert_read(r"a\nb", r#"a\nc = \"x\""#, None);
        assert_read("a\\nb\nc", "a\\nb\nc = \\'x\\'", None);
        assert_read(r#"a = \"x\"\nb"#, r#"a = \"y\"\nb"#, Some(("a = \\\"x\\\"\nb", "a = \\\"y\\\"\nb")));
        assert_read(r"a\tb", r"a\tC:\temp", None);
        assert_read(r"a\nb", r"a\ncd C:\new", None);
        assert_read(r"a\nb", r"a\ncd ..\new", None);
        assert_read(r"a\nb", r"a\ncd x\y\new", None);
        assert_read(r"a\nb", r"a\n\tb", None);
        assert_read(r"a\nb", r"a\n\\b", None);
        assert_read(r"a\\d", r"a\\s", None);
        assert_read("a", r"a\n", None);
    }
}
