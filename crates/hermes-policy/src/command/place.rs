//! Where a path argument points: the root of the system, somebody's home, the workspace, a device.

use super::args::{Arg, HOLE};
use super::model::Stage;
use crate::shell::glob_matches;

/// Folders directly below `/` whose loss is the loss of the system or of everybody's data.
const SYSTEM_ROOTS: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "media",
    "mnt",
    "opt",
    "proc",
    "root",
    "run",
    "sbin",
    "srv",
    "sys",
    "usr",
    "var",
    "nix",
    "snap",
    "System",
    "Library",
    "Users",
    "Applications",
    "private",
    "Volumes",
    "cores",
];

/// Where homes stand, and the one account that has its own root.
const HOMES: &[&str] = &["/home", "/Users", "/export/home", "/var/home", "/usr/home"];

/// What a path is, for somebody who would change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `/`, or everything in it.
    Root,
    /// A folder directly below `/`, or one the system cannot do without.
    SystemRoot,
    /// Beneath such a folder.
    System,
    /// A home directory, or everything in it.
    Home,
    /// Beneath a home directory.
    BelowHome,
    /// A folder that may be written, itself or everything in it, or one that holds it.
    WorkspaceRoot,
    /// Beneath it.
    Workspace,
    /// The temporary folder itself.
    TempRoot,
    Temp,
    /// A disk, a partition, a volume.
    BlockDevice,
    /// Memory and ports of the machine.
    RawDevice,
    /// `/dev/null` and its harmless kin.
    Sink,
    /// Anywhere else.
    Elsewhere,
    /// Only running would tell.
    Unknown,
}

/// A path argument, resolved as far as it can be without looking at the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub kind: Kind,
    /// Absolute and without dots, if that is known. A trailing pattern stays in it.
    pub path: Option<String>,
    /// Everything in the folder rather than the folder.
    pub contents: bool,
}

impl Place {
    /// Whether the default policy lets a command write here without asking.
    pub fn is_writable(&self) -> bool {
        matches!(self.kind, Kind::Workspace | Kind::WorkspaceRoot | Kind::Temp | Kind::TempRoot | Kind::Sink)
    }

    /// Whether losing all of it is what nothing may allow.
    pub fn is_vital(&self) -> bool {
        matches!(self.kind, Kind::Root | Kind::SystemRoot | Kind::Home)
    }
}

pub(crate) fn locate(arg: &Arg, cwd: Option<&str>, stage: &Stage) -> Place {
    let text = arg.text.as_str();
    let (known, open) = match text.find(HOLE) {
        Some(0) => return unknown(arg, cwd, stage),
        Some(_) => (text.split(HOLE).next().unwrap_or(""), true),
        None => (text, false),
    };
    let Some(absolute) = absolute(known, cwd, stage) else {
        return Place { kind: Kind::Unknown, path: None, contents: false };
    };
    if !open {
        return place_of(&normal(&absolute), arg.pattern, stage);
    }
    // What is unknown is beneath what is known: `/etc/pass$x` is beneath /etc, `/home/$USER` is a home.
    let mut hints = arg.hints.iter();
    let mut filled = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            // `${x:?}` cannot be empty; everything else can, and then the folder itself is meant.
            HOLE if hints.next().is_some_and(|hint| hint.contains(":?")) => filled.push_str("name"),
            HOLE => filled.push('*'),
            letter => filled.push(letter),
        }
    }
    let whole = self::absolute(&filled, cwd, stage).unwrap_or_default();
    place_of(&normal(&whole), true, stage)
}

/// The same for a path that is known to the last letter.
pub(crate) fn locate_path(path: &str, cwd: Option<&str>, stage: &Stage) -> Place {
    match absolute(path, cwd, stage) {
        Some(absolute) => place_of(&normal(&absolute), false, stage),
        None => Place { kind: Kind::Unknown, path: None, contents: false },
    }
}

fn place_of(path: &str, patterned: bool, stage: &Stage) -> Place {
    let mut contents = false;
    let mut whole = path;
    if patterned {
        while let Some((parent, last)) = whole.rsplit_once('/') {
            if !takes_everything(last) {
                break;
            }
            contents = true;
            whole = if parent.is_empty() { "/" } else { parent };
            if whole == "/" {
                break;
            }
        }
    }
    let kind = if patterned { pattern_kind(whole, stage) } else { kind_of(whole, stage) };
    Place { kind, path: Some(path.to_owned()), contents }
}

/// `*`, `.*`, `?*`, `**`, `[!.]*`, `{*,.*}`: all or nearly all of a folder.
fn takes_everything(component: &str) -> bool {
    const SAMPLES: &[&str] = &["alpha", "Beta", "data1", "x.txt"];
    component.contains('*')
        && (component == ".*"
            || component == ".[!.]*"
            || component == ".[^.]*"
            || component == ".??*"
            || SAMPLES.iter().all(|sample| glob_matches(component, sample)))
}

/// A pattern is what the gravest of its matches is.
fn pattern_kind(path: &str, stage: &Stage) -> Kind {
    let has_pattern = |part: &str| part.contains(['*', '?', '[', '(']);
    let Some(first) = path.strip_prefix('/').and_then(|rest| rest.split('/').next()) else {
        return kind_of(path, stage);
    };
    if let Some(device) = super::devices::kind_of(path) {
        return device;
    }
    if !has_pattern(first) {
        let second = path.split('/').nth(2).unwrap_or("");
        let last = path.split('/').count() == 3;
        if has_pattern(second) && last && HOMES.contains(&format!("/{first}").as_str()) {
            return Kind::Home;
        }
        let fixed: Vec<&str> = path.split('/').take_while(|part| !has_pattern(part)).collect();
        let below = format!("{}/x", fixed.join("/"));
        return if fixed.len() == path.split('/').count() {
            kind_of(path, stage)
        } else {
            kind_of(&below, stage)
        };
    }
    let Some(root) = SYSTEM_ROOTS.iter().find(|root| glob_matches(first, root)) else {
        return kind_of(path, stage);
    };
    match path.split_once('/').and_then(|(_, rest)| rest.split_once('/')) {
        Some((_, rest)) => kind_of(&format!("/{root}/{rest}"), stage),
        None => Kind::SystemRoot,
    }
}

fn unknown(arg: &Arg, cwd: Option<&str>, stage: &Stage) -> Place {
    let hint = arg.hints.first().map(String::as_str).unwrap_or_default();
    let rest = arg.text.get(1..).unwrap_or("");
    let temporary =
        hint.contains("mktemp") || hint.to_ascii_lowercase().contains("tmp") || hint.contains("TEMP");
    let here = matches!(hint, "$(pwd)" | "`pwd`" | "$(pwd -P)" | "$(git rev-parse --show-toplevel)");
    if rest.split('/').any(|part| part == "..") || rest.contains(HOLE) {
        return Place { kind: Kind::Unknown, path: None, contents: false };
    }
    if temporary {
        return Place { kind: Kind::Temp, path: None, contents: false };
    }
    match cwd.filter(|_| here) {
        Some(cwd) => locate_path(&format!("{cwd}{rest}"), None, stage),
        None => Place { kind: Kind::Unknown, path: None, contents: false },
    }
}

fn absolute(text: &str, cwd: Option<&str>, stage: &Stage) -> Option<String> {
    if text.starts_with('/') {
        Some(text.to_owned())
    } else if text == "~" || text.starts_with("~/") {
        Some(format!("{}{}", stage.home, text.get(1..).unwrap_or("")))
    } else if let Some(user) = text.strip_prefix('~').filter(|user| user.starts_with(char::is_alphabetic)) {
        Some(if user == "root" || user.starts_with("root/") {
            format!("/{user}")
        } else {
            format!("/home/{user}")
        })
    } else {
        cwd.map(|cwd| format!("{cwd}/{text}"))
    }
}

/// Without `.`, `..` and doubled slashes. Symbolic links are not followed: nothing is looked at.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn kind_of(path: &str, stage: &Stage) -> Kind {
    let path = path.strip_prefix("/proc/self/root").filter(|rest| !rest.is_empty()).unwrap_or(path);
    if path == "/" {
        return Kind::Root;
    }
    if let Some(device) = super::devices::kind_of(path) {
        return device;
    }
    if is_home(path, stage) {
        return Kind::Home;
    }
    if let Some(folder) = stage.writable.iter().find(|folder| is_below(path, folder)) {
        let itself = path.len() == folder.trim_end_matches('/').len();
        return match (is_temporary(folder), itself) {
            (true, true) => Kind::TempRoot,
            (true, false) => Kind::Temp,
            (false, true) => Kind::WorkspaceRoot,
            (false, false) => Kind::Workspace,
        };
    }
    let mut parts = path.trim_start_matches('/').split('/');
    let (first, second, third) = (parts.next().unwrap_or(""), parts.next(), parts.next());
    let system = SYSTEM_ROOTS.contains(&first);
    match (first, second, third) {
        (_, None, _) if system => Kind::SystemRoot,
        ("usr" | "lib" | "lib64" | "boot" | "System" | "sys", Some(_), None) => Kind::SystemRoot,
        ("var", Some("lib" | "log" | "spool"), None) | ("private", Some("etc" | "var"), None) => {
            Kind::SystemRoot
        }
        _ if is_below_home(path, stage) => Kind::BelowHome,
        _ if system && !matches!(first, "srv" | "mnt" | "media" | "opt" | "home" | "Users") => Kind::System,
        _ if stage.writable.iter().any(|folder| is_below(folder, path)) => Kind::WorkspaceRoot,
        _ => Kind::Elsewhere,
    }
}

fn is_temporary(folder: &str) -> bool {
    matches!(folder.trim_end_matches('/'), "/tmp" | "/var/tmp" | "/private/tmp" | "/dev/shm")
        || folder.starts_with("/var/folders/")
}

fn is_home(path: &str, stage: &Stage) -> bool {
    path == stage.home.trim_end_matches('/')
        || path == "/root"
        || HOMES.iter().any(|homes| {
            path == *homes
                || path.strip_prefix(homes).and_then(|rest| rest.strip_prefix('/')).is_some_and(|name| {
                    !name.contains('/')
                        && !stage.writable.iter().any(|folder| folder.trim_end_matches('/') == path)
                })
        })
}

fn is_below_home(path: &str, stage: &Stage) -> bool {
    is_below(path, &stage.home)
        || is_below(path, "/root")
        || HOMES.iter().any(|homes| is_below(path, homes) && path.len() > homes.len() + 1)
}
