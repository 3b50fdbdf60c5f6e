//! Deleting and destroying files.

use super::access;
use super::args::{Arg, HOLE};
use super::model::EffectKind;
use super::options::{Shape, parse};
use super::place::{Kind, Place, is_below};
use super::scene::Scene;
use super::trial::Trial;

/// Programs that always go down into folders.
const ALWAYS_DEEP: &[&str] = &["rimraf", "del-cli", "rd", "rmtree", "deltree"];

/// `rm` and its kin.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let parsed = parse(args, Shape::default());
    let deep = parsed.has(&["-r", "-R", "--recursive", "--rf"]) || ALWAYS_DEEP.contains(&name);
    for target in &parsed.operands {
        delete(trial, scene, target, deep);
    }
}

/// One target, alone or with everything beneath it.
pub(crate) fn delete(trial: &mut Trial<'_>, scene: &Scene<'_>, target: &Arg, deep: bool) {
    let place = scene.locate(trial, target);
    let shown = place.path.clone().unwrap_or_else(|| target.shown());
    trial.effect(EffectKind::Deletes, shown.clone());
    if place.kind == Kind::Unknown {
        return unknown(trial, scene, target, deep);
    }
    if place.is_vital() && (deep || place.contents) {
        let reason = format!("it deletes {shown}, which the system or its people cannot do without");
        return scene.deny(trial, "delete-vital", "destructive_delete", reason);
    }
    if scene.frame.remote {
        if deep || place.contents {
            return scene.ask(
                trial,
                "delete-remote",
                "destructive_delete",
                format!("it deletes {shown} on another machine"),
            );
        }
        return trial.changes();
    }
    match place.kind {
        Kind::Workspace if is_regenerable(trial, target, &place) => trial.changes(),
        Kind::Workspace if !deep && !target.pattern && !target.has_hole() && !is_repository(&shown) => {
            trial.changes()
        }
        Kind::Temp if deep && trial.moved.iter().any(|moved| is_below(moved, &shown)) => {
            let reason = format!("it deletes {shown}, which was moved out of the workspace just before");
            scene.ask(trial, "delete-moved", "destructive_delete", reason);
        }
        Kind::Temp => trial.changes(),
        Kind::Workspace | Kind::WorkspaceRoot if deep => {
            let reason = format!("it deletes {shown} and everything in it, and that is no build output");
            scene.ask(trial, "delete-tree", "destructive_delete", reason);
        }
        Kind::Workspace | Kind::WorkspaceRoot | Kind::TempRoot => {
            scene.ask(
                trial,
                "delete-many",
                "destructive_delete",
                format!("it deletes all that matches {shown}"),
            );
        }
        _ => {
            let reason = format!("it deletes {shown}, which lies outside the workspace");
            scene.ask(trial, "delete-outside", "destructive_delete", reason);
        }
    }
}

/// A target that only running would tell. `$x/*` with an empty `x` is the whole machine.
fn unknown(trial: &mut Trial<'_>, scene: &Scene<'_>, target: &Arg, deep: bool) {
    let shown = target.shown();
    let first = target.hints.first().map(String::as_str).unwrap_or_default();
    let variable = first.starts_with('$') && !first.starts_with("$(") && !first.contains(":?");
    let rest = target.text.trim_start_matches(HOLE);
    let bare = matches!(rest, "/" | "/*" | "/." | "/.*" | "/**") && target.text.starts_with(HOLE);
    if (deep || rest.ends_with('*')) && variable && bare {
        let reason =
            format!("if the variable is empty, `{shown}` is the whole machine; write ${{NAME:?}} instead");
        return scene.deny(trial, "delete-empty-variable", "destructive_delete", reason);
    }
    if deep && rest.ends_with("/..") {
        let reason = format!("`{shown}` climbs out of a folder that is not known");
        return scene.deny(trial, "delete-climbing", "destructive_delete", reason);
    }
    scene.ask(
        trial,
        "delete-unknown",
        "destructive_delete",
        format!("only running would tell what `{shown}` is"),
    );
}

/// Inside `.git`: the history, not a file of the project. Locks are left over by crashes.
fn is_repository(path: &str) -> bool {
    (path.contains("/.git/") || path.ends_with("/.git")) && !path.ends_with(".lock")
}

/// A folder that lies deeper is not known for what a build makes.
const LEVELS: usize = 24;

/// What a build makes again, by its name or by its ending.
pub(crate) fn is_regenerable(trial: &Trial<'_>, target: &Arg, place: &Place) -> bool {
    let Some(path) = place.path.as_deref() else { return false };
    let root = trial.stage.writable.iter().filter(|root| is_below(path, root)).map(String::len).max();
    let inside = path.get(root.unwrap_or(0)..).unwrap_or(path);
    if is_repository(path) {
        return false;
    }
    if inside.split('/').take(LEVELS).any(|name| is_build_name(trial, name)) {
        return true;
    }
    let last = inside.rsplit('/').next().unwrap_or("");
    let throwaway = trial.rules.lists.throwaway_endings.iter().any(|ending| last.ends_with(ending.as_str()));
    throwaway && (!target.pattern || !last.trim_matches('*').is_empty())
}

pub(crate) fn is_build_name(trial: &Trial<'_>, name: &str) -> bool {
    !name.is_empty()
        && (trial.rules.lists("build_output", name)
            || trial.rules.build_patterns.iter().any(|known| known.matches(name)))
}

/// `shred`, `wipe`, `scrub`: what they touch is gone even if it is not deleted.
pub(crate) fn erase(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values =
        &["-n", "--iterations", "-s", "--size", "--random-source", "-p", "--pattern", "-c", "-b", "-l"];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    for target in &parsed.operands {
        let place = scene.locate(trial, target);
        let shown = place.path.clone().unwrap_or_else(|| target.shown());
        trial.effect(EffectKind::Deletes, shown.clone());
        if place.kind == Kind::BlockDevice || place.is_vital() {
            scene.deny(
                trial,
                "erase-device",
                "disk_device",
                format!("it overwrites {shown} beyond recovery"),
            );
        } else if place.kind == Kind::Temp
            || (place.kind == Kind::Workspace && is_regenerable(trial, target, &place))
        {
            trial.changes();
        } else {
            scene.ask(trial, "erase", "destructive_delete", format!("it overwrites {shown} beyond recovery"));
        }
    }
}

/// `truncate` and `fallocate`: emptying a file loses it, growing one fills the disk.
pub(crate) fn truncate(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let values = &["-s", "--size", "-l", "--length", "-o", "--offset", "-r", "--reference"];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    let size = match name {
        "mkfile" => parsed.operands.first(),
        _ => parsed.value(&["-s", "--size", "-l", "--length"]),
    };
    let bytes = size.and_then(|size| super::amount::bytes(&size.text));
    if bytes.is_some_and(|bytes| bytes > super::amount::LARGE) {
        scene.ask(trial, "huge-file", "resource_exhaustion", "it makes a file that can fill the disk");
    }
    let punches = name == "fallocate"
        && parsed.has(&["-p", "--punch-hole", "-c", "--collapse-range", "-z", "--zero-range"]);
    let empties = punches
        || name == "truncate"
            && (bytes == Some(0) || size.is_some_and(|size| size.text.starts_with(['-', '<', '/', '%'])));
    for target in &parsed.operands {
        if empties {
            empty(trial, scene, target);
        }
        access::write(trial, scene, target);
    }
}

/// A file that is not made again by a build loses its content.
pub(crate) fn empty(trial: &mut Trial<'_>, scene: &Scene<'_>, target: &Arg) {
    let place = scene.locate(trial, target);
    if place.is_vital() && place.contents {
        let reason = format!("it empties all that is in {}", target.shown());
        return scene.deny(trial, "delete-vital", "destructive_delete", reason);
    }
    let inside = matches!(place.kind, Kind::Workspace | Kind::WorkspaceRoot);
    if inside && !is_regenerable(trial, target, &place) {
        scene.ask(trial, "truncate", "destructive_delete", format!("it empties {}", target.shown()));
    }
}

/// Files that hold data rather than text, by their endings.
pub(crate) fn is_data(target: &Arg) -> bool {
    const ENDINGS: &[&str] =
        &[".db", ".sqlite", ".sqlite3", ".mdb", ".rdb", ".ldb", ".kdbx", ".parquet", ".mdf", ".ibd", ".dbf"];
    let lower = target.text.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| lower.ends_with(ending))
}
