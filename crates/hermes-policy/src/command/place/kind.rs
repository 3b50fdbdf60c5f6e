//! What a path is, by its name alone.

use crate::command::devices;
use crate::command::model::Stage;
use crate::shell::glob_matches;

use super::path::is_below;

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

/// A pattern is what the gravest of its matches is.
pub(super) fn pattern_kind(path: &str, stage: &Stage) -> Kind {
    let has_pattern = |part: &str| part.contains(['*', '?', '[', '(']);
    let Some(first) = path.strip_prefix('/').and_then(|rest| rest.split('/').next()) else {
        return kind_of(path, stage);
    };
    if let Some(device) = devices::kind_of(path) {
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

pub(super) fn kind_of(path: &str, stage: &Stage) -> Kind {
    let path = path.strip_prefix("/proc/self/root").filter(|rest| !rest.is_empty()).unwrap_or(path);
    if path == "/" {
        return Kind::Root;
    }
    if let Some(device) = devices::kind_of(path) {
        return device;
    }
    if is_home(path, stage) {
        return Kind::Home;
    }
    if let Some(folder) = stage.writable.iter().find(|folder| is_below(path, folder)) {
        let itself = path.len() == folder.trim_end_matches('/').len();
        return match (is_temporary(folder), itself) {
            // A home or a workspace that stands in a temporary folder is no scratch, nor is what holds it.
            (true, false) if is_below(&stage.home, path) => Kind::Home,
            (true, false) if is_below(path, &stage.home) => Kind::BelowHome,
            (true, false) if holds_workspace(path, stage) => Kind::WorkspaceRoot,
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

fn holds_workspace(path: &str, stage: &Stage) -> bool {
    stage.writable.iter().any(|folder| !is_temporary(folder) && is_below(folder, path))
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
