//! `$(git ls-files '*.c')`, `$(grep -rl word src)`: names that only running would tell, but all of them below the
//! workspace.

use super::args::Arg;
use super::finding;
use super::place::Kind;
use super::produced::program_of;
use super::reading;
use super::scene::Scene;
use super::trial::Trial;

/// Filters that choose among names and change none.
const FILTERS: &[&str] = &["grep", "egrep", "sort", "uniq", "head", "tail", "cat"];

/// Whether a word is a list of files of the workspace, as far as its text tells.
pub(crate) fn is_of_workspace(trial: &Trial<'_>, scene: &Scene<'_>, arg: &Arg) -> bool {
    let here = matches!(scene.locate(trial, &Arg::certain(".")).kind, Kind::Workspace | Kind::WorkspaceRoot);
    here && arg.is_hole() && arg.hints.iter().all(|hint| lists(trial, scene, hint))
}

fn lists(trial: &Trial<'_>, scene: &Scene<'_>, hint: &str) -> bool {
    let Some(inner) = reading::inside(hint) else { return false };
    let script = reading::read(trial, scene, inner);
    let mut stages = script.commands.iter().map(program_of);
    let Some(Some((name, args))) = stages.next() else { return false };
    let has = |words: &[&str]| args.iter().any(|arg| words.contains(&arg.text.as_str()));
    let by_letter = |letter: char| {
        args.iter()
            .any(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter))
    };
    let names = match name.as_str() {
        "git" => has(&["ls-files"]) || has(&["--name-only"]),
        "grep" | "egrep" | "rg" | "ag" | "ack" => by_letter('l') || has(&["--files-with-matches", "--files"]),
        "find" | "fd" | "fdfind" => !has(&["-exec", "-printf", "-x", "-X", "-fprint"]),
        _ => false,
    };
    let inside =
        |arg: &Arg| arg.is_certain() && !arg.text.starts_with(['/', '~']) && !arg.text.contains("..");
    names
        && script.doubts.is_empty()
        && args.iter().all(|arg| inside(arg) || arg.pattern)
        && stages.all(|stage| stage.is_some_and(|(name, _)| FILTERS.contains(&name.as_str())))
}

/// `cat $(find ~/.ssh -name 'id_*')`: examples of what a search inside the word puts out.
pub(crate) fn examples(trial: &Trial<'_>, scene: &Scene<'_>, arg: &Arg) -> Vec<Arg> {
    if !arg.is_hole() {
        return Vec::new();
    }
    let Some(inner) = arg.hints.first().and_then(|hint| reading::inside(hint)) else { return Vec::new() };
    if !inner.trim_start().starts_with("find ") {
        return Vec::new();
    }
    let script = reading::read(trial, scene, inner);
    let first = script.commands.first().and_then(program_of);
    first.map(|(_, args)| finding::listed(trial, &args).0).unwrap_or_default()
}
