//! Spelling repair of tool names. Only the spelling: a different verb or target is never put in place
//! of what was asked for, because the call would then run the wrong tool.

use super::words::{normalise, one_slip_apart, same_stem};

/// Models write call syntax into the name; the name ends where that begins.
const END_OF_NAME: [char; 5] = ['"', '\'', '`', '<', '>'];
const CALL_PREFIXES: [&str; 2] = ["functions_", "function_"];
const SUFFIX: &str = "tool";
const MAX_SUFFIXES: usize = 2;
/// Hostile names cost nothing: no tool has a longer one.
const MAX_NAME_CHARS: usize = 256;
/// Shorter words are too close to each other: `get` and `set`, `add` and `and`.
const MIN_SLIP_WORD: usize = 4;
/// A replaced letter makes another word more often than a typo: `close` and `clone`, `stop` and `step`.
const MIN_REPLACED_WORD: usize = 7;
const MAX_SLIPS: usize = 2;
const MIN_PREFIX: usize = 4;

/// Words that mean something by themselves. One of these is never read as another word mistyped.
const PLAIN_WORDS: [&str; 76] = [
    "access", "accept", "alert", "allow", "append", "apply", "archive", "assign", "attach", "block",
    "cancel", "change", "check", "clean", "clear", "clone", "close", "comment", "commit", "complete",
    "compute", "connect", "content", "copy", "create", "date", "delete", "deploy", "detach", "disable",
    "drop", "edit", "enable", "erase", "except", "export", "fetch", "find", "fork", "form", "format",
    "grant", "host", "import", "insert", "kill", "link", "list", "load", "lock", "make", "mark", "merge",
    "mount", "move", "open", "parse", "patch", "pause", "post", "pull", "purge", "push", "read", "remove",
    "rename", "reset", "send", "show", "start", "stat", "state", "stop", "test", "text", "write",
];
/// Verbs too dangerous to be completed to a longer name.
const DESTRUCTIVE: [&str; 16] = [
    "clear",
    "delete",
    "destroy",
    "disable",
    "drop",
    "erase",
    "format",
    "kill",
    "purge",
    "remove",
    "reset",
    "revoke",
    "stop",
    "terminate",
    "uninstall",
    "wipe",
];

/// The one valid name that `name` is a misspelling of: other case or separators, CamelCase, a `tool`
/// suffix, call syntax after the name, a typing slip inside a word, or a long unique beginning.
pub fn repair<'a>(name: &str, valid: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written = name.split(END_OF_NAME).next().unwrap_or_default().trim();
    if written.is_empty() || written.chars().nth(MAX_NAME_CHARS).is_some() {
        return None;
    }
    let known: Vec<Known<'a>> = valid.map(Known::new).collect();
    if let Some(exact) = known.iter().find(|known| known.name == written) {
        return Some(exact.name);
    }
    let wanted = normalise(written);
    spellings(&wanted)
        .into_iter()
        .find_map(|spelling| same_letters(spelling, &known))
        .or_else(|| mistyped(&wanted, &known))
        .or_else(|| abbreviated(&wanted, &known))
}

struct Known<'a> {
    name: &'a str,
    normal: String,
}

impl<'a> Known<'a> {
    fn new(name: &'a str) -> Self {
        Known { name, normal: normalise(name) }
    }
}

/// The name itself, then without call prefix and without `tool` suffixes.
fn spellings(wanted: &str) -> Vec<&str> {
    let mut spellings = vec![wanted];
    let mut rest = CALL_PREFIXES.iter().find_map(|prefix| wanted.strip_prefix(prefix)).unwrap_or(wanted);
    spellings.push(rest);
    for _ in 0..MAX_SUFFIXES {
        match rest.strip_suffix(SUFFIX).map(|shorter| shorter.trim_end_matches('_')) {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => break,
        }
        spellings.push(rest);
    }
    spellings
}

/// The only name with the same letters; word breaks do not count unless they decide between several.
fn same_letters<'a>(wanted: &str, known: &[Known<'a>]) -> Option<&'a str> {
    only(known.iter().filter(|known| known.normal == wanted)).or_else(|| {
        let joined = |text: &str| text.bytes().filter(|byte| *byte != b'_').count();
        let length = joined(wanted);
        only(known.iter().filter(|known| {
            joined(&known.normal) == length
                && known
                    .normal
                    .bytes()
                    .filter(|byte| *byte != b'_')
                    .eq(wanted.bytes().filter(|byte| *byte != b'_'))
        }))
    })
}

/// The only name that differs by typing slips inside its words.
fn mistyped<'a>(wanted: &str, known: &[Known<'a>]) -> Option<&'a str> {
    let close = only(known.iter().filter(|known| slips(wanted, &known.normal).is_some()))?;
    // A word that other tools use is a word, not a slip.
    let is_used = |word: &str| known.iter().any(|known| known.normal.split('_').any(|other| other == word));
    let target = known.iter().find(|known| known.name == close)?;
    let mut pairs = wanted.split('_').zip(target.normal.split('_'));
    pairs.all(|(written, word)| same_stem(written, word) || !is_used(written)).then_some(close)
}

/// How many words differ by one slip, if the names have the same words otherwise.
fn slips(wanted: &str, target: &str) -> Option<usize> {
    if wanted.len().abs_diff(target.len()) > MAX_SLIPS {
        return None;
    }
    let (mut wanted, mut target) = (wanted.split('_'), target.split('_'));
    let mut count = 0;
    loop {
        match (wanted.next(), target.next()) {
            (None, None) => return (1..=MAX_SLIPS).contains(&count).then_some(count),
            (Some(written), Some(word)) if written == word => {}
            (Some(written), Some(word)) if is_slip(written, word) => count += 1,
            _ => return None,
        }
    }
}

fn is_slip(written: &str, word: &str) -> bool {
    word.len() >= MIN_SLIP_WORD
        && written.chars().next() == word.chars().next()
        && !written.contains(|c: char| c.is_numeric())
        && !word.contains(|c: char| c.is_numeric())
        && (same_stem(written, word) || !PLAIN_WORDS.contains(&written))
        && one_slip_apart(written, word, word.len() >= MIN_REPLACED_WORD)
}

/// The only name that begins like this, if little is missing and no other name has such a word.
fn abbreviated<'a>(wanted: &str, known: &[Known<'a>]) -> Option<&'a str> {
    if wanted.len() < MIN_PREFIX || DESTRUCTIVE.contains(&wanted) {
        return None;
    }
    let mut candidates = known.iter().filter(|known| has_beginning(&known.normal, wanted));
    let (found, None) = (candidates.next()?, candidates.next()) else { return None };
    let missing = found.normal.strip_prefix(wanted)?;
    let whole_words = missing.starts_with('_');
    // `file_read` for `file_read_all` is another tool, not an abbreviation; nor is `git_stat` cut off.
    let another = if whole_words {
        wanted.contains('_')
    } else {
        wanted.rsplit('_').next().is_some_and(|word| PLAIN_WORDS.contains(&word))
    };
    // Both lengths together: the beginning must be a good half of the name.
    let enough = 20 * wanted.len() >= 7 * (wanted.len() + found.normal.len());
    (enough && !another).then_some(found.name)
}

/// Whether the name, or one of its later words, begins with the text.
fn has_beginning(normal: &str, text: &str) -> bool {
    normal.match_indices(text).any(|(at, _)| at == 0 || normal.as_bytes().get(at - 1) == Some(&b'_'))
}

fn only<'k, 'a: 'k>(mut matches: impl Iterator<Item = &'k Known<'a>>) -> Option<&'a str> {
    match (matches.next(), matches.next()) {
        (Some(found), None) => Some(found.name),
        _ => None,
    }
}
