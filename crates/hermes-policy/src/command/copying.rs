//! Copying, moving, linking: something is read at one place and written at another.

use super::access::{read, read_tree, write};
use super::args::{Arg, base_name};
use super::model::EffectKind;
use super::options::{Parsed, Shape, parse};
use super::place::Kind;
use super::scene::Scene;
use super::sensitive::{Use, sensitive_arg};
use super::trial::{Content, Trial};
use super::{deletion, modes, produced};

const VALUES: &[&str] = &[
    "-t",
    "--target-directory",
    "-S",
    "--suffix",
    "-m",
    "--mode",
    "-o",
    "--owner",
    "-g",
    "--group",
    "--strip-program",
    "--backup-dir",
];

/// Where the operands go: the folder of `-t`, or the last of them.
struct Ways<'a> {
    sources: &'a [Arg],
    target: Option<&'a Arg>,
}

fn ways(parsed: &Parsed) -> Ways<'_> {
    if let Some(target) = parsed.value(&["-t", "--target-directory"]) {
        return Ways { sources: &parsed.operands, target: Some(target) };
    }
    match parsed.operands.split_last() {
        Some((target, sources)) if !sources.is_empty() => Ways { sources, target: Some(target) },
        _ => Ways { sources: &parsed.operands, target: None },
    }
}

/// A file may land at the target or, if that is a folder, in it under its own name.
fn land(trial: &mut Trial<'_>, scene: &Scene<'_>, ways: &Ways<'_>) {
    let Some(target) = ways.target else { return };
    let example = |source: &Arg| {
        [".example", ".sample", ".template", ".dist"].iter().any(|end| source.text.ends_with(end))
    };
    let made_from_example = target.exact().is_some_and(|text| base_name(text) == ".env")
        && !ways.sources.is_empty()
        && ways.sources.iter().all(example);
    if made_from_example && scene.locate(trial, target).kind == Kind::Workspace {
        return trial.changes();
    }
    let before = trial.class();
    write(trial, scene, target);
    if trial.class() > before && trial.class() >= super::model::Class::Ask {
        return;
    }
    // A plain name in the workspace is a new file, not a folder that makes programs start.
    let plain = matches!(scene.locate(trial, target).kind, Kind::Workspace | Kind::Temp)
        && !target.text.contains(".git");
    for source in ways.sources.iter().filter(|source| !source.is_hole() && !plain) {
        let mut inner = target.clone();
        inner.text = format!("{}/{}", target.text.trim_end_matches('/'), base_name(&source.text));
        inner.pattern |= source.pattern;
        inner.hints.extend(source.hints.iter().cloned());
        let place = scene.locate(trial, &inner);
        if sensitive_arg(&inner, &place, trial, Use::Write).is_some() {
            write(trial, scene, &inner);
        }
    }
}

pub(crate) fn copy(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let parsed = parse(args, Shape { values: VALUES, ..Shape::default() });
    if name == "install" && parsed.has(&["-d", "--directory"]) {
        return parsed.operands.iter().for_each(|folder| write(trial, scene, folder));
    }
    if let Some(mode) = parsed.value(&["-m", "--mode"]).filter(|_| name == "install") {
        modes::check_mode(trial, scene, &mode.text);
    }
    let deep = parsed.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
    let ways = ways(&parsed);
    for source in ways.sources {
        if scene.locate(trial, source).path.as_deref().is_some_and(produced::is_endless_file) {
            super::endless::fills(trial, scene);
        } else if source.text == "/dev/null" {
            if let Some(target) = ways.target {
                deletion::empty(trial, scene, target);
            }
        } else if deep {
            read_tree(trial, scene, source);
        } else {
            read(trial, scene, source);
        }
    }
    carry(trial, scene, &ways);
    land(trial, scene, &ways);
}

/// What is known about a file goes with it.
fn carry(trial: &mut Trial<'_>, scene: &Scene<'_>, ways: &Ways<'_>) {
    let (Some(target), [source]) = (ways.target, ways.sources) else { return };
    let known = match scene.locate(trial, source).path.as_deref() {
        Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Some(incoming(trial, scene)),
        from => from.and_then(|from| trial.files.get(from).cloned()),
    };
    if let Some(content) = known
        && let Some(to) = scene.locate(trial, target).path
    {
        trial.files.insert(to, content);
    }
}

pub(crate) fn rename(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape { values: VALUES, ..Shape::default() });
    let ways = ways(&parsed);
    let scratch = scratch(trial, scene, ways.target);
    for source in ways.sources {
        let place = scene.locate(trial, source);
        let shown = place.path.clone().unwrap_or_else(|| source.shown());
        if place.is_vital() {
            let reason = format!("it takes away {shown}, which the system or its people cannot do without");
            scene.deny(trial, "move-vital", "destructive_delete", reason);
        } else if !place.is_writable() && place.kind != Kind::Unknown && !scene.frame.remote {
            trial.effect(EffectKind::Deletes, shown.clone());
            scene.ask(
                trial,
                "move-outside",
                "outside_workspace",
                format!("it takes {shown} away from where it is"),
            );
        } else if place.kind == Kind::WorkspaceRoot {
            scene.ask(trial, "move-workspace", "destructive_delete", format!("it takes away all of {shown}"));
        }
        if let Some((folder, kind)) = &scratch
            && place.kind == Kind::Workspace
            && !deletion::is_regenerable(trial, source, &place)
        {
            remember(trial, source, folder, *kind);
        }
        read(trial, scene, source);
    }
    if ways.target.is_some_and(|target| target.text == "/dev/null") {
        scene.ask(trial, "move-to-null", "destructive_delete", "what is moved to /dev/null is lost");
    }
    carry(trial, scene, &ways);
    land(trial, scene, &ways);
}

/// The temporary folder that things are moved to, if it is one.
fn scratch(trial: &Trial<'_>, scene: &Scene<'_>, target: Option<&Arg>) -> Option<(String, Kind)> {
    let place = scene.locate(trial, target?);
    let path = place.path.filter(|_| matches!(place.kind, Kind::Temp | Kind::TempRoot | Kind::Sink))?;
    Some((path.trim_end_matches('/').to_owned(), place.kind))
}

/// What goes to a temporary folder is not lost there, but it must not be deleted as if it had been made there.
fn remember(trial: &mut Trial<'_>, source: &Arg, folder: &str, kind: Kind) {
    if trial.moved.len() >= 256 {
        return;
    }
    trial.moved.push(format!("{folder}/{}", base_name(&source.text)));
    if kind == Kind::Temp {
        trial.moved.push(folder.to_owned());
    }
}

pub(crate) fn link(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape { values: VALUES, ..Shape::default() });
    let ways = ways(&parsed);
    for source in ways.sources {
        // A link's text is relative to the link; only absolute targets can be judged.
        if source.text.starts_with('/') || source.text.starts_with('~') {
            read(trial, scene, source);
        }
    }
    match ways.target {
        Some(_) => land(trial, scene, &ways),
        None => trial.changes(),
    }
}

pub(crate) fn tee(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape::default());
    for target in &parsed.operands {
        write(trial, scene, target);
        let content = incoming(trial, scene);
        if let Some(path) = scene.locate(trial, target).path {
            trial.files.insert(path, content);
        }
    }
}

/// What comes in through the standard input.
fn incoming(trial: &mut Trial<'_>, scene: &Scene<'_>) -> Content {
    match scene.input() {
        Some(text) => Content::Text(text.to_owned()),
        None => produced::content_before(trial, scene),
    }
}

/// `mkdir`, `touch`, `mkfifo`: something new, or a new date.
pub(crate) fn make(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let values = &["-m", "--mode", "-d", "--date", "-t", "-r", "--reference"];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    for target in &parsed.operands {
        // `mknod disk b 8 0` names a node, a kind and numbers.
        if name == "mknod" {
            write(trial, scene, target);
            return scene.ask(trial, "make-node", "system_config", "it makes a device node");
        }
        write(trial, scene, target);
    }
}
