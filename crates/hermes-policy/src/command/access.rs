//! Reading and writing files: what the default policy says about the place.

use super::args::Arg;
use super::listing;
use super::model::{Class, EffectKind};
use super::place::{Kind, Place, is_below};
use super::scene::Scene;
use super::sensitive::{Sensitive, Use, sensitive_arg};
use super::trial::Trial;

/// Files that power the machine down or freeze it when they are written.
const POWER_FILES: &[&str] = &["/proc/sysrq-trigger", "/sys/power/state", "/sys/power/disk"];

/// Whoever writes these as root lets somebody else be root later.
const ROOT_DOORS: &[&str] = &[
    "/etc/cron.d",
    "/etc/cron.daily",
    "/etc/cron.hourly",
    "/etc/cron.weekly",
    "/etc/cron.monthly",
    "/etc/crontab",
    "/var/spool/cron",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/passwd",
    "/etc/shadow",
    "/etc/ld.so.preload",
];

/// A file is created, changed or replaced.
pub(crate) fn write(trial: &mut Trial<'_>, scene: &Scene<'_>, target: &Arg) {
    // `tee >(wc -l)`: what is inside is judged by itself.
    if target.text == "-" || target.hints.iter().any(|hint| hint.starts_with(">(")) {
        return;
    }
    let place = scene.locate(trial, target);
    if place.kind == Kind::Sink {
        return;
    }
    let shown = place.path.clone().unwrap_or_else(|| target.shown());
    trial.effect(EffectKind::Writes, shown.clone());
    if scene.frame.remote {
        return trial.changes();
    }
    if special(trial, scene, &place, &shown) {
        return;
    }
    if let Some(kind) = sensitive_arg(target, &place, trial, Use::Write) {
        return sensitive_write(trial, scene, kind, &shown);
    }
    match place.kind {
        _ if place.is_writable() => trial.changes(),
        Kind::Unknown if listing::is_of_workspace(trial, scene, target) => trial.changes(),
        Kind::Unknown => {
            scene.ask(
                trial,
                "write-unknown",
                "unknown",
                format!("only running would tell what file `{shown}` is"),
            );
        }
        Kind::Root | Kind::SystemRoot | Kind::System => {
            scene.ask(trial, "write-system", "system_config", format!("{shown} belongs to the system"));
        }
        _ => {
            let reason = format!("{shown} lies outside the workspace and the temporary folders");
            scene.ask(trial, "write-outside", "outside_workspace", reason);
        }
    }
}

/// Devices and other files that are not files.
fn special(trial: &mut Trial<'_>, scene: &Scene<'_>, place: &Place, shown: &str) -> bool {
    if place.kind == Kind::BlockDevice {
        scene.deny(
            trial,
            "write-device",
            "disk_device",
            format!("{shown} is a disk; writing to it destroys its data"),
        );
        return true;
    }
    if place.kind == Kind::RawDevice {
        scene.deny(
            trial,
            "write-memory",
            "disk_device",
            format!("{shown} is the machine's memory or hardware"),
        );
        return true;
    }
    if POWER_FILES.contains(&shown) {
        scene.deny(
            trial,
            "power-file",
            "system_halt",
            format!("writing {shown} stops or freezes the machine"),
        );
        return true;
    }
    if is_socket(shown) {
        scene.ask(
            trial,
            "shell-socket",
            "reverse_shell",
            format!("{shown} is a connection to another machine"),
        );
        return true;
    }
    false
}

pub(crate) fn is_socket(path: &str) -> bool {
    path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/")
}

fn sensitive_write(trial: &mut Trial<'_>, scene: &Scene<'_>, kind: Sensitive, shown: &str) {
    let (rule, category, what) = match kind {
        Sensitive::Credential => ("write-credential", "credential_access", "holds credentials"),
        Sensitive::StartUp => {
            ("write-startup", "persistence", "is read when something starts, and may run commands")
        }
        Sensitive::Hook => ("write-hook", "persistence", "is run by git"),
        Sensitive::Schedule => ("write-schedule", "persistence", "is run by the system later"),
        Sensitive::Authority => ("write-authority", "system_config", "says who may do what on this machine"),
        Sensitive::Runtime => ("write-runtime", "policy_tamper", "belongs to Hermes itself"),
        Sensitive::History => ("write-history", "anti_forensics", "is a record of what was typed"),
        Sensitive::Socket => {
            ("write-socket", "container_escape", "gives the rights of the service behind it")
        }
        Sensitive::ProcessSecrets => ("write-process", "system_config", "is the inside of a process"),
    };
    let rooted = scene.frame.privileged && ROOT_DOORS.iter().any(|door| is_below(shown, door));
    let class = if rooted { Class::Deny } else { Class::Ask };
    if matches!(kind, Sensitive::StartUp | Sensitive::Hook | Sensitive::Schedule) {
        trial.effect(EffectKind::Persistence, shown);
    }
    scene.find(trial, class, (rule, category), format!("{shown} {what}"));
}

/// The content of a file is looked at, copied or sent.
pub(crate) fn read(trial: &mut Trial<'_>, scene: &Scene<'_>, source: &Arg) {
    for example in listing::examples(trial, scene, source).into_iter().take(4) {
        read(trial, scene, &example);
    }
    let place = scene.locate(trial, source);
    if place.kind == Kind::Sink || source.text == "-" {
        return;
    }
    let shown = place.path.clone().unwrap_or_else(|| source.shown());
    if !scene.frame.remote && matches!(place.kind, Kind::BlockDevice | Kind::RawDevice) {
        trial.effect(EffectKind::Reads, shown.clone());
        let reason = format!("{shown} holds everything that is on the disk or in memory");
        return scene.ask(trial, "read-device", "credential_access", reason);
    }
    if is_socket(&shown) {
        return scene.ask(
            trial,
            "shell-socket",
            "reverse_shell",
            format!("{shown} is a connection to another machine"),
        );
    }
    trial.effect(EffectKind::Reads, shown.clone());
    match sensitive_arg(source, &place, trial, Use::Read) {
        Some(Sensitive::Credential | Sensitive::Runtime | Sensitive::Authority) => {
            scene.ask(trial, "read-credential", "credential_access", format!("{shown} holds credentials"));
        }
        Some(Sensitive::Socket) => {
            let reason = format!("{shown} gives the rights of the service behind it");
            scene.ask(trial, "read-socket", "container_escape", reason);
        }
        Some(Sensitive::ProcessSecrets) => {
            let reason = format!("{shown} shows the environment or memory of a process");
            scene.ask(trial, "read-process", "credential_access", reason);
        }
        Some(Sensitive::History) => {
            scene.ask(
                trial,
                "read-history",
                "credential_access",
                format!("{shown} is a record of what was typed"),
            );
        }
        _ => {}
    }
}

/// A file or a whole folder is copied or packed.
pub(crate) fn read_tree(trial: &mut Trial<'_>, scene: &Scene<'_>, source: &Arg) {
    let place = scene.locate(trial, source);
    let settings = place.path.as_deref().and_then(|path| path.strip_prefix(&trial.stage.home));
    let settings =
        settings.is_some_and(|below| matches!(below.trim_end_matches('/'), "/.config" | "/.local/share"));
    if place.kind == Kind::Home || place.kind == Kind::Root || settings {
        let shown = place.path.unwrap_or_else(|| source.shown());
        trial.effect(EffectKind::Reads, shown.clone());
        return scene.ask(
            trial,
            "read-home",
            "credential_access",
            format!("{shown} holds keys and credentials too"),
        );
    }
    read(trial, scene, source);
}
