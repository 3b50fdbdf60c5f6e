//! Removal of the tokens that frame messages and tool calls: role tags, chat-template marks, CDATA.

/// Tags that frame a role, a call or a result, in any case and with any attributes.
const TAGS: [&str; 37] = [
    "tool_call",
    "tool_calls",
    "tool_response",
    "tool_responses",
    "tool_result",
    "tool_results",
    "tool_use",
    "tool_output",
    "tool_outputs",
    "tool_error",
    "function_call",
    "function_calls",
    "function_response",
    "function_responses",
    "function_result",
    "function_results",
    "result",
    "response",
    "output",
    "input",
    "system",
    "system_prompt",
    "system_message",
    "system-reminder",
    "assistant",
    "user",
    "human",
    "developer",
    "think",
    "thinking",
    "invoke",
    "parameter",
    "untrusted_tool_result",
    "persisted-output",
    "start_function_call",
    "end_function_call",
    "tool_code",
];
/// Tags whose names programs also print for objects, as in `<Response [404]>` and `<User 42>`: with
/// something behind the name, they count as tags only if that looks like an attribute.
const PRINTED: [&str; 5] = ["input", "output", "response", "result", "user"];
/// Template marks that look like tags but never carry attributes or blanks.
const MARKS: [&str; 8] = ["s", "bos", "eos", "pad", "unk", "start_of_turn", "end_of_turn", "start_of_image"];
/// Template marks in square brackets.
const BRACKETED: [&str; 8] = [
    "INST",
    "SYSTEM_PROMPT",
    "TOOL_CALLS",
    "TOOL_CONTENT",
    "TOOL_RESULTS",
    "AVAILABLE_TOOLS",
    "IMG",
    "THINK",
];
const CDATA_OPEN: &str = "<![CDATA[";
const CDATA_CLOSE: &str = "]]>";
const NAMESPACE: &str = "antml:";
const MAX_MARK_CHARS: usize = 64;
/// How far to look for the `=` that tells attributes from a comparison such as `a < input and b > c`.
const ATTRIBUTE_WINDOW: usize = 256;

/// The text without framing tokens, or nothing if it has none. One pass: what is left may form a new
/// token, so callers repeat until nothing changes.
pub(super) fn strip(text: &str) -> Option<String> {
    strip_plain(text).or_else(|| strip_plain(&narrow(text)?))
}

/// The text with its full-width letters and signs, such as `＜`, as the plain ones that models read them as.
/// Nothing if it has none.
fn narrow(text: &str) -> Option<String> {
    let plain = |c: char| match c {
        '\u{fe64}' => '<',
        '\u{fe65}' => '>',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    };
    text.chars().any(|c| plain(c) != c).then(|| text.chars().map(plain).collect())
}

fn strip_plain(text: &str) -> Option<String> {
    let mut scan = Scan { text, next_close: None, cdata_ends: true };
    let mut kept = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(offset) = scan.rest(at).find(['<', '[']) {
        at += offset;
        match scan.token_end(at) {
            Some(end) => {
                kept.push_str(text.get(copied..at).unwrap_or_default());
                copied = end;
                at = end;
            }
            None => at += 1,
        }
    }
    if copied == 0 {
        return None;
    }
    kept.push_str(scan.rest(copied));
    Some(kept)
}

/// Looks for tokens in one text. Remembers what searches ahead have found, so that hostile input
/// such as `<system <system <system …` cannot make every `<` search to the end.
struct Scan<'a> {
    text: &'a str,
    /// The last `>` that was looked up, the end of the text if there was none: searches that start
    /// before it have the same answer.
    next_close: Option<usize>,
    /// Whether a CDATA section may still end somewhere ahead.
    cdata_ends: bool,
}

impl<'a> Scan<'a> {
    fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Where the token that starts at this `<` or `[` ends, if there is one.
    fn token_end(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        if let Some(inside) = rest.strip_prefix('[') {
            return self.position(bracketed(inside, ']', &BRACKETED)?);
        }
        if rest.starts_with(CDATA_OPEN) {
            return self.cdata_end(at);
        }
        if let Some(inside) = rest.strip_prefix("<<") {
            return bracketed(inside, '>', &["SYS"])?
                .strip_prefix('>')
                .and_then(|after| self.position(after));
        }
        let inside = rest.strip_prefix('<')?;
        if let Some(after) = template_mark(inside).or_else(|| bare_mark(inside)) {
            return self.position(after);
        }
        self.tag_end(inside)
    }

    fn position(&self, rest: &str) -> Option<usize> {
        self.text.len().checked_sub(rest.len())
    }

    fn cdata_end(&mut self, at: usize) -> Option<usize> {
        if !self.cdata_ends {
            return None;
        }
        let start = at + CDATA_OPEN.len();
        let found = self.rest(start).find(CDATA_CLOSE);
        self.cdata_ends = found.is_some();
        Some(start + found? + CDATA_CLOSE.len())
    }

    /// `inside` begins just after a `<`.
    fn tag_end(&mut self, inside: &str) -> Option<usize> {
        let unspaced = inside.trim_start();
        let name_part = unspaced.strip_prefix('/').unwrap_or(unspaced).trim_start();
        let name_part = name_part.strip_prefix(NAMESPACE).unwrap_or(name_part);
        if let Some(end) = self.function_end(unspaced) {
            return Some(end);
        }
        let (name, after) = listed_name(name_part, &TAGS)?;
        let attributes = after.trim_start();
        let closing = attributes.strip_prefix(['/', '|']).unwrap_or(attributes).trim_start();
        if let Some(end) = closing.strip_prefix('>') {
            return self.position(end);
        }
        let first = attributes.chars().next()?;
        // `List<System.Int32>`, `<system::Error>` and `<developer@host>` are names of other things.
        let spoken = matches!(first, ':' | ',' | ';' | '|' | '=' | '!' | '?' | '(' | '"' | '\'')
            && !attributes.starts_with("::")
            && !PRINTED.contains(&name);
        let separated = attributes.len() < after.len() || first == '/' || spoken;
        let is_attribute = first.is_alphabetic() || matches!(first, '_' | ':' | '@' | '"' | '\'' | '/');
        if !separated || (PRINTED.contains(&name) && !is_attribute) {
            return None;
        }
        let close = self.close_after(self.position(attributes)?)?;
        let spaced = unspaced.len() < inside.len();
        if spaced && !has_assignment(attributes, self.rest(close).len()) {
            return None;
        }
        Some(close + 1)
    }

    /// `<function=name>` and `</function>`; with anything else behind it, it is an object that was printed.
    fn function_end(&mut self, unspaced: &str) -> Option<usize> {
        if let Some(closing) = unspaced.strip_prefix('/') {
            let (_, after) = listed_name(closing.trim_start(), &["function"])?;
            return self.position(after.trim_start().strip_prefix('>')?);
        }
        let (_, after) = listed_name(unspaced, &["function"])?;
        let named = after.trim_start().strip_prefix('=')?;
        self.close_after(self.position(named)?).map(|close| close + 1)
    }

    fn close_after(&mut self, at: usize) -> Option<usize> {
        let close = match self.next_close {
            Some(close) if close >= at => close,
            _ => self.rest(at).find('>').map_or(self.text.len(), |offset| at + offset),
        };
        self.next_close = Some(close);
        (close < self.text.len()).then_some(close)
    }
}

fn has_assignment(attributes: &str, after_len: usize) -> bool {
    let span = attributes.len().saturating_sub(after_len).min(ATTRIBUTE_WINDOW);
    attributes.bytes().take(span).any(|byte| byte == b'=')
}

/// What follows `/NAME` and the closing character, blanks allowed, if the name is listed.
fn bracketed<'a>(inside: &'a str, close: char, names: &[&str]) -> Option<&'a str> {
    let inside = inside.trim_start();
    let inside = inside.strip_prefix('/').unwrap_or(inside).trim_start();
    listed_name(inside, names)?.1.trim_start().strip_prefix(close)
}

/// The name of the list that stands here as a whole word, and what follows it.
fn listed_name<'a, 'n>(text: &'a str, names: &[&'n str]) -> Option<(&'n str, &'a str)> {
    let end =
        text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let listed = names.iter().find(|listed| listed.eq_ignore_ascii_case(name))?;
    Some((listed, rest))
}

/// What follows `<|…|>`, also with the wide bars that some models use.
fn template_mark(inside: &str) -> Option<&str> {
    let inside = inside.strip_prefix(['|', '｜'])?;
    let name_end = inside
        .char_indices()
        .take(MAX_MARK_CHARS + 1)
        .find(|(_, c)| matches!(c, '|' | '｜' | '<' | '>' | '\n'))
        .map(|(index, _)| index)
        .filter(|index| *index > 0)?;
    inside.get(name_end..)?.strip_prefix(['|', '｜'])?.strip_prefix('>')
}

fn bare_mark(inside: &str) -> Option<&str> {
    listed_name(inside.strip_prefix('/').unwrap_or(inside), &MARKS)?.1.strip_prefix('>')
}
