//! Which values are secret, judged from the names they go by. A pure function over pairs.

use std::collections::{BTreeMap, BTreeSet};

/// The shortest value that is taken for a secret because of its name.
const MIN_LENGTH: usize = 8;

/// The shortest value that is taken for a secret because the operator named it.
const MIN_CONFIGURED_LENGTH: usize = 4;

/// The shortest line of a secret of several lines that is looked for by itself.
const MIN_LINE_LENGTH: usize = 16;

/// Words between the underscores of a name that make its value a secret.
#[rustfmt::skip]
const SECRET_WORDS: &[&str] = &[
    "ACCESSKEY", "APIKEY", "AUTH", "COOKIE", "CREDENTIAL", "CREDENTIALS", "KEY", "PASS", "PASSPHRASE",
    "PASSWD", "PASSWORD", "PAT", "PRIVATE", "PWD", "SECRET", "SECRETKEY", "TOKEN", "WEBHOOK",
];

/// Last words of names that tell about a secret without being one, such as `TOKEN_TYPE`.
#[rustfmt::skip]
const DESCRIBING_WORDS: &[&str] = &[
    "ALG", "ALGORITHM", "COUNT", "DIR", "ENABLED", "ENDPOINT", "EXPIRY", "FILE", "HOST", "LENGTH", "LIMIT",
    "METHOD", "MODE", "NAME", "PATH", "PORT", "PROVIDER", "REGION", "REGISTRY", "SIZE", "SOCK", "TTL",
    "TYPE", "URI", "URL", "USER", "USERNAME",
];

/// Where an absolute path starts. A secret may start with a slash too, but hardly goes on like this.
#[rustfmt::skip]
const ROOTS: &[&str] = &[
    "Applications", "Library", "Users", "Volumes", "bin", "boot", "data", "dev", "etc", "home", "lib",
    "lib64", "media", "mnt", "nix", "opt", "private", "proc", "root", "run", "sbin", "snap", "srv", "sys",
    "tmp", "usr", "var", "work", "workspace",
];

#[rustfmt::skip]
const COMMON_VALUES: &[&str] = &[
    "automatic", "changeme", "default", "development", "disabled", "enabled", "localhost", "optional",
    "production", "required", "undefined", "username",
];

/// The secret values among these pairs, each with the name to show in its place: sorted, every value
/// once. `configured` names are secret whatever they are called; passwords within URLs always are.
pub fn gather<'a>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    configured: &BTreeSet<String>,
) -> Vec<(String, String)> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |name: &str, value: &str| {
        let known = found.entry(value.to_owned()).or_insert_with(|| name.to_owned());
        if name < known.as_str() {
            *known = name.to_owned();
        }
    };
    for (name, value) in pairs {
        let secret = if configured.contains(name) {
            value.trim().len() >= MIN_CONFIGURED_LENGTH
        } else {
            is_secret_name(name) && is_plausible(name, value)
        };
        if secret {
            parts(value).for_each(|part| add(name, part));
        }
        if let Some(password) = url_password(value).filter(|password| password.len() >= MIN_LENGTH) {
            add(name, password);
            add(name, &percent_decoded(password));
        }
    }
    let mut secrets: Vec<_> = found.into_iter().map(|(value, name)| (name, value)).collect();
    secrets.sort();
    secrets
}

/// Whether the words of a name say that its value is secret.
pub fn is_secret_name(name: &str) -> bool {
    let words: Vec<String> = words(name).collect();
    // The shell's own notes of where it is.
    if matches!(name, "PWD" | "OLDPWD") {
        return false;
    }
    let describes = words.last().is_some_and(|last| DESCRIBING_WORDS.contains(&last.as_str()));
    let webhook = words.iter().any(|word| word == "WEBHOOK");
    words.iter().any(|word| SECRET_WORDS.contains(&word.as_str())) && (webhook || !describes)
}

fn words(name: &str) -> impl Iterator<Item = String> {
    name.split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_uppercase)
}

/// Whether a value can be a secret: long enough, and not a path, a switch or a plain number.
fn is_plausible(name: &str, value: &str) -> bool {
    let value = value.trim();
    if value.len() < MIN_LENGTH || is_ordinary(value) {
        return false;
    }
    let number = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b','));
    !number
        || words(name).any(|word| matches!(word.as_str(), "PASSWORD" | "PASSWD" | "PASS" | "PWD" | "SECRET"))
}

/// Whether a value is a path or a common word, which is no secret whatever it is called.
pub fn is_ordinary(value: &str) -> bool {
    is_path(value) || COMMON_VALUES.contains(&value.to_ascii_lowercase().as_str())
}

fn is_path(value: &str) -> bool {
    if ["~/", "./", "../", "file://", "unix:"].iter().any(|start| value.starts_with(start)) {
        return true;
    }
    value.strip_prefix('/').and_then(|rest| rest.split('/').next()).is_some_and(|root| ROOTS.contains(&root))
}

/// A secret of several lines, such as a key file, also leaks line by line.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    let value = value.trim();
    let lines = value
        .lines()
        .map(str::trim)
        .filter(move |line| *line != value && line.len() >= MIN_LINE_LENGTH && !line.starts_with("-----"));
    std::iter::once(value).chain(lines)
}

/// The password in `scheme://user:password@host`.
fn url_password(value: &str) -> Option<&str> {
    let (scheme, rest) = value.trim().split_once("://")?;
    if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next()?;
    let (user, _host) = authority.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password)
}

/// The password itself, where the URL has it encoded.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let decoded = code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
