//! Raw copying, and making file systems.

use super::access::{read, write};
use super::amount::{LARGE, bytes};
use super::args::Arg;
use super::options::{Shape, parse};
use super::place::Kind;
use super::produced;
use super::scene::Scene;
use super::trial::{Content, Trial};

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    // `ddrescue source target log` has operands where `dd` has `if=` and `of=`.
    if matches!(name, "ddrescue" | "dd_rescue") {
        let operands: Vec<&Arg> = args.iter().filter(|arg| !arg.text.starts_with('-')).collect();
        return operands.iter().skip(1).for_each(|target| write(trial, scene, target));
    }
    let value = |name: &str| args.iter().rev().find_map(|arg| arg.without_prefix(name));
    let source = value("if=");
    let endless = source.as_ref().is_some_and(|source| {
        scene.locate(trial, source).path.as_deref().is_some_and(produced::is_endless_file)
    });
    if let Some(source) = source.as_ref().filter(|_| !endless) {
        read(trial, scene, source);
    }
    // Without a target it goes down the pipe.
    if endless && value("of=").is_none() && value("count=").is_none() {
        super::endless::flows(trial, scene);
    }
    let nothing = source.as_ref().is_some_and(|source| source.text == "/dev/null");
    for target in ["of=", "ofs=", "hof=", "wipe=", "hwipe="].iter().filter_map(|name| value(name)) {
        write(trial, scene, &target);
        if nothing || (endless && super::deletion::is_data(&target)) {
            super::deletion::empty(trial, scene, &target);
        }
        let place = scene.locate(trial, &target);
        if place.is_vital() {
            let reason = format!("it overwrites {}", target.shown());
            scene.deny(trial, "dd-vital", "disk_device", reason);
        }
        if let Some(path) = place.path {
            let content = scene.input().map_or(Content::Other, |text| Content::Text(text.to_owned()));
            trial.files.insert(path, content);
        }
        let size = value("bs=").or_else(|| value("obs=")).and_then(|size| bytes(&size.text)).unwrap_or(512);
        let count = value("count=").and_then(|count| bytes(&count.text));
        let total = count.and_then(|count| count.checked_mul(size)).unwrap_or(u128::MAX);
        if endless && total > LARGE && place.kind != Kind::Sink {
            scene.ask(trial, "dd-endless", "resource_exhaustion", "it writes until the disk is full");
        }
    }
}

/// `mkfs`, `mkswap` and their kin: an image in the workspace is a file, anything else is a disk.
pub(crate) fn make_filesystem(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let values = &[
        "-t", "-L", "-l", "-U", "-b", "-I", "-i", "-N", "-m", "-E", "-O", "-F", "-n", "-S", "-s", "-T", "-C",
        "-d",
    ];
    // Every one has its own letter for a rehearsal, which means something else to the others.
    let rehearsal = match name {
        "mkfs.xfs" => "-N",
        "mke2fs" | "mkfs.ext2" | "mkfs.ext3" | "mkfs.ext4" => "-n",
        _ => "--dry-run",
    };
    if args.iter().any(|arg| arg.text == rehearsal) {
        return;
    }
    // `-F` takes a value in one of the family and none in another: both readings count.
    let parsed = parse(args, Shape { values, ..Shape::default() });
    let values = parsed.flags.iter().filter_map(|flag| {
        let value = flag.value.as_ref()?;
        (matches!(flag.name.as_str(), "-F" | "-n") || value.text.starts_with("/dev/")).then_some(value)
    });
    let operands = parsed.operands.iter().chain(values);
    for target in operands {
        let place = scene.locate(trial, target);
        match place.kind {
            Kind::BlockDevice | Kind::Unknown | Kind::System if !is_number(target) => {
                let reason = format!("it makes a new file system over {}", target.shown());
                scene.deny(trial, "make-filesystem", "disk_device", reason);
            }
            _ if is_number(target) => {}
            _ => write(trial, scene, target),
        }
    }
}

fn is_number(arg: &Arg) -> bool {
    bytes(&arg.text).is_some()
}
