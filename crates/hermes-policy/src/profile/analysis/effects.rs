//! What a command would do by itself, in the words of permissions: files by where their links lead, hosts by
//! name. The table of sensitive and protected places speaks of them as it does of the paths of file tools.

use std::path::{Component, Path, PathBuf};

use hermes_core::{Access, Permission, Target, Verdict};

use super::calls::{Calls, base_name};
use super::path::places;
use crate::command::{Effect as Found, EffectKind};
use crate::paths::{PathOp, PathVerdict, Places, judge, lexical};
use crate::profile::ground::Ground;
use crate::shell::glob_matches;

/// Programs whose words are text, or whose files the analysis of commands knows one by one.
const UNDERSTOOD: &[&str] = &[
    "[", "ack", "ag", "alias", "awk", "basename", "cat", "chmod", "chown", "cp", "dd", "diff", "dirname",
    "echo", "egrep", "export", "expr", "fgrep", "gawk", "git", "grep", "head", "jq", "man", "mkdir", "mv",
    "printf", "rg", "rm", "rmdir", "sed", "tail", "tee", "test", "touch", "type", "unlink", "whereis",
    "which",
];

/// Programs whose commands run on another machine or in a container. Whose devices and processes are meant there
/// is for the analysis of commands to say.
const FAR: &[&str] =
    &["adb", "distrobox", "docker", "kubectl", "lxc", "nerdctl", "oc", "podman", "ssh", "toolbox", "vagrant"];

/// How many words of a line are followed through links.
const MAX_WORDS: usize = 200;

/// One thing that a command would do.
#[derive(Debug)]
pub(crate) struct Effect {
    pub(crate) access: Access,
    /// What the table says about the file; about hosts it says nothing.
    pub(crate) verdict: PathVerdict,
    /// The analysis of commands judged another place, so its silence about this one means nothing.
    pub(crate) unseen: bool,
    /// A program that nobody knows was given this path; what it does with it is not certain.
    pub(crate) mentioned: bool,
}

/// Where effects are looked at.
pub(crate) struct Scenery<'a> {
    pub(crate) ground: &'a Ground,
    /// The session's folder, as it is named and as it is.
    pub(crate) root: &'a Path,
    real_root: PathBuf,
    places: Places,
}

impl<'a> Scenery<'a> {
    pub(crate) fn new(ground: &'a Ground, root: &'a Path) -> Self {
        let real_root = follow(ground, root).unwrap_or_else(|| root.to_owned());
        let mut places = places(ground, root).for_shell();
        if real_root != root {
            places.roots.push(real_root.clone());
        }
        Scenery { ground, root, real_root, places }
    }

    /// Everything that analysis found, and what unknown programs were given.
    pub(crate) fn effects(&self, found: &[Found], calls: &Calls, folder: &Path) -> Vec<Effect> {
        // `rm link` takes the link away; `rm link/` and `find link` go through it.
        let enters = calls.calls.iter().any(|call| {
            call.words.first().is_some_and(|program| base_name(&program.shown()) == "find")
                || call.words.iter().any(|word| word.shown().ends_with('/'))
        });
        let of_found = found.iter().filter_map(|effect| match effect.kind {
            EffectKind::Reads => self.file(Permission::FILE_READ, PathOp::Read, &effect.target, true),
            // What is written may be a folder that files are put into.
            EffectKind::Writes => self.file(Permission::FILE_WRITE, PathOp::Extract, &effect.target, true),
            EffectKind::Deletes => self.file(Permission::FILE_DELETE, PathOp::Delete, &effect.target, enters),
            EffectKind::Network => Some(Effect {
                access: Access::new(Permission::NETWORK_FETCH, Target::Host(effect.target.clone())),
                verdict: PathVerdict::Allow,
                unseen: false,
                mentioned: false,
            }),
            EffectKind::Privilege | EffectKind::Process | EffectKind::Persistence => None,
        });
        let far = calls.calls.iter().filter_map(|call| call.words.first());
        let far = far.into_iter().any(|program| FAR.contains(&base_name(&program.shown())));
        let mut effects: Vec<Effect> = of_found.chain(self.mentions(calls, folder)).collect();
        effects.retain(|effect| !far || effect.verdict.verdict() < Verdict::Deny || is_own(&effect.verdict));
        effects
    }

    fn file(&self, permission: Permission, op: PathOp, target: &str, enters: bool) -> Option<Effect> {
        let written = Path::new(target).is_absolute().then(|| PathBuf::from(target))?;
        let real = match (enters, written.parent(), written.file_name()) {
            (false, Some(folder), Some(name)) => follow(self.ground, folder).map(|folder| folder.join(name)),
            _ => follow(self.ground, &written),
        };
        let real = real.unwrap_or_else(|| written.clone());
        // What has several names is known by all of them.
        let resolver = self.ground.resolver.as_ref();
        let others = resolver.map_or_else(Vec::new, |resolver| resolver.other_names(&self.real_root, &real));
        let unseen = real != self.rebased(&written) || !others.is_empty();
        let forms = std::iter::once(&written).chain(&others).chain([&real]).map(PathBuf::as_path);
        let verdict = judge(forms, op, &self.places);
        // How much of a folder a command takes is known to the analysis, if it saw the folder.
        let verdict = match verdict.category() {
            Some("whole_folder") if !unseen => PathVerdict::Allow,
            // No file tool has any business there, but `docker ps` speaks to the same socket: a person may agree.
            Some("control_socket") => verdict.at_most_asked(),
            _ => verdict,
        };
        let verdict = verdict.or_stricter(self.around_state(op, &real));
        let unseen = unseen || verdict.category() == Some(HOLDS_STATE);
        Some(Effect {
            access: Access::new(permission, Target::Resolved(real)),
            verdict,
            unseen,
            mentioned: false,
        })
    }

    /// Paths that are given to programs of which nobody knows what they do with them.
    fn mentions(&self, calls: &Calls, folder: &Path) -> Vec<Effect> {
        let unknown = calls.calls.iter().filter(|call| {
            let program = call.words.first().map(|program| program.shown()).unwrap_or_default();
            !UNDERSTOOD.contains(&base_name(&program))
        });
        let words = unknown.flat_map(|call| call.words.iter().skip(1)).filter_map(|word| word.literal());
        // `--db=file` and `if=file` name a file as well as the bare word does.
        let words = words.map(|word| match word.split_once('=') {
            Some((_, value)) if !word.starts_with(['/', '.', '~']) => value.to_owned(),
            _ => word,
        });
        let words = words.filter(|word| may_be_path(word)).take(MAX_WORDS);
        words
            .filter_map(|word| {
                let written = lexical(&word, &self.ground.home, folder).ok()?;
                let effect = self.file(Permission::FILE_READ, PathOp::Read, written.to_str()?, true)?;
                // A bare word is a path if something in the folder leads elsewhere by that name.
                let is_path = effect.unseen || word.contains('/') || word.starts_with(['.', '~']);
                // What a device or a process is named for, the analysis knows better.
                let verdict = match effect.unseen || is_own(&effect.verdict) {
                    true => effect.verdict,
                    false => PathVerdict::Allow,
                };
                is_path.then_some(Effect { mentioned: true, verdict, ..effect })
            })
            .collect()
    }

    /// The path as it would be if nothing in it but the session's folder were a link.
    fn rebased(&self, written: &Path) -> PathBuf {
        match written.strip_prefix(self.root) {
            Ok(inside) if inside.as_os_str().is_empty() => self.real_root.clone(),
            Ok(inside) => self.real_root.join(inside),
            Err(_) => written.to_owned(),
        }
    }

    /// What the table cannot see: a pattern that reaches into Hermes's own folder, and folders around it, with
    /// which it would be deleted.
    fn around_state(&self, op: PathOp, path: &Path) -> PathVerdict {
        let own = &self.ground.hermes_home;
        let (depth, own_depth) = (path.components().count(), own.components().count());
        if own_depth < 2 || !runs_along(path, own) {
            return PathVerdict::Allow;
        }
        let is_pattern = path.to_string_lossy().contains(['*', '?', '[']);
        if depth > own_depth && is_pattern {
            // What the table says about whatever the pattern means there.
            let inside = own.join(path.components().skip(own_depth).collect::<PathBuf>());
            return judge([inside.as_path()], op, &self.places);
        }
        match depth <= own_depth && (op == PathOp::Delete || (is_pattern && depth == own_depth)) {
            true => PathVerdict::Ask {
                category: HOLDS_STATE.to_owned(),
                reason: "holds Hermes's own settings and records".to_owned(),
            },
            false => PathVerdict::Allow,
        }
    }
}

/// Whether the place is Hermes's own.
fn is_own(verdict: &PathVerdict) -> bool {
    matches!(verdict.category(), Some("hermes_state" | "skill_cache"))
}

const HOLDS_STATE: &str = "holds_hermes_state";

/// Whether the names of one path are those of the other as far as both go; names may be patterns.
fn runs_along(path: &Path, other: &Path) -> bool {
    let same = |part: Component<'_>, name: Component<'_>| {
        let (part, name) = (part.as_os_str().to_string_lossy(), name.as_os_str().to_string_lossy());
        part == name || (part.contains(['*', '?', '[']) && glob_matches(&part, &name))
    };
    path.components().zip(other.components()).all(|(part, name)| same(part, name))
}

/// Links that lead each process to something of its own: where they lead whoever asks says nothing about the command.
const OWN_LINKS: [&str; 6] =
    ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self", "/proc/thread-self"];

/// Where the links of the path lead, as far as anybody here can follow them.
fn follow(ground: &Ground, path: &Path) -> Option<PathBuf> {
    if OWN_LINKS.iter().any(|own| path.starts_with(own)) {
        return None;
    }
    ground.resolver.as_ref()?.resolve(Path::new("/"), path.to_str()?).ok()
}

fn may_be_path(word: &str) -> bool {
    !word.starts_with('-') && !word.contains("://") && !word.contains('\n')
}
