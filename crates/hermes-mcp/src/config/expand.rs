//! `${VAR}`, `${env:VAR}` and `${workspaceFolder}` in configured texts. A variable that is not set is a mistake the
//! user can mend, never a text that is sent as it stands.

use std::collections::BTreeMap;
use std::path::Path;

use hermes_host::Env;

/// What the folder of the session is called in a reference.
const WORKSPACE: &str = "workspaceFolder";

/// The text with its references filled in, or the name of the variable that is missing.
pub fn expand(text: &str, env: &Env, workspace: &Path) -> Result<String, String> {
    fill(text, env, workspace, |_, _| {})
}

/// The variables that a text refers to, with their values.
pub(crate) fn referred(text: &str, env: &Env) -> BTreeMap<String, String> {
    let mut referred = BTreeMap::new();
    // One that is missing ends it; nothing is started with such a text.
    let _ = fill(text, env, Path::new(""), |name, value| {
        drop(referred.insert(name.to_owned(), value.to_owned()))
    });
    referred
}

fn fill(text: &str, env: &Env, workspace: &Path, mut used: impl FnMut(&str, &str)) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        filled.push_str(before);
        let reference = after.split_once('}').filter(|(inside, _)| is_reference(inside));
        let Some((inside, behind)) = reference else {
            // Not a reference, such as a template of the server's own.
            filled.push_str("${");
            rest = after;
            continue;
        };
        let (name, otherwise) = match inside.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (inside, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        if let Some(value) = env.get(name) {
            used(name, value);
        }
        match env.get(name).or(otherwise) {
            Some(value) => filled.push_str(value),
            None if inside == WORKSPACE => filled.push_str(&workspace.display().to_string()),
            None => return Err(name.to_owned()),
        }
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// The text with something else in place of every reference.
pub(super) fn without_references(text: &str, instead: &str) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        filled.push_str(before);
        match after.split_once('}').filter(|(inside, _)| is_reference(inside)) {
            Some((_, behind)) => {
                filled.push_str(instead);
                rest = behind;
            }
            None => {
                filled.push_str("${");
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// Whether a text holds nothing but references without defaults, and a word such as `Bearer` before them.
pub fn is_reference_only(text: &str) -> bool {
    let plain = without_references(text, "");
    let word = plain.trim();
    plain.len() < text.len()
        && !text.contains(":-")
        && (word.is_empty() || ["basic", "bearer", "token"].contains(&word.to_ascii_lowercase().as_str()))
}

fn is_reference(inside: &str) -> bool {
    let name = inside.split_once(":-").map_or(inside, |(name, _)| name);
    let name = name.strip_prefix("env:").unwrap_or(name);
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_filled_in_and_missing_ones_named() {
        let env: Env = [("TOKEN".to_owned(), "t0".to_owned())].into_iter().collect();
        for (text, filled) in [
            ("plain", "plain"),
            ("Bearer ${TOKEN}", "Bearer t0"),
            ("${env:TOKEN}${TOKEN}", "t0t0"),
            ("${GONE:-else}", "else"),
            ("${not a name} ${", "${not a name} ${"),
            ("$TOKEN", "$TOKEN"),
            ("--root=${workspaceFolder}/a", "--root=/srv/${TOKEN}/a"),
        ] {
            // What a folder is called is not looked at for references.
            assert_eq!(expand(text, &env, Path::new("/srv/${TOKEN}")).as_deref(), Ok(filled), "{text}");
        }
        assert_eq!(expand("x ${GONE}", &env, Path::new("/")), Err("GONE".to_owned()));
    }

    #[test]
    fn a_text_of_references_alone_is_no_secret() {
        for only in ["${TOKEN}", "Bearer ${TOKEN}", "${A}${env:B}"] {
            assert!(is_reference_only(only), "{only}");
        }
        for other in ["", "plain", "${TOKEN:-s3cret}", "s3cret${TOKEN}", "Bearer s3cret", "$TOKEN"] {
            assert!(!is_reference_only(other), "{other}");
        }
    }
}
