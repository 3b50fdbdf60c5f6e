//! Disks among the words of a program that nobody knows better: whether it writes them.

use super::args::Arg;
use super::place::Kind;
use super::scene::Scene;
use super::trial::Trial;

/// Words, options and keys that put something onto the disk they are about.
const PUTS: &[&str] = &[
    "burn",
    "clone",
    "convert",
    "copy",
    "cp",
    "dd",
    "dest",
    "destination",
    "erase",
    "fill",
    "flash",
    "format",
    "hof",
    "hwipe",
    "image",
    "of",
    "out",
    "outfile",
    "output",
    "overwrite",
    "put",
    "raw",
    "restfs",
    "restore",
    "restparts",
    "randwrite",
    "sanitize",
    "sink",
    "target",
    "to",
    "wipe",
    "write",
    "zap",
    "zero",
];

/// Keys and options that only take something from it.
const TAKES: &[&str] = &["from", "if", "in", "infile", "input", "source", "src"];

/// Asks about every disk among the words, and refuses where the words say that it is written.
pub(crate) fn look(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg], known: bool) {
    let mut operands = 0;
    let mut puts = words(name).any(|word| PUTS.contains(&word));
    for arg in args {
        let option = arg.text.starts_with('-');
        operands += usize::from(!option);
        // A subcommand stands early; an option stands anywhere.
        puts |= (option || operands <= 2) && !arg.text.contains("/dev/") && says_put(&arg.text);
    }
    for (place, arg) in args.iter().enumerate().filter(|(_, arg)| arg.text.contains("/dev/")) {
        let before =
            place.checked_sub(1).and_then(|place| args.get(place)).map_or("", |arg| arg.text.as_str());
        for (key, disk) in disks(trial, scene, arg, before) {
            if key.as_deref().is_some_and(|key| words(key).any(|word| TAKES.contains(&word))) {
                continue;
            }
            if puts || key.is_some_and(|key| says_put(&key)) {
                let reason = format!("{disk} is a disk; writing to it destroys its data");
                scene.deny(trial, "write-device", "disk_device", reason);
            } else if !known {
                let reason = format!("{disk} is a disk, and nobody knows what this program does with it");
                scene.ask(trial, "unknown-device", "disk_device", reason);
            }
        }
    }
}

/// The disks that a word names, each with the key or option in front of it: `of=/dev/sda`, `--output /dev/sda`,
/// `id=0,dest=/dev/sda1`, `OPEN:/dev/sda`.
fn disks(trial: &Trial<'_>, scene: &Scene<'_>, arg: &Arg, before: &str) -> Vec<(Option<String>, String)> {
    let mut found = Vec::new();
    for part in arg.text.split(',') {
        let (key, path) = match part.find("/dev/") {
            Some(0) => (before.starts_with('-').then(|| before.to_owned()), part),
            Some(at) => match (part.get(..at), part.get(at..)) {
                (Some(front), Some(path)) if front.ends_with(['=', ':']) => (Some(front.to_owned()), path),
                _ => continue,
            },
            None => continue,
        };
        let path = Arg { text: path.to_owned(), pattern: arg.pattern, hints: arg.hints.clone() };
        if scene.locate(trial, &path).kind == Kind::BlockDevice {
            found.push((key, path.shown()));
        }
    }
    found
}

fn says_put(text: &str) -> bool {
    matches!(text, "-w" | "-o" | "-O") || words(text).any(|word| PUTS.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}
