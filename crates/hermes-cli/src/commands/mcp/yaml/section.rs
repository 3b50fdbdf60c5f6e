//! A mapping at the top of a file, in whatever style it is written.

use serde_json::{Map, Value};

use super::key::{after, bare, is_over};
use super::{block, flow};

/// How deep entries stand below their mapping where nothing shows it.
const STEP: usize = 2;
/// Values that mean an empty mapping.
const EMPTY: [&str; 4] = ["{}", "null", "~", "Null"];

/// How the value of the section is written.
enum Style {
    Block,
    /// From here to there in the line of the key.
    Empty(usize, usize),
    /// In braces that open at this place of the line.
    Flow(usize),
}

struct Section {
    line: usize,
    depth: usize,
    style: Style,
}

/// Writes an entry into the section, which is made where there is none. False where that takes a person.
pub(in crate::commands::mcp) fn put(
    lines: &mut Vec<String>,
    section: &str,
    name: &str,
    entry: &Map<String, Value>,
) -> bool {
    let Some(root) = root(lines) else { return false };
    let Ok(found) = find(lines, section, root) else { return false };
    let Some(found) = found else {
        let end = lines.iter().rposition(|line| line.trim_end() == "...").unwrap_or(lines.len());
        let head = format!("{}{section}:", " ".repeat(root));
        lines.splice(end..end, std::iter::once(head).chain(written(name, entry, root + STEP)));
        return true;
    };
    let Some(line) = lines.get_mut(found.line) else { return false };
    match found.style {
        Style::Flow(open) => {
            let entry = format!("{}: {}, ", Value::from(name), Value::Object(entry.clone()));
            line.insert_str(open + 1, &entry);
            return true;
        }
        Style::Empty(start, end) => {
            let rest = line.split_off(end);
            line.truncate(start);
            line.truncate(line.trim_end().len());
            line.push_str(&rest);
        }
        Style::Block => {}
    }
    let depth = block::depth_below(lines, found.line, found.depth).unwrap_or(found.depth + STEP);
    let at = found.line + 1;
    lines.splice(at..at, written(name, entry, depth));
    true
}

/// Takes an entry out of the section, and the section with the last one. False where that takes a person.
pub(in crate::commands::mcp) fn cut(lines: &mut Vec<String>, section: &str, name: &str) -> bool {
    let found = root(lines).and_then(|root| find(lines, section, root).ok().flatten());
    let Some(found) = found else { return false };
    match found.style {
        Style::Empty(..) => false,
        Style::Flow(open) => {
            let text = lines.get(found.line..).unwrap_or_default().join("\n");
            let Some(text) = flow::cut(&text, open, name) else { return false };
            lines.truncate(found.line);
            lines.extend(text.split('\n').map(str::to_owned));
            true
        }
        Style::Block => {
            let Some(depth) = block::depth_below(lines, found.line, found.depth) else { return false };
            if !block::cut(lines, found.line, depth, name) {
                return false;
            }
            // An empty section would read as nothing at all.
            if block::depth_below(lines, found.line, found.depth).is_none() {
                lines.remove(found.line);
            }
            true
        }
    }
}

/// An entry on lines of its own. JSON is YAML, and it needs no care about what a text may look like.
fn written(name: &str, entry: &Map<String, Value>, depth: usize) -> Vec<String> {
    let mut lines = vec![format!("{}{}:", " ".repeat(depth), Value::from(name))];
    lines.extend(entry.iter().map(|(key, value)| format!("{}{key}: {value}", " ".repeat(depth + STEP))));
    lines
}

/// How deep the keys at the top are; none if the file is not one mapping with a line for each key.
fn root(lines: &[String]) -> Option<usize> {
    let is_start = |line: &str| line.starts_with("---") || line.starts_with('%');
    let mut content = lines.iter().map(|line| line.trim_start_matches('\u{feff}'));
    let mut content = content.by_ref().filter(|line| !is_over(line)).skip_while(|line| is_start(line));
    let Some(first) = content.next() else { return Some(0) };
    let whole = first.trim_start().starts_with(['{', '[', '?']) || content.any(is_start);
    (!whole).then(|| block::depth(first))
}

/// Where the section stands; an error if it is written in a way that is not known.
fn find(lines: &[String], section: &str, root: usize) -> Result<Option<Section>, ()> {
    let found = lines.iter().enumerate().find_map(|(number, line)| {
        let line = line.trim_start_matches('\u{feff}');
        let value = line.get(root..).filter(|_| block::depth(line) == root)?;
        Some((number, line, after(value, section)?))
    });
    let Some((number, line, value)) = found else { return Ok(None) };
    let bare = bare(value);
    let start = lines.get(number).map_or(line.len(), String::len) - bare.len();
    let style = if is_over(bare) {
        Style::Block
    } else if let Some(word) = EMPTY.iter().find(|word| {
        let rest = bare.strip_prefix(**word);
        rest.is_some_and(|rest| is_over(rest) && (rest.is_empty() || rest.starts_with([' ', '\t'])))
    }) {
        Style::Empty(start, start + word.len())
    } else if bare.starts_with('{') {
        Style::Flow(start)
    } else {
        return Err(());
    };
    Ok(Some(Section { line: number, depth: root, style }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    fn entry() -> Map<String, Value> {
        json!({"command": "x"}).as_object().cloned().unwrap()
    }

    #[test]
    fn an_entry_goes_in_and_out_of_every_style() {
        for (before, after) in [
            ("", "s:\n  \"n\":\n    command: \"x\""),
            ("a: 1", "a: 1\ns:\n  \"n\":\n    command: \"x\""),
            ("---\na: 1\n...", "---\na: 1\ns:\n  \"n\":\n    command: \"x\"\n..."),
            (
                "s:   # mine\n    o:\n        command: y",
                "s:   # mine\n    \"n\":\n      command: \"x\"\n    o:\n        command: y",
            ),
            ("'s' : &all\n o: {command: y}", "'s' : &all\n \"n\":\n   command: \"x\"\n o: {command: y}"),
            ("s: {o: {command: y}} # c", "s: {\"n\": {\"command\":\"x\"}, o: {command: y}} # c"),
            (
                "s: {\n  o: {command: y},\n}\nb: 1",
                "s: {\"n\": {\"command\":\"x\"}, \n  o: {command: y},\n}\nb: 1",
            ),
            ("  a: 1\n  s:\n    o: {}", "  a: 1\n  s:\n    \"n\":\n      command: \"x\"\n    o: {}"),
        ] {
            let mut text = lines(before);
            assert!(put(&mut text, "s", "n", &entry()), "{before}");
            assert_eq!(text.join("\n"), after);
            assert!(cut(&mut text, "s", "n"), "{after}");
            let left: Vec<String> = text.iter().map(|line| line.trim_end().to_owned()).collect();
            assert_eq!(left, lines(before), "{before}");
        }
        for (before, after) in [
            ("s: {} # c\nb: 1", "s: # c\n  \"n\":\n    command: \"x\"\nb: 1"),
            ("s: ~", "s:\n  \"n\":\n    command: \"x\""),
            ("s: null\t# c", "s:\t# c\n  \"n\":\n    command: \"x\""),
            ("s:\nb: 1", "s:\n  \"n\":\n    command: \"x\"\nb: 1"),
        ] {
            let mut text = lines(before);
            assert!(put(&mut text, "s", "n", &entry()), "{before}");
            assert_eq!(text.join("\n"), after);
        }
    }

    #[test]
    fn what_is_left_belongs_to_others() {
        let mut text = lines(
            "s:\n  # about a\n  a: # x\n    command: y\n    args: [\n      1\n    ]\n\n  # about b\n  \"b\": {\n    command: z\n  }\n\n  c: {}\nt: 1",
        );
        assert!(cut(&mut text, "s", "a"));
        assert_eq!(
            text.join("\n"),
            "s:\n  # about a\n\n  # about b\n  \"b\": {\n    command: z\n  }\n\n  c: {}\nt: 1"
        );
        assert!(cut(&mut text, "s", "b"));
        assert_eq!(text.join("\n"), "s:\n  # about a\n\n  # about b\n\n  c: {}\nt: 1");
        assert!(!cut(&mut text, "s", "t"), "it is none of the section's");
    }

    #[test]
    fn what_cannot_be_told_apart_is_left_to_its_author() {
        for text in ["{s: {o: {}}}", "a: &x {}\ns: *x", "a: 1\n---\ns: {}", "s: text", "? s\n: {}"] {
            let mut text = lines(text);
            assert!(!put(&mut text, "s", "n", &entry()), "{text:?}");
        }
    }
}
