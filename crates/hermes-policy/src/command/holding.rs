//! Secrets among the words of a call: a program that is handed the path of a key reads it, whoever it is.

use super::access::{read, read_tree};
use super::args::Arg;
use super::scene::Scene;
use super::sensitive::{Sensitive, Use, sensitive_arg};
use super::trial::Trial;
use crate::shell::glob_matches;

/// Reads every operand and every value of an option that is the path of a secret outside the workspace.
pub(crate) fn far(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    for value in args.iter().filter_map(path) {
        if !scene.locate(trial, &value).is_writable() && is_secret(trial, scene, &value) {
            read_tree(trial, scene, &value);
        }
    }
}

/// The same wherever it lies.
pub(crate) fn anywhere(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    for value in args.iter().filter_map(path) {
        if is_secret(trial, scene, &value) {
            read(trial, scene, &value);
        }
    }
}

fn path(arg: &Arg) -> Option<Arg> {
    let value = if arg.text.starts_with('-') { arg.after('=') } else { Some(arg.clone()) };
    value.filter(|value| value.text.contains(['/', '~', '.']))
}

fn is_secret(trial: &Trial<'_>, scene: &Scene<'_>, value: &Arg) -> bool {
    let place = scene.locate(trial, value);
    matches!(
        sensitive_arg(value, &place, trial, Use::Read),
        Some(Sensitive::Credential | Sensitive::ProcessSecrets | Sensitive::History)
    )
}

/// Names that keys and credentials have; a pattern that fits one of them and is no mere ending of other files seeks it.
const KEYS: &[&str] = &[
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "credentials",
    "credentials.json",
    ".netrc",
    ".pgpass",
    ".git-credentials",
    "key.pem",
    "server.key",
    "cert.p12",
    "cert.pfx",
    "vault.kdbx",
    "key.ppk",
    ".env",
    "wallet.dat",
    "shadow",
];

pub(crate) fn seeks_keys(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let broad = name.chars().filter(|c| c.is_alphanumeric()).count() < 2;
    !broad && KEYS.iter().any(|key| glob_matches(name, key)) && !glob_matches(name, "package.json")
}
