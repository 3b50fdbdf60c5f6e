//! Words of a command held against words of a pattern.

use super::flags::is_flag;
use super::wildcard::Wildcard;
use crate::profile::holds::Holds;
use crate::shell::Word;

/// Paths are looked for anywhere; other words, such as `push` of `git push`, where they stand.
pub(super) fn operands_in(wanted: &[Word], words: &[Word]) -> Holds {
    let is_path = |word: &&Word| word.shown().contains(['/', '~', '*', '.']);
    let (paths, names): (Vec<&Word>, Vec<&Word>) = wanted.iter().partition(is_path);
    let given: Vec<&Word> = words.iter().filter(|word| !is_flag(word)).collect();
    let somewhere =
        |wanted: &&Word| given.iter().map(|given| word_fits(wanted, given)).fold(Holds::No, Ord::max);
    let paths = paths.iter().map(somewhere).fold(Holds::Yes, Ord::min);
    paths.min(names_in_order(&names, words))
}

/// Names in order, one after the other. A word in between may be passed over only if it may be an option's value.
/// Goes through the words once, whatever their number.
fn names_in_order(names: &[&Word], words: &[Word]) -> Holds {
    // How well the names so far are met: none of them, the first, the first two, …
    let mut met = vec![Holds::No; names.len() + 1];
    if let Some(none) = met.first_mut() {
        *none = Holds::Yes;
    }
    let mut behind_flag = false;
    for word in words {
        if is_flag(word) {
            behind_flag = true;
            continue;
        }
        let mut next = if behind_flag { met.clone() } else { vec![Holds::No; met.len()] };
        for (place, name) in names.iter().enumerate() {
            let so_far = met.get(place).copied().unwrap_or(Holds::No);
            if let (true, Some(next)) = (so_far != Holds::No, next.get_mut(place + 1)) {
                *next = (*next).max(so_far.min(word_fits(name, word)));
            }
        }
        // Once all are met, whatever follows plays no part.
        if let (Some(next), Some(all)) = (next.last_mut(), met.last()) {
            *next = (*next).max(*all);
        }
        (met, behind_flag) = (next, false);
    }
    met.last().copied().unwrap_or(Holds::No)
}

/// Whether a word of a command is the word of a pattern.
pub(super) fn word_fits(wanted: &Word, given: &Word) -> Holds {
    let (wanted_text, given_text) = (clean(&wanted.shown()), clean(&given.shown()));
    if given.has_unknown() {
        return Holds::Maybe;
    }
    let fits = match (wanted.is_certain(), given.is_certain()) {
        (true, true) => wanted_text == given_text,
        (false, _) => Wildcard::new(wanted_text).matches(&given_text),
        // The shell's own pattern may come to the very name.
        (true, false)
            if wanted_text != given_text && Wildcard::new(given_text.as_str()).matches(&wanted_text) =>
        {
            return Holds::Maybe;
        }
        (true, false) => wanted_text == given_text,
    };
    if fits { Holds::Yes } else { Holds::No }
}

/// Absolute paths without empty names, `.` and `..`.
fn clean(text: &str) -> String {
    if !text.starts_with('/') {
        return text.to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for name in text.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}
