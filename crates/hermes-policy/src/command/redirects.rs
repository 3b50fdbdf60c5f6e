//! Redirections: files that the shell itself opens.

use super::access::{self, is_socket};
use super::args::Arg;
use super::scene::Scene;
use super::trial::{Content, Trial};
use super::{deletion, produced};
use crate::shell::{RedirectKind, Script, static_output};

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    let mut content = None;
    let silent = is_silent(scene);
    for redirect in &scene.command.redirects {
        let target = Arg::from_word(&redirect.target);
        match redirect.kind {
            RedirectKind::Read => access::read(trial, scene, &target),
            RedirectKind::HereDocument | RedirectKind::HereString => {}
            RedirectKind::Duplicate => {
                // `>&name` that the reader could not tell from a descriptor.
                if is_socket(&target.text) {
                    access::write(trial, scene, &target);
                }
            }
            RedirectKind::Write
            | RedirectKind::Append
            | RedirectKind::ReadWrite
            | RedirectKind::WriteBoth
            | RedirectKind::AppendBoth => {
                access::write(trial, scene, &target);
                if silent && redirect.kind == RedirectKind::Write && deletion::is_data(&target) {
                    deletion::empty(trial, scene, &target);
                }
                let content = content.get_or_insert_with(|| content_of(trial, scene));
                remember(trial, scene, &target, content);
            }
        }
    }
}

/// Prints nothing, or nothing that anybody wrote.
fn is_silent(scene: &Scene<'_>) -> bool {
    let said: Vec<String> = scene.command.words.iter().take(3).map(|word| word.shown()).collect();
    match said.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] | [":" | "true" | "echo" | "printf", ..] => true,
        ["cat" | "head" | "dd", file, ..] => file.contains("/dev/null"),
        _ => false,
    }
}

/// What the command puts into a file.
fn content_of(trial: &Trial<'_>, scene: &Scene<'_>) -> Content {
    match printed(scene) {
        Some(text) => Content::Text(text),
        None => produced::content_of(trial, scene),
    }
}

/// The exact text that the command prints, as if its output were not redirected.
fn printed(scene: &Scene<'_>) -> Option<String> {
    let mut command = scene.command.clone();
    command.redirects.retain(|redirect| {
        use RedirectKind::{HereDocument, HereString, Read};
        matches!(redirect.kind, Read | HereDocument | HereString)
    });
    static_output(&Script { commands: vec![command], ..Script::default() }, 0)
}

/// What the script puts into a file, so that running the file later can be judged.
fn remember(trial: &mut Trial<'_>, scene: &Scene<'_>, target: &Arg, content: &Content) {
    let Some(path) = scene.locate(trial, target).path else { return };
    if path.starts_with("/dev/") {
        return;
    }
    match (trial.files.get_mut(&path), content) {
        (Some(Content::Text(before)), Content::Text(more)) if before.len() + more.len() < 100_000 => {
            before.push('\n');
            before.push_str(more);
        }
        (_, content) => {
            trial.files.insert(path, content.clone());
        }
    }
}
