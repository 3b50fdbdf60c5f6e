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

/// `seq 1 999999999999 > file`: an end that nobody waits for.
fn counts(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let many = args.iter().any(|arg| arg.text.parse::<f64>().is_ok_and(|number| number >= 1e10));
    if many && goes_to_file(scene) {
        let reason = "it writes more than a disk is likely to hold";
        scene.ask(trial, "huge-file", "resource_exhaustion", reason);
    }
}

/// A reader of `/dev/zero` and the like.
pub(crate) fn reader(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    if name == "seq" {
        counts(trial, scene, args);
    }
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
        if takes_much(args) {
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

/// `head -c 100G`: more than anybody needs.
fn takes_much(args: &[Arg]) -> bool {
    let sizes = args.iter().filter(|arg| arg.text.chars().any(|c| c.is_ascii_digit()));
    let sizes = sizes.filter_map(|arg| {
        super::amount::bytes(
            arg.text.trim_start_matches("--bytes=").trim_start_matches("-c").trim_start_matches('-'),
        )
    });
    sizes.max().is_some_and(|bytes| bytes > super::amount::LARGE)
}

/// What is printed goes into a file that grows.
fn goes_to_file(scene: &Scene<'_>) -> bool {
    scene.command.redirects.iter().any(|redirect| {
        matches!(
            redirect.kind,
            RedirectKind::Write | RedirectKind::Append | RedirectKind::WriteBoth | RedirectKind::AppendBoth
        ) && redirect.fd.is_none_or(|fd| fd == 1)
            && !redirect
                .target
                .literal()
                .is_some_and(|file| file.starts_with("/dev/") && !file.starts_with("/dev/shm/"))
    })
}

pub(crate) fn flows(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    if goes_to_file(scene) {
        return fills(trial, scene);
    }
    // Down the pipe until something stops reading.
    let mut next = scene.command.feeds;
    for _ in 0..16 {
        let Some(stage) = next.and_then(|place| scene.script.commands.get(place)) else { return };
        let Some((name, args)) = program_of(stage) else { return };
        if name == "head" && takes_much(&args) {
            let reason = "it writes more than a disk is likely to hold";
            return scene.ask(trial, "huge-file", "resource_exhaustion", reason);
        }
        if !HOARDERS.contains(&name.as_str()) {
            return;
        }
        let bounded = name == "dd" && args.iter().any(|arg| arg.text.starts_with("count="));
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
