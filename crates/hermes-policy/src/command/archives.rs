//! Archives: what goes in, and where it comes out.

use super::access::{read_tree, write};
use super::args::Arg;
use super::options::{Parsed, Shape, parse};
use super::place::{Kind, is_below};
use super::produced::{self, Source};
use super::scene::Scene;
use super::trial::{Content, Trial};

const TAR_VALUES: &[&str] = &[
    "-f",
    "--file",
    "-C",
    "--directory",
    "-I",
    "--use-compress-program",
    "-T",
    "--files-from",
    "-X",
    "--exclude-from",
    "--exclude",
    "-b",
    "-K",
    "-L",
    "-N",
    "-V",
    "--transform",
    "--xform",
    "--strip-components",
    "--checkpoint",
    "--checkpoint-action",
    "--to-command",
    "-g",
    "--listed-incremental",
    "--owner",
    "--group",
    "--mode",
    "--mtime",
    "-F",
    "--info-script",
    "-H",
    "--format",
    "--newer",
    "--suffix",
];

pub(crate) fn tar(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    // `tar czf a.tgz x`: the first word may lack its dash.
    let mut args = args.to_vec();
    if let Some(first) = args.first_mut().filter(|first| !first.text.starts_with('-') && first.is_certain()) {
        first.text.insert(0, '-');
    }
    let parsed = parse(&args, Shape { values: TAR_VALUES, ..Shape::default() });
    let has =
        |short: &str, long: &str| parsed.has(&[short]) || parsed.flags.iter().any(|flag| flag.name == long);
    if has("-t", "--list") {
        return;
    }
    if has("-x", "--extract") || parsed.flags.iter().any(|flag| flag.name == "--get") {
        return extract(trial, scene, &parsed);
    }
    if has("-c", "--create") || has("-r", "--append") || has("-u", "--update") {
        let base = parsed.value(&["-C", "--directory"]);
        let below = |member: &Arg| {
            let mut member = member.clone();
            if let Some(base) = base.filter(|_| !member.text.starts_with('/')) {
                member.text = format!("{}/{}", base.text.trim_end_matches('/'), member.text);
                member.hints.splice(0..0, base.hints.iter().cloned());
            }
            member
        };
        let members: Vec<Arg> = parsed.operands.iter().map(below).collect();
        for member in &members {
            read_tree(trial, scene, member);
        }
        if let Some(archive) = parsed.value(&["-f", "--file"]) {
            put(trial, scene, archive);
        }
        if parsed.has(&["--remove-files"]) {
            removes(trial, scene, &members);
        }
    }
}

/// What is packed is deleted.
fn removes(trial: &mut Trial<'_>, scene: &Scene<'_>, members: &[Arg]) {
    scene.ask(trial, "archive-removes", "destructive_delete", "it deletes what it packs");
    for member in members {
        if scene.locate(trial, member).is_vital() {
            super::deletion::delete(trial, scene, member, true);
        }
    }
}

/// A new archive beside the workspace is a backup, not a change of somebody else's file.
fn put(trial: &mut Trial<'_>, scene: &Scene<'_>, archive: &Arg) {
    let beside = archive.text.strip_prefix("../").is_some_and(|rest| !rest.contains('/'));
    match beside {
        true => trial.changes(),
        false => write(trial, scene, archive),
    }
}

fn extract(trial: &mut Trial<'_>, scene: &Scene<'_>, parsed: &Parsed) {
    if parsed.has(&["-P", "--absolute-names", "--absolute-paths"]) {
        scene.ask(trial, "archive-absolute", "outside_workspace", "it may write wherever the archive says");
    }
    came_over_network(trial, scene, parsed.value(&["-f", "--file"]));
    into(trial, scene, parsed.value(&["-C", "--directory"]));
    if let Some(folder) = parsed.value(&["--one-top-level"]) {
        write(trial, scene, folder);
    }
}

/// Running something out of an archive that was just downloaded is running a download.
fn came_over_network(trial: &mut Trial<'_>, scene: &Scene<'_>, archive: Option<&Arg>) {
    trial.unpacked |= is_download(trial, scene, archive);
}

/// Whether what comes in, through the pipe or from this file, was just downloaded.
pub(crate) fn is_download(trial: &Trial<'_>, scene: &Scene<'_>, file: Option<&Arg>) -> bool {
    let piped = produced::piped(trial, scene.script, scene.command) == Some(Source::Download);
    let path = file.and_then(|file| scene.locate(trial, file).path);
    piped || path.is_some_and(|path| trial.files.get(&path) == Some(&Content::Download))
}

fn into(trial: &mut Trial<'_>, scene: &Scene<'_>, folder: Option<&Arg>) {
    match folder {
        Some(folder) => write(trial, scene, folder),
        None => write(trial, scene, &Arg::certain(".")),
    }
}

/// `zip`, `7z a`, `gzip`: something new from something read.
pub(crate) fn pack(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let parsed = parse(
        args,
        Shape {
            values: &["-P", "-x", "-i", "-b", "-t", "-n", "-o", "-S", "--suffix"],
            words: name == "7z",
            ..Shape::default()
        },
    );
    if name == "7z" || name == "7za" || name == "7zr" || name == "7zz" {
        return seven(trial, scene, args);
    }
    if parsed.has(&["-m", "--move"]) && name == "zip" {
        removes(trial, scene, parsed.operands.get(1..).unwrap_or_default());
    }
    let to_output =
        parsed.has(&["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test", "-T", "-k", "--keep"]);
    if name == "zip" {
        if let Some((archive, members)) = parsed.operands.split_first() {
            members.iter().for_each(|member| read_tree(trial, scene, member));
            put(trial, scene, archive);
        }
        return;
    }
    for file in &parsed.operands {
        if to_output { read_tree(trial, scene, file) } else { write(trial, scene, file) }
    }
}

fn seven(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let operands: Vec<&Arg> = args.iter().filter(|arg| !arg.text.starts_with('-')).collect();
    match operands.first().map(|arg| arg.text.as_str()) {
        Some("x" | "e") => {
            let folder = args.iter().find_map(|arg| arg.without_prefix("-o"));
            into(trial, scene, folder.as_ref());
        }
        Some("a" | "u") => {
            operands.iter().skip(2).for_each(|member| read_tree(trial, scene, member));
            if let Some(archive) = operands.get(1) {
                put(trial, scene, archive);
            }
            if args.iter().any(|arg| arg.text == "-sdel") {
                let members: Vec<Arg> = operands.iter().skip(2).map(|member| (*member).clone()).collect();
                removes(trial, scene, &members);
            }
        }
        Some("d") => scene.ask(trial, "archive-delete", "destructive_delete", "it deletes from an archive"),
        _ => {}
    }
}

/// `unzip`, `unrar`, `cpio -i`, `patch`: files come out, below a folder or where the archive says.
pub(crate) fn unpack(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    if name == "patch" {
        return patch(trial, scene, args);
    }
    let values: &[&str] = match name {
        "cpio" | "bsdcpio" => &["-D", "--directory", "-H", "-F", "-I", "-O", "-E", "-C", "-R"],
        _ => &["-d", "-x", "-P", "-D", "--directory", "-o", "-O", "-output-directory"],
    };
    let parsed = parse(args, Shape { values, words: name == "unar", ..Shape::default() });
    if matches!(name, "cpio" | "bsdcpio") && parsed.has(&["-o", "--create", "-p", "--pass-through"]) {
        let named = super::xargs::inputs(trial, scene, None, false).0;
        named.iter().filter(|name| !name.has_hole()).for_each(|name| read_tree(trial, scene, name));
    }
    let looks = parsed.has_exactly(&["-l", "-t", "-v", "-Z", "-p", "--list", "-z"]) && name != "cpio";
    if looks {
        return;
    }
    came_over_network(trial, scene, parsed.operands.first());
    let folder = match name {
        "unar" | "uudecode" => parsed.value(&["-o", "-output-directory"]),
        _ => parsed.value(&["-d", "-D", "--directory"]),
    };
    into(trial, scene, folder);
}

fn patch(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(
        args,
        Shape {
            values: &[
                "-i",
                "--input",
                "-d",
                "--directory",
                "-o",
                "--output",
                "-r",
                "-p",
                "-F",
                "-D",
                "-B",
                "-Y",
                "-z",
            ],
            ..Shape::default()
        },
    );
    if parsed.has_exactly(&["--dry-run"]) {
        return;
    }
    trial.patched |= is_download(trial, scene, parsed.value(&["-i", "--input"]));
    for target in
        parsed.operands.first().into_iter().chain(parsed.values(&["-d", "--directory", "-o", "--output"]))
    {
        write(trial, scene, target);
    }
    let here = scene.cwd().is_some_and(|cwd| trial.stage.writable.iter().any(|root| is_below(cwd, root)));
    if parsed.operands.is_empty() && !here && scene.locate(trial, &Arg::certain(".")).kind != Kind::Unknown {
        write(trial, scene, &Arg::certain("."));
    }
    trial.changes();
}
