//! Removal of Markdown code fences at the start or end of a line.

const FENCE: &str = "```";
/// Info strings that are dropped even when code follows on the same line.
const COMMON_LANGUAGES: [&str; 4] = ["json", "xml", "html", "markdown"];
const MAX_INFO_CHARS: usize = 32;

/// The text without its fences, or nothing if it has none. Fences in the middle of a line stay: they
/// are inline code. `~~~` stays too: models do not frame calls with it.
pub(super) fn strip(text: &str) -> Option<String> {
    if !text.contains(FENCE) {
        return None;
    }
    let mut kept = Kept::default();
    let mut removed = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with(FENCE) {
            let after = rest.trim_start_matches('`');
            if kept.at_line_start() {
                kept.drop_blank_lines();
                rest = skip_info(after).trim_start();
                removed = true;
                continue;
            }
            if let Some(next_line) = end_of_line(after) {
                kept.drop_trailing_blanks();
                rest = next_line;
                removed = true;
                continue;
            }
            let run = rest.len() - after.len();
            kept.push_all(rest.get(..run).unwrap_or_default());
            rest = after;
            continue;
        }
        kept.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    removed.then_some(kept.text)
}

/// What follows the language name of an opening fence. A single word is a language name only if it
/// ends its line; anything longer is content that happens to follow the backticks.
fn skip_info(after: &str) -> &str {
    let word_end = after.find(|c: char| !is_info_char(c)).unwrap_or(after.len());
    let (word, rest) = after.split_at(word_end);
    let common = COMMON_LANGUAGES.iter().any(|language| word.eq_ignore_ascii_case(language));
    let ends_line = || rest.trim_start_matches([' ', '\t']).starts_with('\n');
    if common || (word.len() <= MAX_INFO_CHARS && ends_line()) { rest } else { after }
}

fn is_info_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '#' | '.')
}

/// The text from the last line end of the blanks that follow, if the line ends there at all.
fn end_of_line(after: &str) -> Option<&str> {
    let content = after.trim_start();
    if content.is_empty() {
        return Some(content);
    }
    let blanks = after.get(..after.len() - content.len())?;
    after.get(blanks.rfind('\n')?..)
}

/// The text kept so far, with the two positions that make undoing trailing blanks cheap.
#[derive(Default)]
struct Kept {
    text: String,
    /// Just after the last character that is not blank.
    content_end: usize,
    /// Just after the first line end that follows `content_end`.
    next_line: Option<usize>,
}

impl Kept {
    fn push(&mut self, c: char) {
        self.text.push(c);
        if !c.is_whitespace() {
            self.content_end = self.text.len();
            self.next_line = None;
        } else if c == '\n' && self.next_line.is_none() {
            self.next_line = Some(self.text.len());
        }
    }

    fn push_all(&mut self, content: &str) {
        self.text.push_str(content);
        self.content_end = self.text.len();
        self.next_line = None;
    }

    fn at_line_start(&self) -> bool {
        self.content_end == 0 || self.next_line.is_some()
    }

    fn drop_blank_lines(&mut self) {
        let end = if self.content_end == 0 { 0 } else { self.next_line.unwrap_or(self.content_end) };
        self.text.truncate(end);
    }

    fn drop_trailing_blanks(&mut self) {
        self.text.truncate(self.content_end);
        self.next_line = None;
    }
}
