//! Permissions, owners and attributes.

use super::args::Arg;
use super::model::EffectKind;
use super::options::{Shape, parse};
use super::place::{Kind, Place};
use super::scene::Scene;
use super::sensitive::{Sensitive, sensitive_at_all};
use super::trial::Trial;

/// What a mode does to whom, as far as it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mode {
    /// Anybody may write.
    open: bool,
    /// Runs with the rights of its owner or group.
    rises: bool,
    /// Only takes away from others, or gives nothing to them.
    tight: bool,
    /// Not even the owner may read.
    shut: bool,
}

fn mode_of(text: &str) -> Mode {
    if !text.is_empty() && text.chars().all(|c| c.is_digit(8)) {
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(8)).collect();
        let from_end = |place: usize| {
            digits.len().checked_sub(place).and_then(|at| digits.get(at)).copied().unwrap_or(0)
        };
        return Mode {
            open: from_end(1) & 2 != 0,
            rises: from_end(4) & 6 != 0,
            tight: from_end(1) == 0 && from_end(2) == 0,
            shut: from_end(3) & 4 == 0,
        };
    }
    let mut mode = Mode { tight: true, ..Mode::default() };
    for clause in text.split(',') {
        let Some(at) = clause.find(['+', '-', '=']) else { continue };
        let (who, change) = clause.split_at_checked(at).unwrap_or((clause, ""));
        let takes = change.starts_with('-');
        let others = who.is_empty() || who.contains(['o', 'a']);
        let group = others || who.contains('g');
        let rights = change.trim_start_matches(['+', '-', '=']);
        mode.open |= !takes
            && (who.contains(['o', 'a']) || (who.is_empty() && rights.contains('r')))
            && rights.contains('w');
        mode.rises |= !takes && rights.contains('s') && (who.is_empty() || who.contains(['u', 'g', 'a']));
        mode.tight &= takes || !(group || others) || rights.is_empty();
        let owner = who.is_empty() || who.contains(['u', 'a']);
        mode.shut |= owner && (takes && rights.contains('r') || change == "=");
    }
    mode
}

pub(crate) fn check_mode(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str) {
    if mode_of(text).rises {
        scene.ask(trial, "set-id", "priv_esc", "the file would run with the rights of its owner");
    }
}

pub(crate) fn mode(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    // A mode such as `-x` or `-rwx` looks like options.
    let (modes, rest): (Vec<&Arg>, Vec<&Arg>) = args.iter().partition(|arg| is_taking_mode(&arg.text));
    let rest: Vec<Arg> = rest.into_iter().cloned().collect();
    let parsed = parse(&rest, Shape { values: &["--reference"], ..Shape::default() });
    let deep = parsed.has(&["-R", "--recursive"]);
    let by_reference = parsed.value(&["--reference"]).is_some();
    let (mode, targets) = match (modes.first(), parsed.operands.split_first()) {
        (Some(mode), _) => (mode.text.clone(), parsed.operands.as_slice()),
        (None, Some((mode, targets))) if !by_reference => (mode.text.clone(), targets),
        _ => (String::new(), parsed.operands.as_slice()),
    };
    let mut means = mode_of(&mode);
    // `--reference=/bin/su` copies the bits of a file that is not the project's.
    means.rises |=
        parsed.value(&["--reference"]).is_some_and(|file| !scene.locate(trial, file).is_writable());
    for target in targets {
        let place = scene.locate(trial, target);
        let shown = place.path.clone().unwrap_or_else(|| target.shown());
        trial.effect(EffectKind::Writes, shown.clone());
        if vital(trial, scene, &place, deep, &shown) {
            continue;
        }
        let sensitive = sensitive_at_all(target, &place, trial);
        let own = sensitive == Some(Sensitive::Runtime);
        if means.rises {
            scene.ask(trial, "set-id", "priv_esc", format!("{shown} would run with the rights of its owner"));
        } else if means.open {
            scene.ask(
                trial,
                "world-writable",
                "permissions",
                format!("anybody on this machine could write {shown}"),
            );
        } else if (place.is_writable() && sensitive.is_none())
            || scene.frame.remote
            || (means.tight && !means.shut && !own && matches!(place.kind, Kind::BelowHome | Kind::Workspace))
        {
            trial.changes();
        } else {
            scene.ask(trial, "mode-outside", "permissions", format!("it changes who may use {shown}"));
        }
    }
}

fn is_taking_mode(text: &str) -> bool {
    let rights = text.strip_prefix('-').unwrap_or("");
    !rights.is_empty() && rights.chars().all(|c| "rwxXst".contains(c)) && !rights.contains('R')
}

fn vital(trial: &mut Trial<'_>, scene: &Scene<'_>, place: &Place, deep: bool, shown: &str) -> bool {
    if !place.is_vital() || !(deep || place.contents) {
        return false;
    }
    let reason = format!("it changes the permissions of everything below {shown}");
    scene.deny(trial, "permissions-vital", "permissions", reason);
    true
}

/// `chown`, `chgrp`.
pub(crate) fn owner(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape { values: &["--reference", "--from"], ..Shape::default() });
    let deep = parsed.has(&["-R", "--recursive"]);
    let Some((owner, targets)) = parsed.operands.split_first() else { return };
    let own = ["$USER", "$(whoami)", "$(id -u", "$UID", "$LOGNAME", "$(logname)"];
    let to_self = owner.hints.iter().any(|hint| own.iter().any(|name| hint.contains(name)));
    for target in targets {
        let place = scene.locate(trial, target);
        let shown = place.path.clone().unwrap_or_else(|| target.shown());
        trial.effect(EffectKind::Writes, shown.clone());
        if vital(trial, scene, &place, deep, &shown) {
            continue;
        }
        if to_self && matches!(place.kind, Kind::Workspace | Kind::WorkspaceRoot) {
            trial.changes();
        } else {
            scene.ask(trial, "change-owner", "permissions", format!("it gives {shown} to somebody else"));
        }
    }
}

/// Access lists, attributes, capabilities.
pub(crate) fn attributes(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let values = &["-m", "--modify", "-x", "--remove", "-M", "-X", "--set"];
    let values: &[&str] = if name == "setfacl" { values } else { &[] };
    let parsed = parse(args, Shape { values, ..Shape::default() });
    if parsed.has_exactly(&["--test"]) {
        return;
    }
    let deep = parsed.has(&["-R", "--recursive"]);
    for target in &parsed.operands {
        let place = scene.locate(trial, target);
        let shown = place.path.clone().unwrap_or_else(|| target.shown());
        vital(trial, scene, &place, deep, &shown);
    }
    let rises = name == "setcap";
    let category = if rises { "priv_esc" } else { "permissions" };
    scene.ask(trial, "attributes", category, format!("{name} changes who may do what with files"));
}
