//! Spelling repair of tool names. Only the spelling: a different verb or target is never put in place
//! of what was asked for, because the call would then run the wrong tool.

use super::affixes::means_another;
use super::plain::{is_particle, is_plain};
use super::slips::{swapped_start, within_letters, within_slips};
use super::words::{normalise, same_stem};

/// Models write call syntax into the name; the name ends where that begins.
const END_OF_NAME: [char; 6] = ['"', '\'', '`', '<', '>', '('];
const CALL_PREFIXES: [&str; 2] = ["functions_", "function_"];
/// Whose tools they are, where a dot, a colon or a slash says that this is no part of the name.
const NAMESPACES: [&str; 6] = ["functions", "function", "tools", "tool", "default_api", "api"];
const SUFFIX: &str = "tool";
const MAX_SUFFIXES: usize = 2;
/// Hostile names cost nothing: no tool has a longer one.
const MAX_NAME_CHARS: usize = 256;
/// Shorter words are too close to each other: `get` and `set`, `add` and `and`.
const MIN_SLIP_WORD: usize = 4;
/// In a long word two slips are still slips.
const MIN_TWO_SLIPS_WORD: usize = 8;
/// People seldom slip at the first letter, and where they do, a short word becomes another: `mount` and `count`.
const MIN_FIRST_SLIP_WORD: usize = 7;
/// Words of one name that may be mistyped.
const MAX_SLIPS: usize = 2;
const MIN_PREFIX: usize = 4;

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
    let written = without_number(written);
    if written.is_empty() || written.chars().nth(MAX_NAME_CHARS).is_some() {
        return None;
    }
    let known: Vec<Known<'a>> = valid.map(Known::new).collect();
    if let Some(exact) = known.iter().find(|known| known.name == written) {
        return Some(exact.name);
    }
    let own = written.rsplit_once(['.', ':', '/']).filter(|(space, _)| is_namespace(space));
    let read = [Some(written), own.map(|(_, own)| own)].map(|name| name.and_then(as_name));
    let mut spellings: Vec<&str> = read.iter().flatten().flat_map(|name| spellings(name)).collect();
    spellings.dedup();
    let spelled = |read: fn(&str, &[Known<'a>]) -> Option<&'a str>| {
        spellings.iter().find_map(|spelling| read(spelling, &known))
    };
    spelled(same_letters).or_else(|| spelled(mistyped)).or_else(|| spelled(abbreviated))
}

/// The normal form of what may be a name at all. A path is none, and nobody types a control character by a slip.
fn as_name(text: &str) -> Option<String> {
    let is_foreign = |c: char| matches!(c, '/' | '\\') || c.is_control();
    Some(normalise(text)).filter(|name| !name.is_empty() && !text.contains(is_foreign))
}

/// Some models number their calls: `read_file:0`.
fn without_number(written: &str) -> &str {
    match written.rsplit_once(':') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => written,
    }
}

fn is_namespace(space: &str) -> bool {
    NAMESPACES.contains(&space.trim_end_matches([':', '.', '/']).to_ascii_lowercase().as_str())
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

/// The only name that differs by typing slips inside its words, which may be run together besides. Words themselves
/// are never added nor left out: `send_no` is not `send`, however short the word is.
fn mistyped<'a>(wanted: &str, known: &[Known<'a>]) -> Option<&'a str> {
    let slips = |target| slips(wanted, target).or_else(|| slip_run_together(wanted, target));
    let mut close = known.iter().filter_map(|known| Some((known, slips(known.normal.as_str())?)));
    let (Some((target, slips)), None) = (close.next(), close.next()) else { return None };
    // A word that other tools use is a word, not a slip.
    let is_used = |word: &str| known.iter().any(|known| known.normal.split('_').any(|other| other == word));
    let may_be_meant = |(written, word): &(&str, &str)| {
        same_stem(written, word) || (is_slip(written, word) && !is_used(written))
    };
    slips.iter().all(may_be_meant).then_some(target.name)
}

/// What was written for which words, if one or two words are near those and the names have the same words otherwise.
fn slips<'n>(wanted: &'n str, target: &'n str) -> Option<Vec<(&'n str, &'n str)>> {
    if wanted.len().abs_diff(target.len()) > 2 * MAX_SLIPS {
        return None;
    }
    let (mut wanted, mut target) = (wanted.split('_'), target.split('_'));
    let mut slips = Vec::new();
    loop {
        match (wanted.next(), target.next()) {
            (None, None) => return (1..=MAX_SLIPS).contains(&slips.len()).then_some(slips),
            (Some(written), Some(word)) if written == word => {}
            (Some(written), Some(word)) if is_near(written, word) => slips.push((written, word)),
            _ => return None,
        }
    }
}

/// The same for one word of a name whose words are run together. The words around it must be there to the
/// letter: `getstate` is not `set_state`.
fn slip_run_together<'n>(wanted: &'n str, target: &'n str) -> Option<Vec<(&'n str, &'n str)>> {
    if wanted.len().abs_diff(target.len()) > 2 * MAX_SLIPS {
        return None;
    }
    let words: Vec<&str> = target.split('_').collect();
    if wanted.split('_').count() >= words.len() {
        return None;
    }
    words.iter().enumerate().find_map(|(at, word)| {
        let (before, after) = (words.get(..at)?, words.get(at + 1..)?);
        let rest = before
            .iter()
            .try_fold(wanted, |rest, word| Some(rest.strip_prefix(word)?.trim_start_matches('_')))?;
        let written = after
            .iter()
            .rev()
            .try_fold(rest, |rest, word| Some(rest.strip_suffix(word)?.trim_end_matches('_')))?;
        (!written.contains('_') && is_near(written, word)).then(|| vec![(written, *word)])
    })
}

/// Whether the letters are nearly the same. Two words that are near are a choice that is not ours, even if only one of
/// them is near by a slip.
fn is_near(written: &str, word: &str) -> bool {
    word.len() >= MIN_SLIP_WORD
        && written.len() + 2 >= MIN_SLIP_WORD
        && !written.contains(|c: char| c.is_numeric())
        && !word.contains(|c: char| c.is_numeric())
        && (same_stem(written, word) || is_close(written, word, within_letters))
}

/// Whether the word was meant and mistyped.
fn is_slip(written: &str, word: &str) -> bool {
    is_close(written, word, within_slips)
        && (is_inflected(written, word) || (!is_plain(written) && !means_another(written, word)))
}

fn is_close(written: &str, word: &str, within: fn(&str, &str, usize) -> bool) -> bool {
    let first = written.chars().next() == word.chars().next();
    match word.len() {
        length if length >= MIN_TWO_SLIPS_WORD && first => within(written, word, 2),
        length if length >= MIN_FIRST_SLIP_WORD || first => within(written, word, 1),
        _ => swapped_start(written, word),
    }
}

/// Whether the word only has the ending of a past or a plural: `completed` is `complete`, though both are words.
fn is_inflected(written: &str, word: &str) -> bool {
    written.strip_prefix(word).is_some_and(|ending| matches!(ending, "d" | "s"))
}

/// The only name that begins like this, if little is missing and no other name has such a word.
fn abbreviated<'a>(wanted: &str, known: &[Known<'a>]) -> Option<&'a str> {
    if wanted.len() < MIN_PREFIX || DESTRUCTIVE.contains(&wanted) {
        return None;
    }
    if let Some(found) = only(known.iter().filter(|known| has_short_word(&known.normal, wanted))) {
        return Some(found);
    }
    let mut candidates = known.iter().filter(|known| has_beginning(&known.normal, wanted));
    let (found, None) = (candidates.next()?, candidates.next()) else { return None };
    let missing = found.normal.strip_prefix(wanted)?;
    let whole_words = missing.starts_with('_');
    // `file_read` for `file_read_all` is another tool, not an abbreviation; nor is `git_stat` cut off. Nobody who says
    // `lights` has said `lights_off`.
    let another = if whole_words {
        wanted.contains('_') || missing.split('_').any(is_particle)
    } else {
        wanted.rsplit('_').next().is_some_and(is_plain)
    };
    // Both lengths together: the beginning must be a good half of the name.
    let enough = 20 * wanted.len() >= 7 * (wanted.len() + found.normal.len());
    (enough && !another).then_some(found.name)
}

/// Whether the names differ in one word that is cut short: `exec_code`. The last word is looked at elsewhere.
fn has_short_word(normal: &str, text: &str) -> bool {
    let words = |name: &str| name.split('_').count();
    if normal.len() > 2 * text.len() || words(normal) != words(text) {
        return false;
    }
    let mut different = text.split('_').zip(normal.split('_')).filter(|(written, word)| written != word);
    let (Some((written, word)), None) = (different.next(), different.next()) else { return false };
    let is_last = text.rsplit('_').next() == Some(written);
    !is_last
        && written.len() >= MIN_PREFIX
        && 2 * written.len() >= word.len()
        && word.starts_with(written)
        && (written == "exec" || !is_plain(written))
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
