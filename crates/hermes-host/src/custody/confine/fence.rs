//! Landlock: the second wall, and the first one where there are no namespaces.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::fs::OFlags;

use super::mount_calls::Outcome;
use crate::process::Confinement;
use crate::workspace::open_exact;

/// What is asked of the kernel; an older one gives what it has.
const NEWEST: ABI = ABI::V6;
/// Without this much there is no fence worth the name: writing, truncating and linking are covered.
const OLDEST: ABI = ABI::V3;
/// Devices that programs write to.
const WRITABLE_DEVICES: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/pts", "/dev/ptmx", "/dev/shm"];

/// Whether this kernel has a fence.
pub(in crate::custody) fn fenceable() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(OLDEST))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Fences this process in. `sealed`: a view of its own hides what must be hidden, so reading may be open.
pub(in crate::custody) fn fence(confinement: &Confinement, sealed: bool) -> Outcome {
    build(confinement, sealed).map_err(|error| format!("the sandbox cannot be set up (Landlock: {error})"))
}

fn build(confinement: &Confinement, sealed: bool) -> Result<(), String> {
    let text = |error: landlock::RulesetError| error.to_string();
    let everything = AccessFs::from_all(NEWEST);
    let mut ruleset = Ruleset::default()
        .handle_access(everything)
        .and_then(|ruleset| ruleset.scope(Scope::from_all(NEWEST)))
        .map_err(text)?;
    // A network of its own leads nowhere else.
    if !confinement.network && !sealed {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST)).map_err(text)?;
    }
    let mut created = ruleset.create().map_err(text)?;
    let reading = AccessFs::from_read(NEWEST);
    // A right to a folder is one to everything below it; a view of its own does without that care.
    let hidden = if sealed { Vec::new() } else { resolved(&confinement.hidden) };
    let mut readable = all_but(Path::new("/"), &hidden);
    readable.extend(confinement.shown.iter().filter(|_| !sealed).cloned());
    let closed: Vec<PathBuf> = hidden.iter().cloned().chain(kept(confinement, &hidden)).collect();
    let writable = confinement.writable.iter().flat_map(|path| all_but(path, &closed));
    // In the program's own view there are no other devices.
    let devices: &[&str] = if sealed { &["/dev"] } else { WRITABLE_DEVICES };
    let devices = devices.iter().map(PathBuf::from);
    let rules = readable
        .into_iter()
        .map(|path| (path, reading))
        .chain(writable.map(|path| (path, everything)))
        .chain(devices.map(|path| (path, everything)));
    for (path, access) in rules {
        created = add(created, &path, access)?;
    }
    match created.restrict_self().map_err(text)?.ruleset {
        // Behind the view it is the second wall: who does not ask for all of them runs without.
        RulesetStatus::NotEnforced if !sealed || confinement.strict => {
            Err("not enforced by this kernel".to_owned())
        }
        _ => Ok(()),
    }
}

/// Protected folders around something hidden, such as a home in a folder for temporary files: what is around that is granted
/// entry by entry anyway, so nothing is lost where they are not granted. What is open in them is so by itself.
fn kept<'c>(confinement: &'c Confinement, hidden: &'c [PathBuf]) -> impl Iterator<Item = PathBuf> + 'c {
    let is_around = |path: &&PathBuf| hidden.iter().any(|hidden| hidden.starts_with(path) && hidden != *path);
    confinement.protected.iter().filter(is_around).cloned()
}

fn add(
    created: landlock::RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, String> {
    // What is not there or not ours to open cannot be granted. A link would grant what it leads to.
    let Ok(descriptor) = open_exact(path, OFlags::PATH) else { return Ok(created) };
    // Of what only folders can have, a file is given nothing.
    created.add_rule(PathBeneath::new(descriptor, access)).map_err(|error| error.to_string())
}

/// The places themselves and where they really are.
fn resolved(places: &[PathBuf]) -> Vec<PathBuf> {
    places.iter().flat_map(|place| [Some(place.clone()), place.canonicalize().ok()]).flatten().collect()
}

/// A folder without the hidden places in it: those above them are granted entry by entry. A symbolic link is none of
/// the entries, since it would grant what it leads to.
fn all_but(root: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
    let mut granted = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        if hidden.contains(&folder) {
            continue;
        }
        if !hidden.iter().any(|hidden| hidden.starts_with(&folder)) {
            granted.push(folder);
            continue;
        }
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        folders.extend(entries.map(|entry| entry.path()));
    }
    granted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_above_what_is_hidden_are_granted_entry_by_entry() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["a/secret", "a/open", "b"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        std::os::unix::fs::symlink("secret", root.join("a/link")).unwrap();
        std::os::unix::fs::symlink(root.join("a"), root.join("other")).unwrap();
        let granted = all_but(Path::new("/"), &[root.join("a/secret")]);
        let below: Vec<_> = granted.iter().filter_map(|path| path.strip_prefix(&root).ok()).collect();
        let mut below: Vec<_> = below.iter().map(|path| path.display().to_string()).collect();
        below.sort();
        assert_eq!(below, ["a/open", "b"]);
        assert!(granted.contains(&PathBuf::from("/etc")));
        assert!(!granted.iter().any(|path| root.starts_with(path)));
        assert_eq!(all_but(&root.join("b"), &[root.join("a/secret")]), [root.join("b")]);
        // By another name it is the same place.
        let seen = resolved(&[root.join("other/secret")]);
        assert_eq!(seen, [root.join("other/secret"), root.join("a/secret")]);
    }
}
