//! Output that never ends, and where it would go.

use super::args::Arg;
use super::produced::{is_endless_file, program_of};
use super::scene::Scene;
use super::trial::Trial;
use crate::shell::RedirectKind;

/// Consumers that keep everything they get, or never stop reading.
const HOARDERS: &[&str] = &[
    "tail",
    "sort",
    "tac",
    "sponge",
    "rev",
    "python",
    "python3",
    "perl",
    "ruby",
    "node",
    "cat",
    "tr",
    "base64",
    "xxd",
    "od",
    "gzip",
    "xz",
    "bzip2",
    "zstd",
    "wc",
    "md5sum",
    "sha256sum",
    "sha1sum",
    "grep",
    "awk",
    "sed",
    "tee",
    "dd",
    "shuf",
];

/// `yes`: it never ends by itself.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, _args: &[Arg]) {
    flows(trial, scene);
}

/// A reader of `/dev/zero` and the like.
pub(crate) fn reader(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let endless =
        args.iter().any(|arg| scene.locate(trial, arg).path.as_deref().is_some_and(is_endless_file));
    let from_input = scene.command.redirects.iter().any(|redirect| {
        redirect.kind == RedirectKind::Read
            && redirect.target.literal().is_some_and(|file| is_endless_file(&file))
    });
    if !endless && !from_input {
        return;
    }
    if name == "head" {
        let sizes = args.iter().filter(|arg| arg.text.chars().any(|c| c.is_ascii_digit()));
        let huge = sizes.filter_map(|arg| {
            super::amount::bytes(
                arg.text.trim_start_matches("--bytes=").trim_start_matches("-c").trim_start_matches('-'),
            )
        });
        if huge.max().is_some_and(|bytes| bytes > super::amount::LARGE) {
            fills(trial, scene);
        }
        return;
    }
    let keeps = matches!(name, "tail" | "sort" | "tac");
    if keeps || (matches!(name, "grep" | "egrep") && scene.command.feeds.is_none()) {
        return hoards(trial, scene);
    }
    if matches!(name, "cat" | "tr" | "base64" | "xxd" | "od" | "pv" | "strings" | "hexdump") {
        flows(trial, scene);
    }
}

pub(crate) fn flows(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    let to_file = scene.command.redirects.iter().any(|redirect| {
        matches!(
            redirect.kind,
            RedirectKind::Write | RedirectKind::Append | RedirectKind::WriteBoth | RedirectKind::AppendBoth
        ) && redirect.fd.is_none_or(|fd| fd == 1)
            && !redirect
                .target
                .literal()
                .is_some_and(|file| file.starts_with("/dev/") && !file.starts_with("/dev/shm/"))
    });
    if to_file {
        return fills(trial, scene);
    }
    // Down the pipe until something stops reading.
    let mut next = scene.command.feeds;
    for _ in 0..16 {
        let Some(stage) = next.and_then(|place| scene.script.commands.get(place)) else { return };
        let Some((name, args)) = program_of(stage) else { return };
        if !HOARDERS.contains(&name.as_str()) {
            return;
        }
        let bounded =
            name == "head" || (name == "dd" && args.iter().any(|arg| arg.text.starts_with("count=")));
        let stops = matches!(name.as_str(), "grep")
            && args.iter().any(|arg| arg.text.starts_with("-m") || arg.text.starts_with("-q"));
        if bounded || stops {
            return;
        }
        let writes = stage
            .redirects
            .iter()
            .any(|redirect| matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append))
            || (matches!(name.as_str(), "tee" | "sponge") && !args.is_empty())
            || (name == "dd" && args.iter().any(|arg| arg.text.starts_with("of=")));
        if writes {
            return fills(trial, scene);
        }
        let keeps = matches!(
            name.as_str(),
            "tail"
                | "sort"
                | "tac"
                | "sponge"
                | "shuf"
                | "rev"
                | "wc"
                | "md5sum"
                | "sha256sum"
                | "sha1sum"
                | "python"
                | "python3"
                | "perl"
                | "ruby"
                | "node"
        );
        if keeps && stage.feeds.is_none() {
            return hoards(trial, scene);
        }
        next = stage.feeds;
    }
}

pub(crate) fn fills(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    scene.deny(trial, "fill-disk", "resource_exhaustion", "it writes until the disk is full");
}

fn hoards(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    scene.deny(
        trial,
        "fill-memory",
        "resource_exhaustion",
        "it reads something endless until memory is full",
    );
}
