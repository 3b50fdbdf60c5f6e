//! Variables that hold secrets, by their names, and whoever looks for them in the environment.

use super::args::{Arg, base_name};
use super::produced;
use super::scene::Scene;
use super::trial::Trial;
use crate::shell::Command;

/// What names of secrets have in them.
const WORDS: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "API_KEY",
    "APIKEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
    "CREDENTIAL",
];
/// Options of filters that show no line that fits: they count, or show the others.
const SILENT: &[char] = &['c', 'l', 'L', 'q', 'v'];
/// Options whose value begins right behind them.
const WITH_VALUE: &[char] = &['A', 'B', 'C', 'D', 'd', 'e', 'f', 'm'];

/// A variable that holds a secret, by its name.
pub(super) fn names_secret(hint: &str) -> bool {
    let name = hint.trim_start_matches(['$', '{', '"']);
    mentions_secret(name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or(""))
}

fn mentions_secret(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// `env | grep -i token`: a filter that shows the secrets among all variables.
pub(super) fn searched(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    if !(name.ends_with("grep") || matches!(name, "rg" | "ag" | "ack")) {
        return;
    }
    let is_silent = |arg: &Arg| {
        arg.text.strip_prefix('-').is_some_and(|letters| {
            let mut options = letters.chars().take_while(|letter| !WITH_VALUE.contains(letter));
            !letters.starts_with('-') && options.any(|letter| SILENT.contains(&letter))
        })
    };
    let looks_for_them = args.iter().any(|arg| mentions_secret(&arg.text)) && !args.iter().any(is_silent);
    if looks_for_them && produced::stages(scene.script, scene.command).into_iter().any(shows_variables) {
        let reason = "it shows the secrets among all variables";
        scene.ask(trial, "search-environment", "credential_access", reason);
    }
}

/// Whether a command prints all variables with their values.
fn shows_variables(command: &Command) -> bool {
    let mut words = command.words.iter().map(Arg::from_word);
    let Some(name) = words.next() else { return false };
    match base_name(&name.text) {
        // With a program it is that one's output.
        "env" | "printenv" | "set" => words.len() == 0,
        "export" | "declare" | "typeset" | "readonly" => {
            words.all(|word| word.text.starts_with('-') && !word.text.contains('f'))
        }
        _ => false,
    }
}
