//! Texts with rules of their own: permission patterns, folders, regular expressions, command lines.

use std::collections::BTreeSet;

use hermes_core::Permission;

use super::check_scalar::quote;
use super::model::full_match;
use super::nearest::nearest;
use super::words::split_words;

/// What is wrong with a text of this format, and what to write instead.
pub(super) fn check(format: &str, text: &str) -> Option<(String, Option<String>)> {
    match format {
        "permission-pattern" => permission(text),
        "folder" => folder(text),
        "regex" => {
            let error = full_match(text).err()?;
            // The last line of the error says what; the lines before it draw the pattern.
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            Some((format!("is not a regular expression: {reason}"), None))
        }
        "command-line" => {
            let reason = split_words(text).err()?;
            let hint = reason.contains("shell").then(|| "quote it, or write [sh, -c, '…']".to_owned());
            Some((reason, hint))
        }
        _ => None,
    }
}

fn permission(text: &str) -> Option<(String, Option<String>)> {
    let known = permission_patterns();
    if Permission::is_known(text) || known.iter().any(|pattern| pattern == text) {
        return None;
    }
    let (domain, action) = text.split_once(':').unwrap_or((text, "*"));
    let of_domain: Vec<&str> =
        known.iter().filter_map(|known| known.strip_prefix(domain)?.strip_prefix(':')).collect();
    let hint = match of_domain.as_slice() {
        [] => {
            // A hint never widens what was meant: wildcards are offered to those who wrote one.
            let wild = domain == "*" || action == "*";
            let alike = known.iter().map(String::as_str).filter(|known| known.contains('*') == wild);
            match nearest(&format!("{domain}:{action}"), alike) {
                Some(near) => format!("did you mean {near}?"),
                None => "write domain:action, domain:* or *".to_owned(),
            }
        }
        [only] => format!("did you mean {domain}:{only}?"),
        // A bare domain.
        _ if of_domain.contains(&action) => format!("did you mean {domain}:{action}?"),
        _ => match nearest(action, of_domain.iter().copied()) {
            Some(near) => format!("did you mean {domain}:{near}?"),
            None => format!("{domain} has {}", of_domain.join(", ")),
        },
    };
    Some((format!("no such permission: {}", quote(text)), Some(hint)))
}

/// Every pattern that can match something, except `mcp:<server>`: servers are not known here.
fn permission_patterns() -> Vec<String> {
    let halves = Permission::KNOWN.iter().filter_map(|name| name.split_once(':'));
    let wild: BTreeSet<String> =
        halves.flat_map(|(domain, action)| [format!("{domain}:*"), format!("*:{action}")]).collect();
    let whole = Permission::KNOWN.iter().map(|name| (*name).to_owned());
    whole.chain(wild).chain(["mcp:*", "*:*", "*"].map(str::to_owned)).collect()
}

/// Folders that would never match what the user means are refused instead of kept and ignored.
fn folder(text: &str) -> Option<(String, Option<String>)> {
    if text.is_empty() {
        return Some(("must not be empty".to_owned(), Some("write . for the session's folder".to_owned())));
    }
    if text.contains('\0') {
        return Some(("no path has a zero byte".to_owned(), None));
    }
    if text.contains(['*', '?']) {
        let hint = "a folder includes everything below it; write it without wildcards".to_owned();
        return Some((format!("must be a folder, not a glob: {}", quote(text)), Some(hint)));
    }
    if text.starts_with('$') {
        let hint = "write ~ for the home folder".to_owned();
        return Some((format!("variables are not filled in: {}", quote(text)), Some(hint)));
    }
    if text.strip_prefix('~').is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/')) {
        let hint = "only ~ and ~/… are filled in; write the whole path".to_owned();
        return Some((format!("home folders of others are not looked up: {}", quote(text)), Some(hint)));
    }
    None
}
